/**
 * Words the log's rows and their figures, in pure functions. Causes stand in players' words; the
 * command that the page had guessed otherwise stands behind, for those who look closer.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { momentText } from "../ui/moment_text.ts";
import type { FlightRow } from "./flight_log.ts";
import type { Sight } from "./sights.ts";
import { reasonOf, REASONS } from "./flight_reasons.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";

/** Names seats. */
export interface Naming {
  readonly ownSeat: SeatId;
  nameOf(seat: SeatId): string;
}

/** A row in words. */
export interface RowText {
  /** What happened. */
  readonly what: string;
  readonly why: string;
  /** The command behind, such as "flaps 3 → 4"; empty if there is none. */
  readonly command: string;
}

const whole = (value: number) => String(Math.round(value));
const centimetres = (metres: number) => `${whole(metres * 100)} cm`;
const times = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/**
 * The match's own clock: time since the match began, which all players share.
 * @param tickHz the game's ticks per second
 */
export function matchClock(tick: Tick, tickHz: number): string {
  return momentText(tick / tickHz);
}

/** Says in one sentence without a full stop why a body was corrected. */
export function causeText(correction: FlightCorrection, naming: Naming): string {
  const { cause, seat } = correction;
  const by = correction.by ?? -1;
  const { ownSeat } = naming;
  const nameOf = (of: SeatId) => of === ownSeat ? "you" : naming.nameOf(of);
  const isOwn = by === ownSeat;
  const late = isOwn
    ? "your keys came late to the server"
    : `${nameOf(by)} did something else than this page had guessed`;

  switch (cause) {
    case "own command":
    case "other command":
      return late + delayText(correction);
    case "contact":
      return `${nameOf(seat)} met ${nameOf(by)}, and ${late}${delayText(correction)}`;
    case "presence":
      return `${nameOf(by)} came, left, or changed hands with a bot`;
    case "out of step":
      return "the server sent its own state, because this page’s differed";
    case "unknown":
      return "several players did something else than guessed, none of them alone";
  }
}

/** Says where the time was lost; empty if unknown. */
function delayText({ delay }: FlightCorrection): string {
  if (delay === undefined) return "";
  const ms = delay.ms < 1 ? "less than 1 ms" : `${whole(delay.ms)} ms`;
  switch (delay.where) {
    case "this page":
      return `: this page stood still for ${ms}`;
    case "server":
      return `: the server was ${ms} late`;
    case "own line":
      return `: your connection was ${ms} late`;
    case "their line":
      return `: their connection was ${ms} late`;
    case "distance":
      return `: the way is ${ms} long, as usual`;
  }
}

/**
 * Words the command behind a correction: the fields that were guessed otherwise, and from which
 * tick; empty if no command is behind it.
 */
export function commandText({ since, changes }: FlightCorrection): string {
  if (since === undefined || changes.length === 0) return "";
  const fields = changes.map(({ field, guessed, actual }) =>
    `${fieldWords(field)} ${valueText(guessed)} → ${valueText(actual)}`
  );
  return `${fields.join(", ")} (tick ${since})`;
}

/** Turns a command's field name into words: "flapHeld" becomes "flap held". */
function fieldWords(field: string): string {
  return field.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function valueText(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : String(value);
}

/** Words what a player saw of a correction. */
export function sightText({ visibleMs, seen }: Sight): string {
  if (seen !== "slid") return seen;
  return visibleMs === undefined ? "slides" : `slid for ${whole(visibleMs)} ms`;
}

/** Words a row. */
export function rowText(
  row: FlightRow,
  naming: Naming,
  sight: Sight | undefined,
): RowText {
  const nameOf = (seat: SeatId) => seat === naming.ownSeat ? "you" : naming.nameOf(seat);
  switch (row.kind) {
    case "correction": {
      const { correction } = row;
      const seen = sight === undefined ? "" : `, ${sightText(sight)}`;
      return text(
        `${nameOf(correction.seat)} ${centimetres(correction.metres)}${seen}`,
        causeText(correction, naming),
        commandText(correction),
      );
    }
    case "false event": {
      const { kind, seat, fromMs, toMs } = row.event;
      const whose = seat < 0 ? "" : `${nameOf(seat)}: `;
      const shown = row.wasShown
        ? "shown and taken back"
        : "predicted, not shown, and it never happened";
      return text(`${whose}${kind}`, `${shown} after ${whole(toMs - fromMs)} ms`);
    }
    case "stall":
      return text("stall", `this page did nothing for ${whole(row.ms)} ms`);
    case "silence":
      return text("silence", `no tick came for ${whole(row.ms)} ms`);
    case "state":
      return text("state", "the server sent its own, because this page’s differed or was too old");
    case "mark":
      return text("mark", "you pressed F4");
    case "fault":
      return text("contract", row.text);
  }
}

function text(what: string, why: string, command = ""): RowText {
  return { what, why, command };
}

/**
 * Sums up some time in a sentence: "36 s: 108 corrections, 1 of you (12 cm at 0:31.4). Mostly: too
 * far away to know in time."
 * @param span.seconds how long the time was
 */
export function summaryText(
  corrections: readonly FlightCorrection[],
  { seconds, tickHz, ownSeat }: { seconds: number; tickHz: number; ownSeat: SeatId },
): string {
  const span = `${whole(seconds)} s`;
  if (corrections.length === 0) return `${span}: nothing was corrected.`;

  // Of you, and the largest of those
  const own = corrections.filter(({ seat }) => seat === ownSeat);
  const worst = own.reduce<FlightCorrection | undefined>(
    (worst, each) => worst === undefined || each.metres > worst.metres ? each : worst,
    undefined,
  );
  const upTo = own.length > 1 ? "up to " : "";
  const ofYou = worst === undefined
    ? "none of you"
    : `${own.length} of you (${upTo}${centimetres(worst.metres)} at ${
      matchClock(worst.tick, tickHz)
    })`;

  // What is behind most of them
  const counts = REASONS.map(([reason, words]) => ({
    words,
    count: corrections.filter((each) => reasonOf(each) === reason).length,
  }));
  const most = counts.reduce((most, each) => each.count > most.count ? each : most);
  return `${span}: ${times(corrections.length, "correction")}, ${ofYou}. Mostly: ${most.words}.`;
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
