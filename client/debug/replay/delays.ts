/**
 * Finds out why a command was not known in time. The page did not know it from when it first
 * simulated the command's tick c until tick m's message announced it:
 *
 *     unknown = arrived(m) − simulated(c) = offset(m) − start(c) − 50 ms · margin
 *
 *     margin    = c − m                      how early the server had the command: their connection or device
 *     offset(m) = arrived(m) − 50 ms · m     how late the server's tick came: the server, this page's connection, this page
 *     start(c)  = simulated(c) − 50 ms · c   how early this page simulated the tick: its lead
 *
 * Each part is compared with its usual value, and the time was lost in the part with the largest
 * excess. If the total shows no excess, the distance is the cause, because over this round trip a
 * rival's command cannot be known in time. A page that is always busy shows no excess either, but
 * that does not count as distance.
 */
import { type SeatId, SEATS, type Tick } from "../../../shared/netcode/game.ts";
import type { FlightEntry, FlightTick } from "../../presentation/flight_recording.ts";

/** A smaller excess is ordinary jitter: a tick and a little more, ms. */
const EXCESS_MS_MIN = 60;
/** A page that sends a command this much later than usual was busy, ms (SPEC 5.30). */
const SENT_LATE_MS_MIN = 25;
/** How many ticks before the one in question say what is usual: five seconds. */
const USUAL_TICKS = 100;
/** The share of arrivals, the quickest ones, that found the page idle. */
const QUICK_SHARE = 0.1;
/**
 * For how many ticks to keep arrivals and commands: the usual ones, the deepest rollback, and those
 * ahead.
 */
const KEPT_TICKS = 256;
/**
 * After this time a reason is final, ms, because ticks that the server dropped never arrive, and
 * late ones do.
 */
export const FINAL_AFTER_MS = 600;
/** How many later ticks show whether the offset rose for good. */
const FINAL_TICKS = 12;
/**
 * An offset that rose for good by this much shows dropped ticks, ms, because a longer path rarely
 * adds as much.
 */
const DROPPED_MS_MIN = 100;
/**
 * How long after dropped ticks the ticks before them still say what is usual; then the ticks after
 * them do.
 */
const DROPPED_TICKS = USUAL_TICKS;
/** The most ticks in a row without a command to count. */
const MISSING_TICKS_MAX = 40;

export interface Delay {
  readonly where: "this page" | "server" | "own line" | "their line" | "distance";
  /** How much later than usual; for the distance, how long after the tick was first simulated. */
  readonly ms: number;
}

/** A command that was not known in time. */
export interface LateCommand {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly isOwn: boolean;
  /** When its correction happened, on the page's clock. */
  readonly atMs: number;
}

/** Numbers by tick, for the newest `KEPT_TICKS`; NaN for a tick without one. */
class TickNumbers {
  readonly #ticks = new Int32Array(KEPT_TICKS).fill(-1);
  readonly #numbers = new Float64Array(KEPT_TICKS);

  set(tick: Tick, number: number): void {
    this.#ticks[tick % KEPT_TICKS] = tick;
    this.#numbers[tick % KEPT_TICKS] = number;
  }

  at(tick: Tick): number {
    return tick >= 0 && this.#ticks[tick % KEPT_TICKS] === tick
      ? this.#numbers[tick % KEPT_TICKS]!
      : NaN;
  }

  /**
   * Finds the quantile among the `USUAL_TICKS` before a tick, from `since` on; NaN if there are
   * none.
   */
  quantileBefore(tick: Tick, share: number, since: Tick = 0): number {
    const numbers: number[] = [];
    for (let before = Math.max(since, tick - USUAL_TICKS); before < tick; before++) {
      const number = this.at(before);
      if (!isNaN(number)) numbers.push(number);
    }
    return numbers.sort((a, b) => a - b)[Math.floor(share * numbers.length)] ?? NaN;
  }
}

/** What was usual before a tick, in ms, and in ticks by seat; NaN where unknown. */
interface Usual {
  readonly offset: number;
  readonly start: number;
  readonly margins: readonly number[];
}

