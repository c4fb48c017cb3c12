/** The types of one game. All types of the kit follow from them. */
import type { FieldSpec } from "../physics/core/types.ts";
import type { CommandParts } from "./command/parts.ts";
import type { Choices, FieldKinds } from "./fields/kinds.ts";
import type { TunedConstants } from "./tune/tune.ts";

/**
 * When a page shows an event: "certain" once it is definitive; "at once" as soon as it is predicted,
 * for what an own key causes; "likely" a little later, for what happens to a player by itself, such
 * as a landing, so that few are taken back.
 */
export type EventTiming = "certain" | "likely" | "at once";

/** The types of one game. All types of the kit follow from them. */
export interface GameTypes {
  /** The command's parts. */
  readonly command: CommandParts;
  /** The match's own fields. */
  readonly match: FieldKinds;
  /** The choices in `join`. */
  readonly join: Choices;
  /** A room's options. */
  readonly options: Choices;
  /** Each thing's fields; unknown for one that declares none. */
  readonly things: Readonly<Record<string, unknown>>;
  /** The name of the thing that a seat drives. */
  readonly player: string;
  /** The same for each joint. */
  readonly joints: Readonly<Record<string, unknown>>;
  /** When pages show each event. */
  readonly events: Readonly<Record<string, EventTiming>>;
  /** Each team's colour. */
  readonly teams: Readonly<Record<string, string>>;
  /** What players call each kind of NPC. */
  readonly npcs: Readonly<Record<string, string>>;
  /** The constants that their author tunes. */
  readonly tune: TunedConstants;
}

/** A game's names for its kinds of NPCs. */
export type NpcKind<G extends GameTypes> = keyof G["npcs"] & string;

/** An object without members. */
export type None = Readonly<Record<never, never>>;

/** A thing's declared fields. */
export type FieldsOf<G extends GameTypes, ThingName extends keyof G["things"]> =
  G["things"][ThingName] extends FieldKinds ? G["things"][ThingName]
    : None;

/** A joint's declared fields. */
export type JointFieldsOf<G extends GameTypes, JointName extends keyof G["joints"]> =
  G["joints"][JointName] extends FieldSpec ? G["joints"][JointName] : None;
