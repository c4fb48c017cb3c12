/** Where the server's clock stands, for clients who ask with a ping. */
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { PiggybackedPong } from "../../../shared/netcode/wire/messages.ts";
import { encodePong } from "../../../shared/netcode/wire/server_messages.ts";

/** A ping that came with a command, and waits for the next tick's message. */
export interface PendingPing {
  readonly id: number;
  /** When it came, on the server's clock. */
  readonly atMs: number;
}

/** How far a match is: its newest tick, and when that was due, ms. */
interface MatchTiming {
  readonly tick: Tick;
  readonly dueMs: number;
}

/** One match's answers. */
export class PingResponder {
  readonly #timing: MatchTiming;
  readonly #clock: Clock;
  readonly #ticksPerMs: number;
  readonly #writer = new CodeWriter();

  /** @param timing is asked again for each answer */
  constructor(timing: MatchTiming, { clock, tickHz }: { clock: Clock; tickHz: number }) {
    this.#timing = timing;
    this.#clock = clock;
    this.#ticksPerMs = tickHz / 1000;
  }

  /** To a ping that has just come by itself. @returns the message's bytes, valid until the next one */
  pong(id: number): Uint8Array {
    const { tick, dueMs } = this.#timing;
    // A room that was empty has not ticked for long: its next tick is at most one away all the same.
    return encodePong({ type: "pong", id, serverTicks: tick + Math.min(1, this.#ticksSince(dueMs)) }, this.#writer);
  }

  /** To one that has waited, if any; it waits no longer. */
  piggybackedPong(client: { ping: PendingPing | undefined }): PiggybackedPong | undefined {
    const { ping } = client;
    if (ping === undefined) return undefined;
    client.ping = undefined;
    const { tick, dueMs } = this.#timing;
    // Of a server that was held up several ticks are told in one go: of the first of them the clock is far ahead.
    return { id: ping.id, serverTicks: tick + this.#ticksSince(dueMs), waitedTicks: this.#ticksSince(ping.atMs) };
  }

  /** 0 where it is yet to come. */
  #ticksSince(atMs: number): number {
    return Math.max(0, this.#clock.now() - atMs) * this.#ticksPerMs;
  }
}
