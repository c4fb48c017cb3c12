/**
 * `wyvern/physics`: the exact physics alone. A stage steps bodies, saves and loads its whole state,
 * and gives the same bits in every engine. It needs no other package.
 *
 *     const stage = new Stage({ gravity: 10, tickHz: 60, archetypes: [CRATE], fields: {} });
 */
export { ENTITIES_MAX, Entity, Stage, type StageOptions } from "../physics/stage/stage.ts";
export type {
  BrokenJoint,
  ContactEvent,
  EntityDescription,
  Hit,
  Joint,
  Joints,
} from "../physics/stage/stage.ts";
export { archetype, jointDef, StageError } from "../physics/core/types.ts";
export type {
  Archetype,
  BodyDef,
  BodyType,
  Chain,
  ChainPoint,
  FieldSpec,
  FixtureDef,
  JointDef,
  JointPlacement,
  MutableProperty,
  Path,
  PathArchetype,
  ProjectileDef,
  PropertyTypes,
  Shape,
  Spawn,
  StageDef,
  StagedEntity,
  StageFeature,
  StageLimits,
} from "../physics/core/types.ts";
export { chains } from "../physics/chains/feature.ts";
export { joints } from "../physics/joints/feature.ts";
export { rounded } from "../physics/rounded/feature.ts";
export { type Touch, touches, type TouchPoint } from "../physics/events/touches.ts";
export { descriptions } from "../physics/stage/describe.ts";
export { paths } from "../physics/stage/kinematic_paths.ts";
export { properties, type PropertyValues } from "../physics/stage/properties.ts";
export {
  type CastHit,
  type ClosestPoint,
  type Distance,
  queries,
  type QueryFilter,
  type QueryResult,
  type QueryShape,
} from "../physics/stage/queries.ts";
export { snapshotLabels } from "../physics/snapshot/labels.ts";
export { Snapshot, SnapshotError } from "../snapshot.ts";
export { hashOfSnapshot } from "../netcode/wire/range_coder.ts";
export { StepProfile } from "../step_profile.ts";
export { hashOf as hashOfNumbers, Random } from "../random.ts";
export { hashOf } from "./renamed.ts";
export { exp } from "../exp.ts";
export { atan2, cos, sin } from "../physics/core/math.ts";
