/** A game's declaration, which its author writes, and the types that follow from it. */
import type {
  BodyDef,
  FieldSpec,
  JointDef,
  ProjectileDef,
  StageDef,
} from "../physics/core/types.ts";
import type { Authority, PlayerCounts } from "../netcode/game.ts";
import type { Command, HoldPart, PartValue, PressPart } from "./command/parts.ts";
import type { Chosen, FieldKinds, Reference } from "./fields/kinds.ts";
import type { FieldsOf, GameTypes, NpcKind } from "./game_types.ts";
import type { AnyThing, GroundOr, Name } from "./world/thing.ts";

/** A thing: a body or a projectile, and its fields. */
export type ThingDef<Fields extends FieldKinds> =
  & { readonly fields?: Fields }
  & ({ readonly body: BodyDef; readonly projectile?: never } | {
    readonly projectile: ProjectileDef;
    readonly body?: never;
  });

type WithoutName<Def> = Def extends unknown ? Omit<Def, "name" | "fields"> : never;

/** A joint as in `JointDef`, but named by its key; you may leave out fields. */
export type JointOptions<Fields extends FieldSpec> = WithoutName<JointDef> & {
  readonly fields?: Fields;
};

/** The options that a declaration takes unchanged from `StageDef`. The kit makes all others. */
type StageOptions = Omit<
  StageDef,
  | "archetypes"
  | "fields"
  | "joints"
  | "tickHz"
  | "substeps"
  | "shouldCollide"
  | "landsOn"
  | "restitutions"
  | "frictions"
>;

/** A pair of things by name and a number; "ground" stands for the ground. */
type PairOf<G extends GameTypes> = readonly [
  a: Name<G> | "ground",
  b: Name<G> | "ground",
  value: number,
];

/** A whole game except its rules. It also takes the options of `StageDef`. */
export interface Declaration<G extends GameTypes> extends StageOptions {
  /**
   * Name and version of the rules, such as "puck-1": at most 32 characters a–z, 0–9, "_" and "-".
   */
  readonly id: string;
  /** The game's name as players read it. */
  readonly title: string;
  /**
   * How many play a match together, such as `{ max: 2, npcs: 1 }` for a duel. A room seats `max`
   * players, 1 … 16 [16]. "Play now" skips rooms with `playNow` players [8, at most `max`]. With
   * fewer than `min` players and NPCs, the page says that it waits [0]. A room gets `npcs` NPCs, 0
   * … 16 [4], unless the server's `--npcs` says otherwise.
   */
  readonly players?: Partial<PlayerCounts>;
  /**
   * Who computes a match: the server ["full"], or the players' pages while it only orders their
   * commands ("order"), unless the server's `--authority` says otherwise.
   */
  readonly authority?: Authority;
  /** Ticks per second, 1 … 120; default 20. */
  readonly tickHz?: number;
  /** World steps per tick, 1 … 8; default 2. */
  readonly substeps?: number;
  /** What a player controls, part by part. */
  readonly command: G["command"];
  /** The match's own fields. */
  readonly match?: G["match"];
  /** What a player chooses before joining; `enter` and `drive` receive it. */
  readonly join?: G["join"];
  /** What the player who opens a room chooses, at most 8 options; read it from `world.options`. */
  readonly options?: G["options"];
  /** Everything that may be in the world, by name. */
  readonly things: {
    readonly [Thing in keyof G["things"]]: ThingDef<G["things"][Thing] & FieldKinds>;
  };
  /** The thing that a seat drives. */
  readonly player: G["player"];
  /** The joints that rules may add, by name. They need the feature `JOINTS`. */
  readonly joints?: {
    readonly [Joint in keyof G["joints"]]: JointOptions<G["joints"][Joint] & FieldSpec>;
  };
  /** The events that rules may emit, by name, and when pages show each. */
  readonly events?: G["events"];
  /**
   * Kinds of NPCs, one to four, with the word that players read: `{ drifter: "Drifter", hunter:
   * "Hunter" }`. Bots and lost players are of the first kind, and so are the room's NPCs unless
   * `npcMix` says otherwise; rules add others by `world.addNpc`. Without it there is one kind, and
   * rules add none.
   */
  readonly npcs?: G["npcs"];
  /**
   * The kinds of the room's NPCs in the order of their seats, at most 16, and from the beginning
   * again: `["drifter", "drifter", "hunter"]`. Default: the first kind alone.
   */
  readonly npcMix?: readonly NpcKind<G>[];
  /**
   * Names of the NPCs by their seats, at most 16, all different. A name follows the word of the
   * kind: "Hunter Moss". Without one it is a number: "Hunter 3".
   */
  readonly npcNames?: readonly string[];
  /** Teams by name, with their colours as in CSS. */
  readonly teams?: G["teams"];
  /**
   * Constants with a slider on the page of `deno task dev`: `{ jump: tune(14, { min: 8, max: 20 })
   * }`. Rules and views read them as `world.tune.jump`.
   */
  readonly tune?: G["tune"];
  /** As `StageDef.restitutions`, by things' names. */
  readonly restitutions?: readonly PairOf<G>[];
  /** As `StageDef.frictions`, by things' names. */
  readonly frictions?: readonly PairOf<G>[];
  /** As `StageDef.shouldCollide`: a pure function of names, ids and fields. */
  shouldCollide?(a: AnyThing<G>, b: AnyThing<G>): boolean;
  /** As `StageDef.landsOn`: a pure function of names, ids and fields. */
  landsOn?(thing: AnyThing<G>, platform: GroundOr<G>): boolean;
}

