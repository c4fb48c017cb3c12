/**
 * The last minute as a page knows it: its own steps and arrivals, and all that a replay of them
 * needs. "I felt a lag here" saves it as a file, and the replay page shows it.
 */
import type { SeatId } from "../../../shared/netcode/game.ts";
import type { Welcome } from "../../../shared/netcode/wire/messages.ts";
import { type FlightEntry, STEPS_MAX } from "../../presentation/flight_recording.ts";

/** It grows when a bit of the file moves. A file of another version is refused in words. */
export const LAG_VERSION = 1;
/** Every file begins with these words, its version, and the end of a line. */
export const LAG_MAGIC = "wyvern lag ";
/** A minute of the fullest match takes less than a tenth of it, bytes. */
export const LAG_BYTES_MAX = 1 << 23;
/** As many steps as a page records at most, and those that stand beside its states. */
export const LAG_STEPS_MAX = STEPS_MAX + 2000;

export interface LagReport extends Pick<Welcome, "npcs" | "seed" | "choices"> {
  /** `Game.id`. */
  readonly gameId: string;
  readonly room: string;
  /** −1 for a spectator. */
  readonly ownSeat: SeatId;
  /** The names of the seats, NPCs too. */
  readonly names: ReadonlyMap<SeatId, string>;
  /** The oldest first. Their times are ms since the first one. */
  readonly entries: readonly FlightEntry[];
}