export class Delays {
  readonly #tickMs: number;
  readonly #offsets = new TickNumbers();
  readonly #starts = new TickNumbers();
  readonly #slacks = new TickNumbers();
  /** How long a message may have waited for this page. */
  readonly #lags = new TickNumbers();
  /** How early the own command was sent: its negated lead. */
  readonly #sent = new TickNumbers();
  /** By seat, for a command's tick. */
  readonly #margins = Array.from({ length: SEATS }, () => new TickNumbers());
  /** The first message's tick; commands up to there are unknown. */
  #since: Tick | undefined;
  #newest: Tick = -1;
  /**
   * The newest tick that followed dropped ones, and what was usual before; undefined once all is as
   * before.
   */
  #dropped: { readonly tick: Tick; readonly usual: Usual } | undefined;

  constructor(tickHz: number) {
    this.#tickMs = 1000 / tickHz;
  }

  addEntry({ ticks, commands }: Pick<FlightEntry, "ticks" | "commands">): void {
    for (const tick of ticks) this.#addTick(tick);
    for (const { tick, atMs } of commands) this.#sent.set(tick, atMs - tick * this.#tickMs);
  }

  /** Registers that the page simulated a tick for the first time, in the newest entry. */
  addFirstStep(tick: Tick, atMs: number): void {
    this.#starts.set(tick, atMs - tick * this.#tickMs);
  }

