/**
 * The end of a connection nearest to the server, where faults begin: it holds messages back; it
 * loses, repeats and reorders datagrams; and it lets a server die so that clients still get what it
 * had sent.
 */
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";
import type { Random } from "../../../shared/random.ts";
import type { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";

interface HeldMessage {
  readonly message: Uint8Array;
  readonly reliably: boolean;
  readonly dueMs: number;
}

/** The shares of datagrams that suffer during a period of time. */
export interface Disorder {
  readonly untilMs: number;
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
}

const NO_DISORDER: Disorder = { untilMs: 0, lost: 0, repeated: 0, late: 0 };
/** How late a datagram may be that others overtake, ms. */
const LATE_MS_MAX = 250;
/** How soon a reliable link sends a lost segment again, ms. */
const RESENT_MS = 200;

/** One direction of the connection. */
class Direction {
  readonly #random: Random;
  readonly #deliver: MessageHandler;
  #held: HeldMessage[] = [];
  /** Until then nothing passes: reliable messages wait, and datagrams are lost. */
  heldUntilMs = 0;
  disorder = NO_DISORDER;

  constructor(random: Random, deliver: MessageHandler) {
    this.#random = random;
    this.#deliver = deliver;
  }

  push(message: Uint8Array, { reliably, nowMs }: { reliably: boolean; nowMs: number }): void {
    const { lost, repeated, late, untilMs } = this.disorder;
    const isDisordered = nowMs < untilMs;

    if (reliably) {
      if (isDisordered && this.#random.chance(lost)) {
        this.heldUntilMs = Math.max(this.heldUntilMs, nowMs + RESENT_MS);
      }
      if (nowMs < this.heldUntilMs || this.#held.some((held) => held.reliably)) {
        return this.#hold({ message, reliably, dueMs: this.heldUntilMs });
      }
      return this.#deliver(message, true);
    }

    if (nowMs < this.heldUntilMs || (isDisordered && this.#random.chance(lost))) return;
    if (!isDisordered) return this.#deliver(message, false);
    if (this.#random.chance(repeated)) {
      this.#hold({ message, reliably, dueMs: nowMs + this.#lateMs() });
    }
    if (this.#random.chance(late)) this.#hold({ message, reliably, dueMs: nowMs + this.#lateMs() });
    else this.#deliver(message, false);
  }

  /** Delivers what is due. A reliable message is due when the connection is free again. */
  release(nowMs: number): void {
    if (this.#held.length === 0) return;
    const isDue = ({ reliably, dueMs }: HeldMessage) =>
      nowMs >= (reliably ? this.heldUntilMs : dueMs);
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !isDue(held));
    for (const { message, reliably } of due) this.#deliver(message, reliably);
  }

  clear(): void {
    this.#held = [];
  }

  #hold({ message, ...rest }: HeldMessage): void {
    this.#held.push({ message: message.slice(), ...rest });
  }

  #lateMs(): number {
    return 1 + this.#random.below(LATE_MS_MAX);
  }
}

export class HuntedLink implements Link {
  readonly ordered: boolean;
  readonly #inner: LocalLink;
  readonly #now: () => number;
  readonly #up: Direction;
  readonly #down: Direction;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};
  #isOver = false;
  /**
   * When the client's system notices that the other end is gone, ms; Infinity if it never does.
   * Undefined while the connection carries anything.
   */
  deadAtMs: number | undefined;
  /** Since when the connection carries nothing and neither end is told, ms; undefined otherwise. */
  forgottenSinceMs: number | undefined;

  /**
   * @param options.onSent called when the server has sent a message
   * @param options.onArrived called when a message reaches the server's socket, where it may wait
   */
  constructor(
    inner: LocalLink,
    { now, random, onSent, onArrived }: {
      now: () => number;
      random: Random;
      onSent: () => void;
      onArrived: MessageHandler;
    },
  ) {
    this.ordered = inner.ordered;
    this.#inner = inner;
    this.#now = now;
    this.#up = new Direction(random, (message, reliably) => {
      if (this.deadAtMs !== undefined) return;
      onArrived(message, reliably);
      if (reliably) inner.sendReliably(message);
      else inner.send(message);
    });
    this.#down = new Direction(random, (message, reliably) => this.#onMessage(message, reliably));
    inner.onMessage((message, reliably) => {
      if (this.deadAtMs !== undefined) return;
      this.#down.push(message, { reliably, nowMs: now() });
      onSent();
    });
    inner.onClose((code, reason) => {
      if (this.deadAtMs === undefined) this.#end(code, reason);
    });
  }

  /** Lets nothing pass for this long, ms. */
  hold({ upMs = 0, downMs = 0 }: { upMs?: number; downMs?: number }): void {
    this.#up.heldUntilMs = Math.max(this.#up.heldUntilMs, this.#now() + upMs);
    this.#down.heldUntilMs = Math.max(this.#down.heldUntilMs, this.#now() + downMs);
  }

  disorder(disorder: Partial<Disorder>): void {
    this.#up.disorder = this.#down.disorder = { ...NO_DISORDER, ...disorder };
  }

  /**
   * Makes the connection carry nothing from now on, and tell its ends nothing, not even when one of
   * them closes.
   */
  forget(): void {
    this.deadAtMs ??= Infinity;
    this.forgottenSinceMs ??= this.#now();
    this.#up.clear();
    this.#down.clear();
  }

  /**
   * Lets the server die. What it has sent is still under way.
   * @param atMs when the client's system notices
   */
  serverDies(atMs: number): void {
    this.deadAtMs ??= atMs;
  }

  /** Delivers what was held back, and ends the link to a dead server when that is due. */
  poll(nowMs: number): void {
    this.#up.release(nowMs);
    this.#down.release(nowMs);
    if (this.deadAtMs !== undefined && nowMs >= this.deadAtMs) {
      this.#end(1006, "the server is gone");
    }
  }

  send(message: Uint8Array): void {
    this.#up.push(message, { reliably: this.ordered, nowMs: this.#now() });
  }

  sendReliably(message: Uint8Array): void {
    this.#up.push(message, { reliably: true, nowMs: this.#now() });
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number, reason: string): void {
    if (this.deadAtMs === undefined) this.#inner.close(code, reason);
    else this.#end(code, reason);
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#up.clear();
    this.#down.clear();
    this.#onClose(code, reason);
  }
}
