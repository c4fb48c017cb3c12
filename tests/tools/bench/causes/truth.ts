/**
 * The true delays of the commands behind a page's corrections, in a real match:
 *
 *     unknown(c) = arrived(m) − simulated(c)     the tick m announced the command of tick c
 *
 *     their line   the command left the rival's line later than usual, or commands before it never did in time
 *     this page    the message of tick m waited for the page after it had passed the page's line
 *     own line     that message took longer than usual from the server to the page, or the page's lead was longer
 *     server       the rest: the server ran tick m late, or had the command and did not use it
 *
 * The times come from clocks that the page does not have. The bots and the page's line are in this
 * process. A heartbeat in the page has when its head moved.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { Delay } from "../../../../client/debug/replay/delays.ts";
import type { Trace } from "../../../../client/debug/trace.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";
import type { PageLine } from "./page_line.ts";
import type { TimedRider } from "./timed_rider.ts";

export type Place = Delay["where"];
/** By place: how much longer than usual a command took there, ms. */
type PlaceDelays = Readonly<Partial<Record<Place, number>>>;

const TICK_MS = 1000 / dragonGame.tickHz;
/** The planted cause made a correction if it delayed the command by this much, ms. */
const DELAYED_MS_MIN = 75;
/**
 * A busy machine delays commands, too. A correction with another cause beyond this does not count,
 * ms.
 */
const OTHER_MS_MAX = 40;
const USUAL_TICKS = 100;
const MISSING_TICKS_MAX = 40;
/** An offset that rises for good does so for this many ticks. */
const FOR_GOOD_TICKS = 12;

/** When the page simulated a tick, ms on the page's clock. */
export type Heads = (readonly [tick: Tick, atMs: number])[];

/** The part of a `PageLine` that is read. */
export type LineTimes = Pick<PageLine, "passedMs">;

/** The part of a `TimedRider` that is read. */
export interface RiderTimes extends Pick<TimedRider, "leftMs" | "cameMs" | "announcedBy"> {
  readonly session: { readonly seat: SeatId };
}

/** The part of the page's file that is read. */
export type JudgedTrace = Pick<Trace, "columns" | "rows" | "logColumns" | "log"> & {
  readonly game: { seat: SeatId };
};

/** A planted cause's share of the page's log. */
export interface Verdict {
  /**
   * Corrections over 5 cm in the page's file, how many of them the planted cause alone made, and
   * how many of these the page attributed to it.
   */
  readonly corrections: number;
  readonly planted: number;
  readonly given: number;
  /**
   * Whether the server dropped ticks without a planted cause, or had just done so: then the machine
   * is too busy for this.
   */
  readonly isDisturbed: boolean;
  /**
   * For each planted correction that the page did not attribute to its cause: what it said, and the
   * true delays in ms.
   */
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
  readonly #line: LineTimes;
  /** By tick: when the page simulated it, ms since 1970. */
  readonly #steppedMs = new Map<Tick, number>();
  /**
   * By tick: when its message came to the page, ms since 1970. Messages that came together share
   * one time.
   */
  readonly #pageMs = new Map<Tick, number>();
  /** By tick: the slack of the page's newest command, ms. */
  readonly #slackMs = new Map<Tick, number>();
  readonly #originMs: number;
  readonly #ownSeat: number;

  /** @param riders all but the last may be disturbed */
  constructor(trace: JudgedTrace, { riders, line, heads, pageOriginMs }: {
    riders: readonly RiderTimes[];
    line: LineTimes;
    heads: Heads;
    pageOriginMs: number;
  }) {
    this.#riders = riders;
    this.#line = line;
    for (const [tick, atMs] of heads) this.#steppedMs.set(tick, atMs + pageOriginMs);
    this.#originMs = pageOriginMs;
    this.#ownSeat = trace.game.seat;
    this.#rows = trace.log.map((row) =>
      Object.fromEntries(trace.logColumns.map((column, i) => [column, row[i]])) as unknown as LogRow
    );
    const columnOf = (name: string) => trace.columns.indexOf(name);
    const atColumn = columnOf("atMs");
    const tickColumn = columnOf("tick");
    const slackColumn = columnOf("slackMs");
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

  /**
   * Judges the corrections from the time in which a cause was planted.
   * @param fromMs on the page's clock
   */
  judge(where: Place, fromMs: number, toMs = Infinity): Verdict {
    let corrections = 0;
    let planted = 0;
    let given = 0;
    const wrong: string[] = [];

    for (const row of this.#rows) {
      if (row.kind !== "correction" || row.atMs < fromMs || row.atMs >= toMs) continue;
      corrections++;
      const delays = this.#delaysOf(row);
      if (delays === undefined || !isAlone(where, delays)) continue;
      planted++;
      if (row.delayAt === where) given++;
      else wrong.push(`${row.what}: ${row.why}; truly ${wordsOf(delays)}`);
    }

    return {
      corrections,
      planted,
      given,
      wrong,
      isDisturbed: where !== "server" && this.#hasDropped(fromMs - USUAL_TICKS * TICK_MS),
    };
  }

