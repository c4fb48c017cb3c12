/**
 * The last minute as a page knows it: its own steps and arrivals, and all that replaying them
 * needs. "I felt a lag here" saves it as a file, and the replay page shows it.
 */
import type { SeatId } from "../../../shared/netcode/game.ts";
import type { Welcome } from "../../../shared/netcode/wire/messages.ts";
import type { SavedFrame } from "../sights.ts";
import { type FlightEntry, STEPS_MAX } from "../../presentation/flight_recording.ts";

/** Raise it when the file's bits change. A reader refuses another version with a message. */
export const LAG_VERSION = 3;
/** Every file begins with these words, its version, and a line break. */
export const LAG_MAGIC = "wyvern lag ";
/** The longest file, bytes. A minute in the fullest match takes less than a tenth of it. */
export const LAG_BYTES_MAX = 1 << 23;
/** The most steps: as many as a page records, and those beside its states. */
export const LAG_STEPS_MAX = STEPS_MAX + 2000;

/** In the address of a replay page that shall ask the page that opened it for a report. */
export const LAG_QUERY = "lag";
/** What it asks with. */
export const LAG_REQUEST = "wyvern lag, please";

/** The answer: a report's file. */
export interface HandedLag {
  readonly lag: Uint8Array<ArrayBuffer>;
}

export interface LagReport extends Pick<Welcome, "npcs" | "seed" | "choices" | "isOrdered"> {
  /** `Game.id`. */
  readonly gameId: string;
  readonly room: string;
  /** −1 for a spectator. */
  readonly ownSeat: SeatId;
  /** The seats' names, including NPCs'. */
  readonly names: ReadonlyMap<SeatId, string>;
  /** The oldest first, with times in ms since the first one. */
  readonly entries: readonly FlightEntry[];
  /** The newest frames, half a minute of them, the oldest first. */
  readonly frames: readonly SavedFrame[];
}
