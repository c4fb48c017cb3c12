/**
 * A link over a simulated network, for the lab, the bots and the page's tests. It wraps a reliable
 * link or a datagram link. Both directions pass through the network model; the reliable channel
 * beside datagrams, or beside a datagram path, behaves as TCP.
 *
 * No timer runs here: `advance(now)` delivers the messages that are due, so the same code serves
 * virtual and real time.
 */
import { type NetworkDirection, type NetworkModel, openNetwork } from "./network_model.ts";
import type { ClientLink, ClientPath, Clock, MessageHandler } from "../link.ts";
import { MessageCopies } from "./message_copies.ts";

/**
 * The most messages in transit in one direction, about three minutes of ticks. Beyond it the link
 * closes.
 */
const IN_FLIGHT_MAX = 4096;

interface InFlight {
  readonly message: Uint8Array;
  readonly dueMs: number;
  readonly isReliable: boolean;
}

/** One message on its way, for those who draw it. */
export interface Sending {
  readonly isUp: boolean;
  readonly sentMs: number;
  /** When it arrives, ms on the clock; Infinity if it is lost. */
  readonly dueMs: number;
  readonly bytes: number;
}

interface DirectionOptions {
  readonly network: NetworkDirection;
  /** When the network started, ms on the clock. */
  readonly beganMs: number;
  readonly copies: MessageCopies;
  readonly deliver: MessageHandler;
  readonly onSending: (sending: Omit<Sending, "isUp">) => void;
}

class Direction {
  readonly #options: DirectionOptions;
  /** In order of arrival. */
  readonly #queue: InFlight[] = [];

  constructor(options: DirectionOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#queue.length >= IN_FLIGHT_MAX;
  }

  pushReliably(message: Uint8Array, nowMs: number): void {
    const { network, beganMs } = this.#options;
    const atMs = network.reliable.send(nowMs - beganMs);
    this.#enqueue(message, { nowMs, atMs, isReliable: true });
  }

  pushDatagram(message: Uint8Array, nowMs: number): void {
    const { network: { datagrams }, beganMs } = this.#options;
    const sinceMs = nowMs - beganMs;
    const atMs = datagrams.send(sinceMs);
    if (atMs === Infinity) {
      return this.#options.onSending({ sentMs: nowMs, dueMs: Infinity, bytes: message.length });
    }
    this.#enqueue(message, { nowMs, atMs, isReliable: false });
    const againMs = datagrams.repeat(sinceMs);
    // The receiver may keep and change each copy.
    if (againMs === Infinity) return;
    const copy = this.#options.copies.of(message);
    this.#enqueue(copy, { nowMs, atMs: againMs, isReliable: false });
  }

  get nextDueMs(): number {
    return this.#queue.length === 0 ? Infinity : this.#queue[0]!.dueMs;
  }

  deliverUntil(nowMs: number): void {
    while (this.nextDueMs <= nowMs) {
      const { message, isReliable } = this.#queue.shift()!;
      this.#options.deliver(message, isReliable);
    }
  }

  clear(): void {
    this.#queue.length = 0;
  }

  /** Inserts by arrival, from the end, because nearly all messages belong there or close to it. */
  #enqueue(
    message: Uint8Array,
    { nowMs, atMs, isReliable }: { nowMs: number; atMs: number; isReliable: boolean },
  ): void {
    const dueMs = this.#options.beganMs + atMs;
    this.#options.onSending({ sentMs: nowMs, dueMs, bytes: message.length });
    let index = this.#queue.length;
    while (index > 0 && this.#queue[index - 1]!.dueMs > dueMs) index--;
    const inFlight = { message, dueMs, isReliable };
    if (index === this.#queue.length) this.#queue.push(inFlight);
    else this.#queue.splice(index, 0, inFlight);
  }
}

/** Wraps another link and sends both directions through the model. A close takes effect at once. */
export class SimulatedLink implements ClientLink {
  readonly #inner: ClientLink;
  readonly #clock: Clock;
  readonly #up: Direction;
  readonly #down: Direction;
  readonly #copies = new MessageCopies();
  readonly path: ClientPath | undefined;
  #onMessage: MessageHandler = () => {};

  /**
   * Starts the network now, on `clock`.
   * @param options.onSending hears of each message as it is sent
   */
  constructor(
    inner: ClientLink,
    options: {
      model: NetworkModel;
      seed: number;
      clock: Clock;
      onSending?: (sending: Sending) => void;
    },
  ) {
    const { model, seed, clock, onSending = () => {} } = options;
    this.#inner = inner;
    this.#clock = clock;
    const { up, down } = openNetwork(model, seed);
    const shared = { beganMs: clock.now(), copies: this.#copies };
    this.#up = new Direction({
      ...shared,
      network: up,
      onSending: (sending) => onSending({ ...sending, isUp: true }),
      deliver(message, reliably) {
        if (reliably) inner.sendReliably(message);
        else (inner.path ?? inner).send(message);
      },
    });
    this.#down = new Direction({
      ...shared,
      network: down,
      onSending: (sending) => onSending({ ...sending, isUp: false }),
      deliver: (message, reliably) => this.#onMessage(message, reliably),
    });
    inner.onMessage((message, reliably) => this.#push(this.#down, message, reliably));
    const send = (message: Uint8Array) => this.#push(this.#up, this.#copies.of(message), false);
    this.path = inner.path && { ...inner.path, send };
  }

  get ordered(): boolean {
    return this.#inner.ordered;
  }

  send(message: Uint8Array): void {
    this.#push(this.#up, this.#copies.of(message), this.ordered);
  }

  sendReliably(message: Uint8Array): void {
    this.#push(this.#up, this.#copies.of(message), true);
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

  get stage(): ClientLink["stage"] {
    return this.#inner.stage;
  }

  /**
   * When `advance` will next deliver a message, ms on the clock; Infinity while none is in transit.
   */
  get nextDueMs(): number {
    return Math.min(this.#up.nextDueMs, this.#down.nextDueMs);
  }

  /** Delivers the messages that are due. */
  advance(nowMs: number): void {
    this.#up.deliverUntil(nowMs);
    this.#down.deliverUntil(nowMs);
  }

  #push(direction: Direction, message: Uint8Array, reliably: boolean): void {
    if (direction.isFull) return this.close(1011, "the modelled line is full");
    const nowMs = this.#clock.now();
    if (reliably) direction.pushReliably(message, nowMs);
    else direction.pushDatagram(message, nowMs);
  }
}
