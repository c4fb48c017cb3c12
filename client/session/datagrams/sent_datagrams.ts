/**
 * Keeps the datagrams with commands that this client sent, and what the server reported about them.
 * It answers two questions: against which one may the next be coded, and how many are lost.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { referenceTicks } from "../../../shared/netcode/wire/uplink/client_datagram.ts";
import type { Arrivals } from "../../../shared/netcode/wire/messages.ts";

/** 3.2 s at 20 Hz. Reports on older ticks come too late to help. */
const KEPT_TICKS = 64;
/**
 * A tick's missing datagrams count as lost when one that is this many ticks newer arrived: 150 ms
 * at 20 Hz, longer than detours last.
 */
const OVERTAKEN_TICKS = 3;
/** A datagram that arrives after one that is this many ticks newer is far overtaken. */
const FAR_OVERTAKEN_TICKS = 6;

interface SentTick {
  /** Sent datagrams, copies included; and how many arrived, as far as reported. */
  sent: number;
  arrived: number;
  isRead: boolean;
  leadMs: number;
}

/** What became of one tick's datagrams. */
export interface DatagramOutcome {
  readonly tick: Tick;
  /** With copies. */
  readonly sent: number;
  /** 0 … `sent`. */
  readonly lost: number;
  /** Whether the server could read the commands in one of them. */
  readonly isRead: boolean;
}

export class SentDatagrams {
  readonly #ticks = new TickRing<SentTick>(
    KEPT_TICKS,
    () => ({ sent: 0, arrived: 0, isRead: false, leadMs: 0 }),
  );
  /** The newest two datagrams' ticks, without copies; −1 for none. */
  #newest: Tick = -1;
  #previous: Tick = -1;
  #newestRead: Tick = -1;
  #newestUnread: Tick = -1;
  #newestArrived: Tick = -1;
  #nextOutcome: Tick = 0;
  #farOvertaken = 0;
  /** Earlier ticks may have got two different commands, so datagrams are not coded against them. */
  #oldestUsable: Tick = 0;

  /** Begins anew on another path, on which the server has not received anything. */
  reset(): void {
    this.#ticks.clear();
    this.#newest =
      this.#previous =
      this.#newestRead =
      this.#newestUnread =
      this.#newestArrived =
        -1;
    this.#nextOutcome = this.#oldestUsable = this.#farOvertaken = 0;
  }

  /** Call it when the clock jumped back, so that sent ticks get other commands. */
  rewind(): void {
    this.#oldestUsable = this.#newest + 1;
    this.#previous = this.#newestRead = -1;
  }

  /** Records a sent datagram. @param leadMs the lead that it reports */
  record(tick: Tick, leadMs: number): void {
    if (tick > this.#newest) {
      this.#previous = this.#newest >= this.#oldestUsable ? this.#newest : -1;
      this.#newest = tick;
    }
    const known = this.#ticks.get(tick);
    if (known !== undefined) known.sent++;
    else Object.assign(this.#ticks.claim(tick), { sent: 1, arrived: 0, isRead: false, leadMs });
  }

  /**
   * Takes the server's report on what arrived. Reports may come in any order.
   * @returns the lead that the newest arrived datagram reported, ms; undefined if an earlier report
   *   already covered it
   */
  merge({ newest, counts, areRead }: Arrivals): number | undefined {
    const isNew = newest > this.#newestArrived;
    this.#newestArrived = Math.max(this.#newestArrived, Math.min(newest, this.#newest));

    for (let age = 0; age < counts.length && age <= newest; age++) {
      const tick = newest - age;
      const entry = this.#ticks.get(tick);
      if (entry === undefined) continue;
      const more = Math.max(0, counts[age]! - entry.arrived);
      if (age >= FAR_OVERTAKEN_TICKS && tick < this.#nextOutcome) this.#farOvertaken += more;
      entry.arrived += more;
      entry.isRead ||= areRead[age]!;
      if (!entry.isRead && entry.arrived > 0) {
        this.#newestUnread = Math.max(this.#newestUnread, tick);
      }
      if (entry.isRead && tick >= this.#oldestUsable) {
        this.#newestRead = Math.max(this.#newestRead, tick);
      }
    }

    return isNew ? this.#ticks.get(newest)?.leadMs : undefined;
  }

  /** Counts the datagrams that were far overtaken since the last call. */
  takeOvertaken(): number {
    const overtaken = this.#farOvertaken;
    this.#farOvertaken = 0;
    return overtaken;
  }

  /** Gives each tick's outcome once, when it is known. Ticks without a datagram are left out. */
  takeOutcomes(take: (outcome: DatagramOutcome) => void): void {
    const last = this.#newestArrived - OVERTAKEN_TICKS;
    for (let tick = Math.max(this.#nextOutcome, last - KEPT_TICKS + 1, 0); tick <= last; tick++) {
      const entry = this.#ticks.get(tick);
      if (entry !== undefined) {
        take({
          tick,
          sent: entry.sent,
          lost: Math.max(0, entry.sent - entry.arrived),
          isRead: entry.isRead,
        });
      }
    }
    this.#nextOutcome = Math.max(this.#nextOutcome, last + 1);
  }

  /** The newest tick with commands that the server read; −1 for none. */
  get newestRead(): Tick {
    return this.#newestRead;
  }

  /**
   * The newest tick that the server will have read when the next datagram arrives, if nothing is
   * lost: the one before the newest datagram. A newest one that could not be read breaks the chain.
   * −1 for none.
   */
  get newestLikelyRead(): Tick {
    return this.#newestUnread > this.#newestRead
      ? this.#newestRead
      : Math.max(this.#newestRead, this.#previous);
  }

  /**
   * Finds the datagram that one for `tick` may be coded against: its tick and lead; undefined if
   * none arrived.
   */
  referenceFor(tick: Tick): { readonly tick: Tick; readonly leadMs: number } | undefined {
    for (const reference of referenceTicks(tick)) {
      const entry = reference < this.#oldestUsable ? undefined : this.#ticks.get(reference);
      if (entry !== undefined && entry.arrived > 0) {
        return { tick: reference, leadMs: entry.leadMs };
      }
    }
    return undefined;
  }
}
