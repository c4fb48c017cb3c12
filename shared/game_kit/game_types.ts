/** The types of one game. All types of the kit follow from them. */
import type { FieldSpec } from "../physics/core/types.ts";
import type { CommandParts } from "./command/parts.ts";
import type { Choices, FieldKinds } from "./fields/kinds.ts";

/**
 * When a page shows an event: once it is definitive, or as soon as it is predicted, which may be
 * taken back.
 */
export type EventTiming = "certain" | "at once";

/** The types of one game. All types of the kit follow from them. */
export interface GameTypes {
  /** The parts of the command. */
  readonly command: CommandParts;
  /** The match's own fields. */
  readonly match: FieldKinds;
  /** The choices of `join`. */
  readonly join: Choices;
  /** The options of a room. */
  readonly options: Choices;
  /** The fields of each thing; unknown for one that declares none. */
  readonly things: Readonly<Record<string, unknown>>;
  /** The name of the thing that a seat drives. */
  readonly player: string;
  /** The same for each joint. */
  readonly joints: Readonly<Record<string, unknown>>;
  /** When each event is shown. */
  readonly events: Readonly<Record<string, EventTiming>>;
  /** The colour of each team. */
  readonly teams: Readonly<Record<string, string>>;
}

/** An object without members. */
export type None = Readonly<Record<never, never>>;

/** The declared fields of a thing. */
export type FieldsOf<G extends GameTypes, ThingName extends keyof G["things"]> =
  G["things"][ThingName] extends FieldKinds ? G["things"][ThingName]
    : None;

/** The declared fields of a joint. */
export type JointFieldsOf<G extends GameTypes, JointName extends keyof G["joints"]> =
  G["joints"][JointName] extends FieldSpec ? G["joints"][JointName] : None;
