/**
 * The game kit: everything that you import to write a game. A game is a declaration and a few
 * rules; codec, quantization, press counters, assumed commands, snapshots and the body stream
 * follow from them.
 *
 *     export const game = defineGame({ id: "hop-1", title: "Hop", … }, { enter, drive, … });
 */
export {
  type AnyThingOf,
  type DeclaredSimulation,
  declareGame,
  defineGame,
  type InputOf,
  type KitGame,
  type ReadonlyThingOf,
  type ThingOf,
  type TypesOf,
  type WorldOf,
  type WorldViewOf,
} from "./define_game.ts";
export {
  aim,
  type AimPart,
  axis,
  type AxisPart,
  type Command,
  type CommandPart,
  type CommandParts,
  dial,
  type DialPart,
  type Guess,
  hold,
  type HoldPart,
  type Keys,
  type PartValue,
  press,
  type PressPart,
  type TwoWayKeys,
} from "./command/parts.ts";
export type { SeenPart } from "./command/command_table.ts";
export {
  type Choice,
  choice,
  type Choices,
  type Chosen,
  type Clock,
  clock,
  type FieldKind,
  type FieldKinds,
  type Flag,
  flag,
  list,
  type NumberList,
  type Reference,
  reference,
  type Stopwatch,
  stopwatch,
} from "./fields/kinds.ts";
export type {
  Declaration,
  GameCommand,
  Input,
  InputChanges,
  JointOptions,
  ThingDef,
} from "./declaration.ts";
export type { EventTiming, FieldsOf, GameTypes, NpcKind } from "./game_types.ts";
export { tune, type TunedConstant, type TunedConstants } from "./tune/tune.ts";
export { GameError } from "./game_error.ts";
export type { Reach } from "../reach.ts";
export type {
  ByNpcKind,
  Foresight,
  OnTouch,
  OnTouchEnd,
  Plan,
  RoundState,
  Rules,
  SetState,
  Think,
  Thought,
  TouchEndRules,
  TouchRules,
} from "./rules.ts";
export type {
  AnyReadonlyThing,
  AnyThing,
  FieldValues,
  GoneThing,
  Ground,
  GroundOr,
  Name,
  Numbers,
  Parted,
  ReadonlyFieldValues,
  ReadonlyNumbers,
  ReadonlyThing,
  Thing,
} from "./world/thing.ts";
export type {
  Apart,
  Contact,
  Explosion,
  Filter,
  Found,
  FoundOnWay,
  JointName,
  Joints,
  JointsView,
  Nearest,
  Place,
  Placement,
  Queries,
  World,
  WorldVerbs,
  WorldView,
} from "./world/world.ts";
export type { PlainFieldValue, ThingDescription } from "./world/describe_thing.ts";
export { directionOf, hypot } from "./maths.ts";
export {
  type TiledMap,
  tiledMap,
  type TiledOptions,
  type TiledPlace,
  type TiledTiles,
} from "./tiled/tiled_map.ts";
export type { TiledValue } from "./tiled/tiled_file.ts";
export { type Outcome, outcomeOf } from "../netcode/round_outcome.ts";
export { hashOf } from "../random.ts";
export { atan2, cos, sin } from "../physics/core/math.ts";
export type {
  BodyDef,
  FieldSpec,
  FixtureDef,
  JointPlacement,
  ProjectileDef,
  Shape,
  StageFeature,
} from "../physics/core/types.ts";
export { StageError } from "../physics/core/types.ts";
export { chains as CHAINS } from "../physics/chains/feature.ts";
export { descriptions as DESCRIPTIONS } from "../physics/stage/describe.ts";
export { joints as JOINTS } from "../physics/joints/feature.ts";
export {
  DISTANCE,
  FILTER,
  FRICTION,
  GEAR,
  jointsOf,
  MOTOR,
  MOUSE,
  PRISMATIC,
  PULLEY,
  REVOLUTE,
  ROPE,
  WELD,
  WHEEL,
} from "../physics/joints/joints_of.ts";
export { paths as PATHS } from "../physics/stage/kinematic_paths.ts";
export { properties as PROPERTIES } from "../physics/stage/properties.ts";
export { queries as QUERIES } from "../physics/stage/queries.ts";
export { rounded as ROUNDED } from "../physics/rounded/feature.ts";
export { touches as TOUCHES } from "../physics/events/touches.ts";
