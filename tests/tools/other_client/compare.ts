/** Compares the other client's log with the record of the definitive ticks. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { TICK_HZ } from "../../../shared/games/dragons/tuning.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { ClientLog, LogEnd, LoggedBody } from "./client_log.ts";
import type { MatchRecord, TrueBody } from "./observer.ts";

/**
 * Commands of the first seconds do not count: until its join is complete, a client may send them
 * too late.
 */
const JOIN_SECONDS = 2;
/** The join, the end and the first checksum may cost so many seconds of play. */
const SPARE_SECONDS = 5;
/**
 * The share of commands that must be taken in time: the advice expects at most 1.5 % late ones
 * (SPEC 5.10).
 */
export const TAKEN_SHARE_MIN = 0.98;
/** The own body is sent each tick. The rounding to 1/256 m alone moves it by up to 2.8 mm. */
const OWN_ERROR_M_MAX = 0.01;
/** Other bodies may be 1/64 m off (SPEC 12.2), and in the mean are 2.4 mm off. */
const OTHERS_ERROR_MEAN_M_MAX = 0.005;

/** A row of the table, with the keys of `--json`. An error without a body to compare is null. */
export interface Row {
  readonly stream: string;
  readonly rttMs: number;
  /** Definitive ticks of the log, up to its first gap. */
  readonly ticks: number;
  readonly decodeErrors: number;
  readonly checksums: number;
  readonly checksumsDiffer: number;
  /** Commands for the ticks that count: from the third second on, as far as they are definitive. */
  readonly commandsSent: number;
  /** The announced command of the same seat and tick equals the sent one. */
  readonly commandsTaken: number;
  /** The share of the ticks that count whose command was sent and taken, 0 … 1. */
  readonly takenShare: number;
  /** Distance from the true place in metres. The own body is the dragon of the client's seat. */
  readonly ownErrorWorstM: number | null;
  readonly ownErrorMeanM: number | null;
  readonly othersErrorMeanM: number | null;
  readonly othersErrorWorstM: number | null;
  /** Bodies that only the log or only the record has, and those of another kind, over all ticks. */
  readonly missingBodies: number;
  readonly bytesDownPerSecond: number;
  /** The reasons why the row is not ok, one line each. */
  readonly failures: readonly string[];
}

/** A combination of stream and network, and how long the client plays. */
export interface Combination {
  readonly stream: "commands" | "state";
  readonly rttMs: number;
  readonly seconds: number;
  /** The least share of commands that must be taken, 0 … 1. */
  readonly takenShareMin?: number;
}

/** @param failures of the client's process, if there are any */
export function compare(
  { record, log, failures }: { record: MatchRecord; log: ClientLog; failures: readonly string[] },
  { stream, rttMs, seconds, takenShareMin = TAKEN_SHARE_MIN }: Combination,
): Row {
  const { own, others, missing } = compareBodies(record, log);
  const { sent, taken, share, lost } = compareCommands(record, log);
  const { decodeErrors, checksums, checksumsDiffer, bytesDown } = log.end ?? NO_END;
  const row = {
    stream,
    rttMs,
    ticks: ticksBeforeGap([...log.ticks.keys()]),
    decodeErrors,
    checksums,
    checksumsDiffer,
    commandsSent: sent,
    commandsTaken: taken,
    takenShare: share,
    ownErrorWorstM: own.worst,
    ownErrorMeanM: own.mean,
    othersErrorMeanM: others.mean,
    othersErrorWorstM: others.worst,
    missingBodies: missing.count,
    bytesDownPerSecond: rounded(bytesDown / seconds, 1),
  };
  if (log.ticks.size === 0) return { ...row, failures: [...failures, "the log has no ticks"] };
  const faults = [
    ...(log.end === undefined ? ["the log has no end"] : []),
    ...atMost("decodeErrors", decodeErrors, 0),
    ...atMost("checksumsDiffer", checksumsDiffer, 0),
    ...atLeast("checksums", checksums, seconds - SPARE_SECONDS),
    ...atLeast("ticks", row.ticks, (seconds - SPARE_SECONDS) * TICK_HZ),
    ...atLeast("takenShare", share, takenShareMin).map((fault) => `${fault}: ${lost}`),
    ...atMost("ownErrorWorstM", own.worst, OWN_ERROR_M_MAX).map((fault) =>
      `${fault}: ${own.worstPlace}`
    ),
    ...atMost("othersErrorMeanM", others.mean, OTHERS_ERROR_MEAN_M_MAX).map((fault) =>
      `${fault}: ${others.worstPlace}`
    ),
    ...atMost("missingBodies", missing.count, 0).map((fault) => `${fault}: ${missing.first}`),
  ];
  return { ...row, failures: [...failures, ...faults] };
}

