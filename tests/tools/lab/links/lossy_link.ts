/**
 * A datagram link with impairments from a seed: datagrams are lost in bursts, duplicated and
 * reordered. The reliable channel beside them keeps order and stalls instead, as TCP does.
 *
 *     arrival of a datagram         = now + oneWayMs + jitter               independent: a later one may arrive earlier
 *     arrival of a reliable message = max(arrival of the previous one, now + oneWayMs + jitter + resends)
 */
import type { Clock, Link, MessageHandler } from "../../../../shared/netcode/link.ts";
import { Random } from "../../../../shared/random.ts";

export interface LossyModel {
  /** The shortest delay in each direction, ms. */
  readonly oneWayMs: number;
  /** The largest extra delay, ms, uniformly distributed. */
  readonly jitterMs: number;
  /**
   * Share of lost datagrams, in bursts of three on average (Gilbert–Elliott); share of reliable
   * messages that stall.
   */
  readonly loss: number;
  /** Shares of datagrams that arrive twice, and that arrive 60 ms later. */
  readonly duplicated: number;
  readonly delayed: number;
}

/** Counts of one direction's messages and their impairments. */
export interface LossyCounts {
  datagrams: number;
  lost: number;
  duplicated: number;
  /** Datagrams that arrived after one that was sent later. */
  reordered: number;
  /** Reliable messages, and how many of them arrived after a datagram that was sent later. */
  streamed: number;
  streamedReordered: number;
  bytes: number;
  longestDatagram: number;
}

interface InFlight {
  readonly message: Uint8Array;
  readonly dueMs: number;
  readonly number: number;
  readonly reliably: boolean;
}

const BURST_MEAN = 3;
const EXTRA_DELAY_MS = 60;
/** A lost segment is resent after this many round trips, but not before `RESEND_MS_MIN`. */
const RESEND_ROUND_TRIPS = 1.25;
const RESEND_MS_MIN = 50;

class Direction {
  readonly #model: LossyModel;
  readonly #random: Random;
  readonly #deliver: MessageHandler;
  #queue: InFlight[] = [];
  #sent = 0;
  #newestDatagram = -1;
  #streamDueMs = 0;
  #inBurst = false;
  /** Until then nothing passes: datagrams are lost, and reliable messages wait. */
  cutUntilMs = -Infinity;
  /** Receives each lost datagram. */
  onLost: (message: Uint8Array) => void = () => {};
  readonly counts: LossyCounts = {
    datagrams: 0,
    lost: 0,
    duplicated: 0,
    reordered: 0,
    streamed: 0,
    streamedReordered: 0,
    bytes: 0,
    longestDatagram: 0,
  };

  constructor(model: LossyModel, random: Random, deliver: MessageHandler) {
    this.#model = model;
    this.#random = random;
    this.#deliver = deliver;
  }

  push(message: Uint8Array, { reliably, nowMs }: { reliably: boolean; nowMs: number }): void {
    const number = this.#sent++;
    this.counts.bytes += message.length;
    if (reliably) return this.#stream({ message, number }, nowMs);
    this.counts.datagrams++;
    this.counts.longestDatagram = Math.max(this.counts.longestDatagram, message.length);
    if (this.#isLost() || nowMs < this.cutUntilMs) {
      this.counts.lost++;
      return this.onLost(message);
    }
    this.#enqueue({ message, number, reliably, dueMs: nowMs + this.#delayMs() });
    if (!this.#random.chance(this.#model.duplicated)) return;
    this.counts.duplicated++;
    this.#enqueue({ message: message.slice(), number, reliably, dueMs: nowMs + this.#delayMs() });
  }

  get nextDueMs(): number {
    return this.#queue[0]?.dueMs ?? Infinity;
  }

  deliverUntil(nowMs: number): void {
    while (this.nextDueMs <= nowMs) {
      const { message, number, reliably } = this.#queue.shift()!;
      if (reliably && number < this.#newestDatagram) this.counts.streamedReordered++;
      if (!reliably && number < this.#newestDatagram) this.counts.reordered++;
      if (!reliably) this.#newestDatagram = Math.max(this.#newestDatagram, number);
      this.#deliver(message, reliably);
    }
  }

  clear(): void {
    this.#queue.length = 0;
  }

  #stream({ message, number }: { message: Uint8Array; number: number }, nowMs: number): void {
    const { oneWayMs, loss } = this.#model;
    this.counts.streamed++;
    let dueMs = Math.max(nowMs, this.cutUntilMs) + this.#delayMs();
    while (this.#random.chance(loss)) {
      dueMs += Math.max(RESEND_MS_MIN, 2 * oneWayMs * RESEND_ROUND_TRIPS);
    }
    this.#streamDueMs = Math.max(this.#streamDueMs, dueMs);
    this.#enqueue({ message, number, reliably: true, dueMs: this.#streamDueMs });
  }

  /** Keeps the queue in order of arrival; equal arrivals stay in order of sending. */
  #enqueue(message: InFlight): void {
    const at = this.#queue.findIndex(({ dueMs }) => dueMs > message.dueMs);
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, message);
  }