  /** Whether the server received the seat's command before it ran the tick. */
  isAnnounced(tick: Tick, seat: SeatId): boolean {
    return !isNaN(this.#margins[seat]!.at(tick));
  }

  /** Explains a late command. Call it `FINAL_AFTER_MS` after the correction. */
  explain(late: LateCommand): Delay {
    return late.isOwn ? this.#explainOwn(late) : this.#explainOther(late);
  }

  /** Explains an own command: the page sent it late, or the connection took longer. */
  #explainOwn({ tick }: LateCommand): Delay {
    const pageMs = this.#sentLateMs(tick);
    let lateMs = 0;
    for (let at = tick; at <= Math.min(this.#newest, tick + FINAL_TICKS); at++) {
      lateMs = Math.max(lateMs, -this.#slacks.at(at) || 0);
    }
    const lineMs = lateMs + (this.#slacks.quantileBefore(tick, 0.5) || 0) - pageMs;
    if (pageMs >= SENT_LATE_MS_MIN && pageMs >= lineMs) return { where: "this page", ms: pageMs };
    return { where: "own line", ms: lateMs };
  }

  /**
   * Computes how much later than usual the page sent a command. A page leaves out commands that
   * would come too late.
   */
  #sentLateMs(tick: Tick): number {
    const isLeftOut = (tick: Tick) => isNaN(this.#sent.at(tick));
    let first = tick;
    let sent = tick;
    while (isLeftOut(first - 1) && first > tick - MISSING_TICKS_MAX) first--;
    while (isLeftOut(sent) && sent < tick + MISSING_TICKS_MAX) sent++;
    return this.#sent.at(sent) + (sent - first) * this.#tickMs -
        this.#sent.quantileBefore(first, 0.5) || 0;
  }

  #explainOther({ seat, tick, atMs }: LateCommand): Delay {
    const margin = this.#margins[seat]!.at(tick) || 0;
    const announcing = tick - margin;

    // What is unusual on their connection, on the way down, and in how far this page runs ahead
    const offset = this.#offsets.at(announcing);
    const start = this.#starts.at(tick);
    const dropped = this.#droppedBefore(announcing);
    const usual = dropped?.usual ?? this.#usualBefore(announcing);
    const theirMs = this.#missingMs(tick, seat) +
      (usual.margins[seat]! - margin || 0) * this.#tickMs;
    const downMs = offset - usual.offset || 0;
    const aheadMs = usual.start - start || 0;
    const lineMs = downMs + aheadMs;

    // On average a message waited half of `lagMs` for a busy page. The connection is charged only
    // with what remains if it waited for all.
    const heldMs = offset - this.#offsets.quantileBefore(announcing, QUICK_SHARE, dropped?.tick) ||
      0;
    const lagMs = this.#lags.at(announcing) || 0;
    const pageMs = Math.min(heldMs, lagMs);

    // A page that is always busy runs ahead because of that, and messages never find it idle.
    const isAlwaysBusy = (this.#lags.quantileBefore(announcing, 0.5) || 0) >= EXCESS_MS_MIN;
    const restMs = heldMs - pageMs + (isAlwaysBusy ? Math.min(0, aheadMs) : Math.max(0, aheadMs));
    if (pageMs >= EXCESS_MS_MIN && pageMs >= theirMs && pageMs / 2 >= restMs) {
      return { where: "this page", ms: pageMs };
    }

    if (dropped !== undefined && lineMs < EXCESS_MS_MIN) this.#dropped = undefined;
    if (theirMs >= this.#tickMs && theirMs >= lineMs) return { where: "their line", ms: theirMs };

    // The server may have received the command as much earlier as this page received it later.
    const ms = lineMs + Math.min(0, theirMs);
    if (ms >= EXCESS_MS_MIN) return { where: dropped === undefined ? "own line" : "server", ms };

    // On average a message waited for half the lag. One that came sooner by a quarter of it waited
    // too little.
    if (isAlwaysBusy && downMs >= -lagMs / 4 && lagMs / 2 >= this.#tickMs) {
      return { where: "this page", ms: lagMs };
    }
    return { where: "distance", ms: Math.max(0, atMs - start - tick * this.#tickMs) };
  }

  #usualBefore(tick: Tick): Usual {
    return {
      offset: this.#offsets.quantileBefore(tick, 0.5),
      start: this.#starts.quantileBefore(tick, 0.5),
      margins: this.#margins.map((margins) => margins.quantileBefore(tick, 0.5)),
    };
  }

  /** Computes how long the server lacked commands from this seat before this one, ms. */
  #missingMs(tick: Tick, seat: SeatId): number {
    const first = Math.max((this.#since ?? tick) + 1, tick - MISSING_TICKS_MAX);
    let missing = 0;
    while (tick - 1 - missing >= first && !this.isAnnounced(tick - 1 - missing, seat)) missing++;
    return missing * this.#tickMs;
  }

  /** Returns the dropped ticks before this one, while their effect lasts. */
  #droppedBefore(tick: Tick) {
    const dropped = this.#dropped;
    return dropped !== undefined && tick >= dropped.tick && tick < dropped.tick + DROPPED_TICKS
      ? dropped
      : undefined;
  }

  /** Whether the server dropped the ticks before this one, because the offset rose for good. */
  #followsDropped(tick: Tick): boolean {
    if (!(this.#offsets.at(tick) - this.#offsets.at(tick - 1) >= DROPPED_MS_MIN)) return false;
    let soonest = Infinity;
    for (let after = tick; after < tick + FINAL_TICKS; after++) {
      // A message that came while the page was busy may have waited as long.
      soonest = Math.min(soonest, this.#offsets.at(after) - this.#lags.at(after) || Infinity);
    }
    return soonest - this.#offsets.quantileBefore(tick, 0.5, this.#droppedBefore(tick)?.tick) >=
      DROPPED_MS_MIN;
  }

  #addTick({ tick, atMs, lagMs, slackMs, announcements }: FlightTick): void {
    this.#since ??= tick;
    this.#newest = tick;
    this.#offsets.set(tick, atMs - tick * this.#tickMs);
    this.#slacks.set(tick, slackMs);
    this.#lags.set(tick, lagMs);
    for (const { tick: of, seat } of announcements) this.#margins[seat]!.set(of, of - tick);
    const judged = tick - FINAL_TICKS + 1;
    if (!this.#followsDropped(judged)) return;
    this.#dropped = {
      tick: judged,
      usual: this.#droppedBefore(judged)?.usual ?? this.#usualBefore(judged),
    };
  }
}
