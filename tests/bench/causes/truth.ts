/**
 * The true delays of the commands behind a page's corrections, in a real match:
 *
 *     unknown(c) = arrived(m) − simulated(c)     the tick m announced the command of tick c
 *
 *     their line   the command left the rival's line later than usual, or commands before it never did in time
 *     this page    the page's thread was busy when the message of tick m came
 *     own line     that message took longer than usual from the server to the page, or the page's lead was longer
 *     server       the rest: the server ran tick m late, or had the command and did not use it
 *
 * The times come from clocks that the page does not have: those of the bots' processes, and a heartbeat in the page.
 */
import type { Delay } from "../../../client/debug/replay/delays.ts";
import type { Trace } from "../../../client/debug/trace.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { TimedRider } from "./timed_rider.ts";

export type Place = Delay["where"];
/** By place: how much longer than usual a command took there, ms. */
type PlaceDelays = Readonly<Partial<Record<Place, number>>>;

const TICK_MS = 1000 / dragonGame.tickHz;
/** The planted cause made a correction if it delayed the command by this much, ms. */
const DELAYED_MS_MIN = 75;
/** A busy machine delays commands, too. A correction with another cause beyond this does not count, ms. */
const OTHER_MS_MAX = 40;
const USUAL_TICKS = 100, MISSING_TICKS_MAX = 40;
/** An offset that rises for good does so for this many ticks. */
const FOR_GOOD_TICKS = 12;

/** The page's heartbeat, ms on the page's clock. */
export interface Beat {
  /** Times in which the page's thread ran nothing else. */
  readonly gaps: (readonly [from: number, to: number])[];
  /** When the page had simulated a tick. */
  readonly heads: (readonly [tick: Tick, atMs: number])[];
}

/** The part of a `TimedRider` that is read. */
export interface RiderTimes extends Pick<TimedRider, "leftMs" | "cameMs" | "announcedBy"> {
  readonly session: { readonly seat: SeatId };
}

/** The part of the page's file that is read. */
export type JudgedTrace = Pick<Trace, "columns" | "rows" | "logColumns" | "log"> & { readonly game: { seat: SeatId } };

/** A planted cause's share of the page's log. */
export interface Verdict {
  /** Corrections over 5 cm in the page's file, those that the planted cause alone made, and how many were given to it. */
  readonly corrections: number;
  readonly planted: number;
  readonly given: number;
  /** Whether the server dropped ticks that nobody planted: then the machine is too busy for this. */
  readonly isDisturbed: boolean;
  /** For each planted correction that was not given to its cause: what the page said, and the true delays in ms. */
  readonly wrong: readonly string[];
}

/** A row of the page's file. */
interface LogRow {
  readonly atMs: number;
  readonly kind: string;
  readonly seat: number;
  readonly by: number | null;
  readonly since: number | null;
  readonly delayAt: Place | null;
  readonly what: string;
  readonly why: string;
}

export class Truth {
  readonly #rows: readonly LogRow[];
  readonly #riders: readonly RiderTimes[];
  readonly #beat: Beat;
  /** By tick: when the page had simulated it, ms since 1970. */
  readonly #steppedMs = new Map<Tick, number>();
  /** By tick: when its message came to the page, ms since 1970. Messages that came together have one time. */
  readonly #pageMs = new Map<Tick, number>();
  /** By tick: the slack of the page's newest command, ms. */
  readonly #slackMs = new Map<Tick, number>();
  readonly #originMs: number;
  readonly #ownSeat: number;

