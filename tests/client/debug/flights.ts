/** Rows and names for tests of the overlay's log. */
import type { FlightRow } from "../../../client/debug/flight_log.ts";
import type { Naming } from "../../../client/debug/flight_words.ts";
import type { FlightCorrection } from "../../../client/debug/replay/flight_replay.ts";

export const NAMING: Naming = {
  ownSeat: 0,
  nameOf: (seat) => ["Ash", "Rook", "Wren"][seat] ?? `seat ${seat}`,
};

/** A correction of Rook by Rook's own flap, with changes. */
export function correctionOf(changes: Partial<FlightCorrection> = {}): FlightCorrection {
  return {
    atMs: 4000,
    tick: 80,
    seat: 1,
    metres: 0.4,
    from: { x: 0, y: 0 },
    to: { x: 0.4, y: 0 },
    cause: "other command",
    by: 1,
    since: 75,
    changes: [{ field: "flaps", guessed: 3, actual: 4 }],
    delay: { where: "their line", ms: 140 },
    ...changes,
  };
}

/** The row of a correction. */
export function rowOf(changes: Partial<FlightCorrection> = {}): FlightRow {
  const correction = correctionOf(changes);
  return { kind: "correction", atMs: correction.atMs, tick: correction.tick, correction };
}