/**
 * A player's input for one tick, as rules see it: the command's parts, and what the player chose on
 * joining.
 */
export type Input<G extends GameTypes> =
  & { readonly [Part in keyof G["command"]]: PartValue<G["command"][Part]> }
  & Chosen<G["join"]>;

/**
 * The inputs that `think` sets. Presses add to those before. Parts that it leaves out are neutral,
 * or stay.
 */
export type InputChanges<G extends GameTypes> = {
  readonly [Part in keyof G["command"]]?: PartValue<G["command"][Part]>;
};

/** The command that travels: parts, then the choices in `join`, as whole numbers. */
export type GameCommand<G extends GameTypes> = Command<G["command"] & G["join"]>;

type ReferencesIn<Fields> = {
  [Field in keyof Fields]: Fields[Field] extends Reference<infer To> ? To : never;
}[keyof Fields];

type AllReferences<G extends GameTypes> =
  | ReferencesIn<G["match"]>
  | { [ThingName in Name<G>]: ReferencesIn<FieldsOf<G, ThingName>> }[Name<G>];

type PressNames<Parts> = {
  [Part in keyof Parts]: Parts[Part] extends PressPart ? Part : never;
}[keyof Parts];

type ButtonsOfHolds<Parts> = {
  [Part in keyof Parts]: Parts[Part] extends HoldPart<infer Of> ? Of : never;
}[keyof Parts];

type Sentence<Subject, Predicate extends string> = Subject extends string
  ? `"${Subject}" ${Predicate}`
  : never;

/** The mistakes in a declaration beyond its shape, as sentences. */
type Mistakes<G extends GameTypes> =
  | Sentence<Exclude<AllReferences<G>, Name<G>>, "is no thing that a reference may name">
  | Sentence<
    Exclude<ButtonsOfHolds<G["command"]>, PressNames<G["command"]>>,
    "is no press that a hold may name"
  >
  | Sentence<keyof G["command"] & keyof G["join"], "is a part of the command and a choice of join">;

/**
 * Names each mistake as a member that the rules lack, so that a game with a wrong name does not
 * compile.
 */
export type WrongNames<G extends GameTypes> = [Mistakes<G>] extends [never] ? unknown
  : { readonly [Mistake in Mistakes<G>]: never };