  #delaysOf({ by, since }: LogRow): PlaceDelays | undefined {
    if (by === null || since === null) return undefined;
    if (by === this.#ownSeat) return this.#ownDelays(since);
    const rider = this.#riders.find(({ session }) => session.seat === by);
    return rider === undefined ? undefined : this.#riderDelays(rider, since);
  }

  /** The page sends its command when it first simulates the tick; the rest is the line's delay. */
  #ownDelays(since: Tick): PlaceDelays {
    const start = (tick: Tick) => at(this.#steppedMs, tick) - tick * TICK_MS;
    const slack = (tick: Tick) => at(this.#slackMs, tick);
    const pageMs = start(since) - usual(since, start);
    let leastMs = Infinity;
    for (let tick = since; tick < since + FOR_GOOD_TICKS; tick++) {
      leastMs = Math.min(leastMs, slack(tick) || 0);
    }
    return { "this page": pageMs, "own line": usual(since, slack) - leastMs - pageMs };
  }

  #riderDelays(rider: RiderTimes, since: Tick): PlaceDelays {
    const by = rider.session.seat;
    const announcedBy = (tick: Tick) => this.#observer.announcedBy.get(`${by} ${tick}`) ?? tick;
    const unknown = (tick: Tick) => at(this.#pageMs, announcedBy(tick)) - at(this.#steppedMs, tick);
    const left = (tick: Tick) => at(rider.leftMs, tick) - tick * TICK_MS;
    const start = (tick: Tick) => at(this.#steppedMs, tick) - tick * TICK_MS;
    const passed = (tick: Tick) => at(this.#line.passedMs, tick);
    const announcing = announcedBy(since);
    const down = (tick: Tick) => passed(tick) - this.#ranMs(tick);
    const waited = (tick: Tick) => at(this.#pageMs, tick) - passed(tick);
    const laterMs = Math.max(0, left(since) - usual(since, left));
    const pageMs = waited(announcing) - least(announcing, waited);
    const lineMs = down(announcing) - usual(announcing, down) + usual(since, start) - start(since);
    const isAfterDropped = this.#followsDropped(announcing);
    const withoutPage = (tick: Tick) => unknown(tick) - waited(announcedBy(tick));
    const restMs = withoutPage(since) - usual(since, withoutPage) - laterMs;
    return {
      "their line": laterMs + this.#missing(rider, since) * TICK_MS,
      "this page": pageMs,
      // After dropped ticks, clocks run ahead for a while, which is no line's fault.
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

  /** An undisturbed bot knows when the server ran a tick. */
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

  /**
   * Whether the server's clock fell behind for good within the ticks from which the usual times are
   * computed.
   */
  #followsDropped(tick: Tick): boolean {
    const ran = (tick: Tick) => this.#ranMs(tick) - tick * TICK_MS;
    for (let dropped = tick; dropped > tick - USUAL_TICKS / 2; dropped--) {
      if (!(ran(dropped) - ran(dropped - 1) >= DELAYED_MS_MIN)) continue;
      const after = Array.from({ length: FOR_GOOD_TICKS }, (_, i) => ran(dropped + i)).filter((
        ms,
      ) => !isNaN(ms));
      if (Math.min(...after) - usual(dropped, ran) >= DELAYED_MS_MIN) return true;
    }
    return false;
  }
}

/** Whether this place delayed a command while no other one did, and none made up for it. */
function isAlone(where: Place, delays: PlaceDelays): boolean {
  const others = Object.entries(delays).filter(([place]) => place !== where).map(([, ms]) => ms);
  const leftMs = others.reduce((ms, other) => ms + Math.min(0, other), delays[where] ?? 0);
  return leftMs >= DELAYED_MS_MIN && others.every((ms) => ms < OTHER_MS_MAX);
}

function wordsOf(delays: PlaceDelays): string {
  return Object.entries(delays).map(([place, ms]) => `${place} ${Math.round(ms)}`).join(", ");
}

function at(times: ReadonlyMap<Tick, number>, tick: Tick): number {
  return times.get(tick) ?? NaN;
}

/** A value's median over the ticks before this one. */
function usual(tick: Tick, value: (tick: Tick) => number): number {
  const values = valuesBefore(tick, value);
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** A value's minimum over the ticks before this one. */
function least(tick: Tick, value: (tick: Tick) => number): number {
  return Math.min(...valuesBefore(tick, value));
}

function valuesBefore(tick: Tick, value: (tick: Tick) => number): number[] {
  return Array.from({ length: USUAL_TICKS }, (_, i) => value(tick - 1 - i)).filter((value) =>
    !isNaN(value)
  );
}
