/**
 * A link made worse on purpose, from a seed: for the lab, the bots and a page's test. Ordered and reliable, as a WebSocket is:
 *
 *     arrival = max(arrival of the one before, now + oneWayMs + jitter),   jitter lognormal
 *
 * Nothing here runs by itself: `advance(now)` delivers what is due, so the same code serves virtual and real time.
 */
import { Random } from "../random.ts";
import type { Clock, Link, MessageHandler } from "./link.ts";

export interface LineModel {
  /** The shortest delay in each direction, ms. */
  readonly oneWayMs: number;
  /** Standard deviation and mean of what comes on top, in each direction, ms. */
  readonly jitterMs: number;
}

/** Messages on their way in one direction; more than this and the line is declared dead. About a minute of ticks. */
const IN_FLIGHT_MAX = 4096;

interface InFlight {
  readonly message: Uint8Array;
  readonly dueMs: number;
}

class Direction {
  readonly #model: LineModel;
  readonly #random: Random;
  readonly #queue: InFlight[] = [];
  readonly #deliver: (message: Uint8Array) => void;
  #newestDueMs = 0;
  bytes = 0;

  constructor(model: LineModel, random: Random, deliver: (message: Uint8Array) => void) {
    this.#model = model;
    this.#random = random;
    this.#deliver = deliver;
  }

  /** @returns false where the line is full */
  push(message: Uint8Array, nowMs: number): boolean {
    if (this.#queue.length >= IN_FLIGHT_MAX) return false;
    const { oneWayMs, jitterMs } = this.#model;
    this.#newestDueMs = Math.max(this.#newestDueMs, nowMs + oneWayMs + lognormal(this.#random, jitterMs));
    this.#queue.push({ message, dueMs: this.#newestDueMs });
    this.bytes += message.length;
    return true;
  }

  get nextDueMs(): number {
    return this.#queue[0]?.dueMs ?? Infinity;
  }

  deliverUntil(nowMs: number): void {
    while (this.nextDueMs <= nowMs) {
      const { message } = this.#queue.shift()!;
      this.bytes -= message.length;
      this.#deliver(message);
    }
  }

  clear(): void {
    this.#queue.length = 0;
  }
}

/** Wraps another link: both directions pass through the model. A close passes at once. */
export class ModelledLink implements Link {
  readonly ordered = true;
  readonly #inner: Link;
  readonly #clock: Clock;
  readonly #up: Direction;
  readonly #down: Direction;
  #onMessage: MessageHandler = () => {};

  constructor(inner: Link, options: { model: LineModel; seed: number; clock: Clock }) {
    this.#inner = inner;
    this.#clock = options.clock;
    const random = new Random(options.seed);
    this.#up = new Direction(options.model, random, (message) => inner.send(message));
    this.#down = new Direction(options.model, random, (message) => this.#onMessage(message, true));
    inner.onMessage((message) => this.#push(this.#down, message));
  }

  send(message: Uint8Array): void {
    this.#push(this.#up, message.slice());
  }

  sendReliably(message: Uint8Array): void {
    this.send(message);
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
    return this.#inner.bufferedBytes + this.#up.bytes;
  }

  /** When `advance` has something to deliver; Infinity while nothing is on its way. */
  get nextDueMs(): number {
    return Math.min(this.#up.nextDueMs, this.#down.nextDueMs);
  }

  /** Delivers what is due. */
  advance(nowMs: number): void {
    this.#up.deliverUntil(nowMs);
    this.#down.deliverUntil(nowMs);
  }

  #push(direction: Direction, message: Uint8Array): void {
    if (!direction.push(message, this.#clock.now())) this.close(1011, "the modelled line is full");
  }
}

/** sqrt(ln 2): the sigma of ln X that makes a lognormal mean equal its standard deviation. */
const LOG_SIGMA = 0.8325546111576977;

/** A lognormal value with mean and standard deviation `sd`. */
function lognormal(random: Random, sd: number): number {
  if (sd === 0) return 0;
  // mean = exp(mu + variance/2), so exp(mu) = sd / exp(variance/2) = sd / sqrt(2)
  return sd * Math.SQRT1_2 * portableExp(LOG_SIGMA * normal(random));
}

/** Irwin–Hall: twelve uniform values less six have mean 0 and variance 1, and tails long enough for a line. */
function normal(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.fraction();
  return sum;
}

/** (1 + x/1024)^1024: within 1 % of e^x for |x| < 4, with the same bits everywhere, which Math.exp does not promise. */
function portableExp(x: number): number {
  let power = 1 + x / 1024;
  for (let i = 0; i < 10; i++) power *= power;
  return power;
}