const NO_END: Pick<LogEnd, "decodeErrors" | "checksums" | "checksumsDiffer" | "bytesDown"> = {
  decodeErrors: 0,
  checksums: 0,
  checksumsDiffer: 0,
  bytesDown: 0,
};

/** @returns a line if the value is null or more than the bound */
function atMost(name: string, value: number | null, bound: number): string[] {
  return value !== null && value <= bound
    ? []
    : [`${name} is ${value}, but at most ${bound} is allowed`];
}

/** @returns a line if the value is less than the bound */
function atLeast(name: string, value: number, bound: number): string[] {
  return value >= bound ? [] : [`${name} is ${value}, but at least ${bound} is needed`];
}

/** The length of the first run of ticks without a gap. @param ticks ascending */
function ticksBeforeGap(ticks: readonly Tick[]): number {
  const gap = ticks.findIndex((tick, i) => tick !== ticks[0]! + i);
  return gap < 0 ? ticks.length : gap;
}

/** Distances between places, in metres. */
class PlaceErrors {
  #count = 0;
  #sum = 0;
  #worst = -1;
  worstPlace = "there is no such body";

  add(truth: TrueBody, logged: LoggedBody, place: string): void {
    const error = Math.hypot(truth.x - logged.x, truth.y - logged.y);
    this.#count++;
    this.#sum += error;
    if (error <= this.#worst) return;
    this.#worst = error;
    this.worstPlace = place;
  }

  get mean(): number | null {
    return this.#count === 0 ? null : rounded(this.#sum / this.#count, 5);
  }

  get worst(): number | null {
    return this.#count === 0 ? null : rounded(this.#worst, 5);
  }
}

/** Counts bodies without a counterpart, and keeps the first. */
class MissingBodies {
  count = 0;
  first = "";

  add(place: string): void {
    if (this.count++ === 0) this.first = place;
  }
}

/**
 * Compares every tick from the log's first to its last. A tick that the log has left out misses all
 * of its bodies.
 */
function compareBodies(
  { bodies, tick: newest }: MatchRecord,
  { seat, ticks }: ClientLog,
): { own: PlaceErrors; others: PlaceErrors; missing: MissingBodies } {
  const own = new PlaceErrors();
  const others = new PlaceErrors();
  const missing = new MissingBodies();
  const logged = [...ticks.keys()];
  const last = Math.min(newest, logged.at(-1) ?? -1);

  for (let tick = logged[0] ?? 0; tick <= last; tick++) {
    const theirs = ticks.get(tick);
    for (const [entity, truth] of bodies.get(tick) ?? []) {
      const their = theirs?.get(entity);
      const place = `entity ${entity} at tick ${tick}`;
      if (their?.kind === truth.kind) (truth.seat === seat ? own : others).add(truth, their, place);
      else if (theirs === undefined) missing.add(`tick ${tick} is not in the log`);
      else {missing.add(
          `${place} is of kind ${truth.kind}, and in the log ${
            their ? `of kind ${their.kind}` : "absent"
          }`,
        );}
    }
  }

  for (const [tick, theirs] of ticks) {
    const truths = bodies.get(tick);
    if (truths === undefined) missing.add(`tick ${tick} is in the log alone`);
    for (const entity of theirs.keys()) {
      if (truths?.has(entity) === false) {
        missing.add(`entity ${entity} at tick ${tick} is in the log alone`);
      }
    }
  }

  return { own, others, missing };
}

/**
 * Compares the commands of the ticks that count with the announced ones. `lost` describes the first
 * not taken.
 */
function compareCommands(
  { announced, tick: newest }: MatchRecord,
  { seat, sent, ticks }: ClientLog,
): { sent: number; taken: number; share: number; lost: string } {
  const logged = [...ticks.keys()];
  const first = (logged[0] ?? 0) + JOIN_SECONDS * TICK_HZ;
  const last = Math.min(
    newest,
    [...sent.keys()].reduce((a, b) => Math.max(a, b), logged.at(-1) ?? 0),
  );
  let count = 0;
  let taken = 0;
  let lost = "";

  for (let tick = first; tick <= last; tick++) {
    const ours = sent.get(tick);
    const theirs = seat === undefined ? undefined : announced[seat]!.get(tick);
    if (ours !== undefined) count++;
    if (ours !== undefined && theirs !== undefined && dragonGame.command.same(ours, theirs)) {
      taken++;
    } else if (ours === undefined) lost ||= `tick ${tick} has no command`;
    else {lost ||= `the command for tick ${tick} was ${
        theirs === undefined ? "not taken" : "taken as another one"
      }`;}
  }

  const share = last < first ? 0 : rounded(taken / (last - first + 1), 5);
  return { sent: count, taken, share, lost: lost || "no tick counts" };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