  #delayMs(): number {
    const { oneWayMs, jitterMs, delayed } = this.#model;
    return oneWayMs + this.#random.fraction() * jitterMs +
      (this.#random.chance(delayed) ? EXTRA_DELAY_MS : 0);
  }

  #isLost(): boolean {
    const { loss } = this.#model;
    const ends = 1 / BURST_MEAN;
    const begins = ends * loss / (1 - loss);
    this.#inBurst = this.#random.chance(this.#inBurst ? 1 - ends : begins);
    return this.#inBurst;
  }
}

/**
 * Wraps the client's end of a datagram link. Both directions pass through the model, except that a
 * close passes at once.
 */
export class LossyLink implements Link {
  readonly ordered = false;
  readonly #inner: Link;
  readonly #clock: Clock;
  readonly #up: Direction;
  readonly #down: Direction;
  #onMessage: MessageHandler = () => {};

  constructor(
    inner: Link,
    { model, seed, clock }: { model: LossyModel; seed: number; clock: Clock },
  ) {
    this.#inner = inner;
    this.#clock = clock;
    const random = new Random(seed);
    this.#up = new Direction(model, random, (message, reliably) => {
      if (reliably) inner.sendReliably(message);
      else inner.send(message);
    });
    this.#down = new Direction(
      model,
      random,
      (message, reliably) => this.#onMessage(message, reliably),
    );
    inner.onMessage((message, reliably) =>
      this.#down.push(message, { reliably, nowMs: clock.now() })
    );
  }

  get counts(): { readonly up: LossyCounts; readonly down: LossyCounts } {
    return { up: this.#up.counts, down: this.#down.counts };
  }

  /** Sets the handler for datagrams that are lost on their way to the client. */
  onLostDown(handler: (message: Uint8Array) => void): void {
    this.#down.onLost = handler;
  }

  /** Lets nothing pass for this long, ms: datagrams are lost, and reliable messages wait. */
  cut({ up = 0, down = 0 }: { up?: number; down?: number }): void {
    this.#up.cutUntilMs = this.#clock.now() + up;
    this.#down.cutUntilMs = this.#clock.now() + down;
  }

  send(message: Uint8Array): void {
    this.#up.push(message.slice(), { reliably: false, nowMs: this.#clock.now() });
  }

  sendReliably(message: Uint8Array): void {
    this.#up.push(message.slice(), { reliably: true, nowMs: this.#clock.now() });
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose((code, reason) => {
      this.#up.clear();
      this.#down.clear();
      handler(code, reason);
    });
  }

  close(code: number, reason: string): void {
    this.#inner.close(code, reason);
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  get nextDueMs(): number {
    return Math.min(this.#up.nextDueMs, this.#down.nextDueMs);
  }

  advance(nowMs: number): void {
    this.#up.deliverUntil(nowMs);
    this.#down.deliverUntil(nowMs);
  }
}