  /** @param riders the first may be disturbed, the last is not */
  constructor(trace: JudgedTrace, { riders, beat, pageOriginMs }: {
    riders: readonly RiderTimes[];
    beat: Beat;
    pageOriginMs: number;
  }) {
    this.#riders = riders;
    this.#beat = beat;
    for (const [tick, atMs] of beat.heads) this.#steppedMs.set(tick, atMs + pageOriginMs);
    this.#originMs = pageOriginMs;
    this.#ownSeat = trace.game.seat;
    this.#rows = trace.log.map((row) =>
      Object.fromEntries(trace.logColumns.map((column, i) => [column, row[i]])) as unknown as LogRow
    );
    const [atColumn, tickColumn, slackColumn] = ["atMs", "tick", "slackMs"].map((name) =>
      trace.columns.indexOf(name)
    ) as [
      number,
      number,
      number,
    ];
    let before = -1;
    for (const row of trace.rows) {
      const tick = row[tickColumn]!;
      this.#slackMs.set(tick, row[slackColumn]!);
      for (let together = Math.max(before + 1, tick - 60); together <= tick; together++) {
        if (before >= 0) this.#pageMs.set(together, row[atColumn]! + pageOriginMs);
      }
      before = tick;
    }
  }

  /** @param fromMs when the cause began, on the page's clock */
  judge(where: Place, fromMs: number): Verdict {
    let corrections = 0, planted = 0, given = 0;
    const wrong: string[] = [];
    for (const row of this.#rows) {
      if (row.kind !== "correction" || row.atMs < fromMs) continue;
      corrections++;
      const delays = this.#delaysOf(row);
      if (delays === undefined || !isAlone(where, delays)) continue;
      planted++;
      if (row.delayAt === where) given++;
      else wrong.push(`${row.what}: ${row.why}; truly ${wordsOf(delays)}`);
    }
    return { corrections, planted, given, wrong, isDisturbed: where !== "server" && this.#hasDropped(fromMs) };
  }

  #delaysOf({ by, since }: LogRow): PlaceDelays | undefined {
    if (by === null || since === null) return undefined;
    if (by === this.#ownSeat) return this.#ownDelays(since);
    const rider = this.#riders.find(({ session }) => session.seat === by);
    return rider === undefined ? undefined : this.#riderDelays(rider, since);
  }

  /** The page sends its command when it first simulates the tick; the line has the rest. */
  #ownDelays(since: Tick): PlaceDelays {
    const start = (tick: Tick) => at(this.#steppedMs, tick) - tick * TICK_MS;
    const slack = (tick: Tick) => at(this.#slackMs, tick), pageMs = start(since) - usual(since, start);
    let leastMs = Infinity;
    for (let tick = since; tick < since + MISSING_TICKS_MAX; tick++) leastMs = Math.min(leastMs, slack(tick) || 0);
    return { "this page": pageMs, "own line": usual(since, slack) - leastMs - pageMs };
  }

  #riderDelays(rider: RiderTimes, since: Tick): PlaceDelays {
    const by = rider.session.seat;
    const announcedBy = (tick: Tick) => this.#observer.announcedBy.get(`${by} ${tick}`) ?? tick;
    const unknown = (tick: Tick) => at(this.#pageMs, announcedBy(tick)) - at(this.#steppedMs, tick);
    const left = (tick: Tick) => at(rider.leftMs, tick) - tick * TICK_MS;
    const start = (tick: Tick) => at(this.#steppedMs, tick) - tick * TICK_MS;
    const down = (tick: Tick) => at(this.#pageMs, tick) - this.#ranMs(tick), announcing = announcedBy(since);
    const laterMs = Math.max(0, left(since) - usual(since, left));
    const downMs = Math.max(0, down(announcing) - usual(announcing, down));
    const pageMs = Math.min(downMs, this.#heldMs(at(this.#pageMs, announcing)));
    const lineMs = downMs - pageMs + usual(since, start) - start(since);
    const isAfterDropped = this.#followsDropped(announcing);
    const restMs = unknown(since) - usual(since, unknown) - laterMs - pageMs;
    return {
      "their line": laterMs + this.#missing(rider, since) * TICK_MS,
      "this page": pageMs,
      // Clocks run ahead for a while after dropped ticks: this is no line's fault.
      "own line": isAfterDropped ? 0 : lineMs,
      "server": isAfterDropped ? restMs : restMs - lineMs,
    };
  }

  /** How many of a rider's commands just before a tick left too late for the server. */
  #missing({ leftMs }: RiderTimes, tick: Tick): number {
    let missing = 0;
    while (missing < MISSING_TICKS_MAX) {
      const before = tick - 1 - missing;
      if (at(leftMs, before) <= this.#ranMs(before)) break;
      missing++;
    }
    return missing;
  }

  /** An undisturbed bot has when the server ran a tick. */
  get #observer(): RiderTimes {
    return this.#riders.at(-1)!;
  }

  #ranMs(tick: Tick): number {
    return at(this.#observer.cameMs, tick);
  }

  /** Whether the server has dropped ticks since this time on the page's clock. */
  #hasDropped(fromMs: number): boolean {
    for (const [tick, atMs] of this.#observer.cameMs) {
      if (atMs > fromMs + this.#originMs && this.#followsDropped(tick)) return true;
    }
    return false;
  }

  /** Whether the server's clock has fallen behind for good within the ticks that say what is usual. */
  #followsDropped(tick: Tick): boolean {
    const ran = (tick: Tick) => this.#ranMs(tick) - tick * TICK_MS;
    for (let dropped = tick; dropped > tick - USUAL_TICKS / 2; dropped--) {
      const after = Array.from({ length: FOR_GOOD_TICKS }, (_, i) => ran(dropped + i)).filter((ms) => !isNaN(ms));
      if (Math.min(...after) - usual(dropped, ran) >= DELAYED_MS_MIN) return true;
    }
    return false;
  }

  /** How long the page's thread had been busy when a message came, ms. */
  #heldMs(cameMs: number): number {
    const ms = cameMs - this.#originMs;
    const gap = this.#beat.gaps.find(([from, to]) => from < ms && ms <= to + TICK_MS / 2);
    return gap === undefined ? 0 : ms - gap[0];
  }
}

/** Whether this place delayed a command, and no other one did. */
function isAlone(where: Place, delays: PlaceDelays): boolean {
  const entries = Object.entries(delays) as [Place, number][];
  const totalMs = entries.reduce((sum, [, ms]) => sum + ms, 0);
  return delays[where]! >= DELAYED_MS_MIN && totalMs >= DELAYED_MS_MIN &&
    entries.every(([place, ms]) => place === where || ms < OTHER_MS_MAX);
}

function wordsOf(delays: PlaceDelays): string {
  return Object.entries(delays).map(([place, ms]) => `${place} ${Math.round(ms)}`).join(", ");
}

function at(times: ReadonlyMap<Tick, number>, tick: Tick): number {
  return times.get(tick) ?? NaN;
}

/** The median of a value over the ticks before this one. */
function usual(tick: Tick, value: (tick: Tick) => number): number {
  const values = Array.from({ length: USUAL_TICKS }, (_, i) => value(tick - 1 - i)).filter((value) => !isNaN(value));
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
