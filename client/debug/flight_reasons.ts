/**
 * Sorts the log for a player who asks "why was I corrected?": by reason, by whose body it was, by how
 * far, and by what was seen of it. Pure; `flight_filter.ts` has the controls.
 */
import type { SeatId } from "../../shared/netcode/game.ts";
import type { FlightRow } from "./flight_log.ts";
import type { Sight } from "./sights.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";

/** Why a correction was needed, in the order of the list that players choose from. */
export const REASONS = [
  ["distance", "too far away to know in time"],
  ["own line", "your connection"],
  ["their line", "their connection"],
  ["server", "the server"],
  ["this page", "this page stood still"],
  ["presence", "players came or went"],
  ["out of step", "the server’s own state"],
  ["several", "several players at once"],
] as const;

export type Reason = typeof REASONS[number][0];

/** The reason of one correction. */
export function reasonOf({ cause, delay }: Pick<FlightCorrection, "cause" | "delay">): Reason {
  if (cause === "presence" || cause === "out of step") return cause;
  return delay?.where ?? "several";
}

/** What a player wants to see of the log. */
export interface FlightFilter {
  /** Only what happened to the own body, or to the whole page. */
  readonly isOwnOnly: boolean;
  /** Corrections of less are left out, metres. */
  readonly metresMin: number;
  /** Corrections for other reasons are left out; undefined for all reasons. */
  readonly reason: Reason | undefined;
  /** Whether what was seen most comes first, in place of the match's order. */
  readonly isByVisibility: boolean;
}

export const ALL_ROWS: FlightFilter = {
  isOwnOnly: false,
  metresMin: 0,
  reason: undefined,
  isByVisibility: false,
};

/** Whether the log shows a correction. */
export function showsCorrection(
  { isOwnOnly, metresMin, reason }: FlightFilter,
  correction: Pick<FlightCorrection, "seat" | "metres" | "cause" | "delay">,
  ownSeat: SeatId,
): boolean {
  return (!isOwnOnly || correction.seat === ownSeat) && correction.metres >= metresMin &&
    (reason === undefined || reasonOf(correction) === reason);
}

/**
 * Whether the log shows a row. Stalls, silence and marks are the whole page's, so they count as the
 * player's own; a reason or a distance asks for corrections alone.
 */
export function showsRow(filter: FlightFilter, row: FlightRow, ownSeat: SeatId): boolean {
  if (row.kind === "correction") return showsCorrection(filter, row.correction, ownSeat);
  if (filter.reason !== undefined || filter.metresMin > 0) return false;
  return !filter.isOwnOnly || row.kind !== "false event" || row.event.seat === ownSeat;
}

/** What slides on counts as longer than any slide that has ended, and a jump as more, ms. */
const SLIDES_MS = 1e9;
const SNAPPED_MS = 2e9;

/**
 * How much a player saw of a correction, larger for more: a jump counts more than anything that
 * slid, and what no frame showed counts least, or what is not known. Of two jumps the longer one
 * counts more.
 */
export function visibilityOf(
  { metres }: Pick<FlightCorrection, "metres">,
  sight: Sight | undefined,
): number {
  // Below 1 by distance, because no distance makes up for another kind of sight
  const byDistance = metres / (1 + metres);
  if (sight === undefined || sight.seen === "unseen") return byDistance;
  const { seen, visibleMs } = sight;
  if (seen === "snapped") return SNAPPED_MS + byDistance;
  return 1 + (visibleMs ?? SLIDES_MS) + byDistance;
}
