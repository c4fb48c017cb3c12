/** Answers pings with the server's clock, in ticks. */
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { PiggybackedPong } from "../../../shared/netcode/wire/messages.ts";
import { encodePong } from "../../../shared/netcode/wire/server_messages.ts";

/** A piggybacked ping, which waits for the next tick message. */
export interface PendingPing {
  readonly id: number;
  /** When it arrived, on the server's clock, ms. */
  readonly atMs: number;
}

/** A match's newest tick, and when it was due, ms. */
interface MatchTiming {
  readonly tick: Tick;
  readonly dueMs: number;
}

/** Answers the pings of one match. */
export class PingResponder {
  readonly #timing: MatchTiming;
  readonly #clock: Clock;
  readonly #ticksPerMs: number;
  readonly #writer = new CodeWriter();

  /** @param timing is read again for each answer */
  constructor(timing: MatchTiming, { clock, tickHz }: { clock: Clock; tickHz: number }) {
    this.#timing = timing;
    this.#clock = clock;
    this.#ticksPerMs = tickHz / 1000;
  }

  /**
   * Answers a ping that was a message of its own.
   * @returns the message, valid until the next call
   */
  pong(id: number): Uint8Array {
    const { tick, dueMs } = this.#timing;
    return encodePong(
      { type: "pong", id, serverTicks: tick + this.#ticksSince(dueMs) },
      this.#writer,
    );
  }

  /** Takes the piggybacked ping that waits and answers it; undefined if none waits. */
  piggybackedPong(client: { ping: PendingPing | undefined }): PiggybackedPong | undefined {
    const { ping } = client;
    if (ping === undefined) return undefined;
    client.ping = undefined;
    const { tick, dueMs } = this.#timing;
    // After a delay the server broadcasts several ticks at once, and its clock is ahead of the
    // first of them.
    return {
      id: ping.id,
      serverTicks: tick + this.#ticksSince(dueMs),
      waitedTicks: this.#ticksSince(ping.atMs),
    };
  }

  /** Ticks since a moment; 0 if it has not come yet. */
  #ticksSince(atMs: number): number {
    return Math.max(0, this.#clock.now() - atMs) * this.#ticksPerMs;
  }
}
