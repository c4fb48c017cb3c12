/** Words the log's rows and their figures, in pure functions. */
import type { SeatId } from "../../shared/netcode/game.ts";
import type { FlightRow, Sight } from "./flight_log.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";

/** Names seats. */
export interface Naming {
  readonly ownSeat: SeatId;
  nameOf(seat: SeatId): string;
}

const whole = (value: number) => String(Math.round(value));
const centimetres = (metres: number) => `${whole(metres * 100)} cm`;

/** Turns a command's field names into words: "flapHeld" becomes "flap held". */
function fieldWords(fields: readonly string[]): string {
  const words = fields.map((field) => field.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

/** Says in one sentence without a full stop why a body was corrected. */
export function causeText(correction: FlightCorrection, { ownSeat, nameOf }: Naming): string {
  const { cause, by = -1, since, fields } = correction;
  const isOwn = by === ownSeat;
  const late = isOwn
    ? `your command of tick ${since}${fieldWords(fields)} came late${delayText(correction)}`
    : `${nameOf(by)}’s command${fieldWords(fields)} was not known yet${delayText(correction)}`;

  switch (cause) {
    case "own command":
    case "other command":
      return late;
    case "contact":
      return `contact with ${isOwn ? "you" : nameOf(by)}: ${late}`;
    case "presence":
      return `${isOwn ? "you" : nameOf(by)} entered, left, or changed hands with a bot`;
    case "out of step":
      return "the server sent its own state, because this page’s differed";
    case "unknown":
      return "several players’ commands at once, none of them alone";
  }
}

/** Says in brackets where the time was lost; empty if unknown. */
function delayText({ delay }: FlightCorrection): string {
  if (delay === undefined) return "";
  const ms = `${whole(delay.ms)} ms`;
  switch (delay.where) {
    case "this page":
      return ` (this page stalled for ${ms})`;
    case "server":
      return ` (the server dropped ticks: ${ms} late)`;
    case "own line":
      return ` (your connection: ${ms} late)`;
    case "their line":
      return ` (their connection: ${ms} late)`;
    case "distance":
      return ` (as far away as usual: ${ms})`;
  }
}

/** Words what a player saw of a correction. */
export function sightText({ visibleMs, seen }: Sight): string {
  if (seen !== "slid") return seen;
  return visibleMs === undefined ? "slides" : `slid for ${whole(visibleMs)} ms`;
}

/** Words a row in two parts: what happened, and why. */
export function rowText(
  row: FlightRow,
  naming: Naming,
  sight: Sight | undefined,
): { what: string; why: string } {
  const nameOf = (seat: SeatId) => seat === naming.ownSeat ? "you" : naming.nameOf(seat);
  switch (row.kind) {
    case "correction": {
      const { seat, metres } = row.correction;
      const seen = sight === undefined ? "" : `, ${sightText(sight)}`;
      return {
        what: `${nameOf(seat)} ${centimetres(metres)}${seen}`,
        why: causeText(row.correction, naming),
      };
    }
    case "false event": {
      const { kind, seat, fromMs, toMs } = row.event;
      const whose = seat < 0 ? "" : `${nameOf(seat)}: `;
      const shown = row.wasShown
        ? "shown and taken back"
        : "predicted, not shown, and it never happened";
      return { what: `${whose}${kind}`, why: `${shown} after ${whole(toMs - fromMs)} ms` };
    }
    case "stall":
      return { what: "stall", why: `this page did nothing for ${whole(row.ms)} ms` };
    case "silence":
      return { what: "silence", why: `no tick came for ${whole(row.ms)} ms` };
    case "state":
      return {
        what: "state",
        why: "the server sent its own, because this page’s differed or was too old",
      };
    case "mark":
      return { what: "mark", why: "you pressed F4" };
    case "fault":
      return { what: "contract", why: row.text };
  }
}

/** Some time's corrections in figures. */
export interface FlightFigures {
  /** Visible corrections to the own body and to others. */
  readonly own: number;
  readonly others: number;
  readonly largestOwnMetres: number;
  readonly largestMetres: number;
  /**
   * How many effects a frame showed and took back, and how many outcomes were predicted, not shown,
   * and never happened.
   */
  readonly takenBack: number;
  readonly notShown: number;
  /** The largest correction, preferring the player's own body. */
  readonly worst: FlightCorrection | undefined;
}

/** Computes the figures from the rows after `sinceMs`. */
export function flightFiguresOf(
  rows: readonly FlightRow[],
  sinceMs: number,
  ownSeat: SeatId,
): FlightFigures {
  let own = 0;
  let others = 0;
  let largestOwnMetres = 0;
  let largestMetres = 0;
  let takenBack = 0;
  let notShown = 0;
  let worst: FlightCorrection | undefined;

  for (let i = rows.length - 1; i >= 0 && rows[i]!.atMs > sinceMs; i--) {
    const row = rows[i]!;
    if (row.kind === "false event") row.wasShown ? takenBack++ : notShown++;
    if (row.kind !== "correction") continue;
    const { seat, metres } = row.correction;

    const isOwn = seat === ownSeat;
    if (isOwn) own++;
    else others++;
    if (isOwn) largestOwnMetres = Math.max(largestOwnMetres, metres);
    largestMetres = Math.max(largestMetres, metres);

    // Prefer a correction to the own body, then the largest
    const isWorstOwn = worst?.seat === ownSeat;
    if (
      worst === undefined || (isOwn && !isWorstOwn) ||
      (isOwn === isWorstOwn && metres > worst.metres)
    ) {
      worst = row.correction;
    }
  }

  return { own, others, largestOwnMetres, largestMetres, takenBack, notShown, worst };
}
