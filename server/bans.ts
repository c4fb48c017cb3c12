/**
 * Addresses that an operator has banned for a time. Bans live in memory, so they end with the
 * process, as matches without a log do.
 */
import type { Clock } from "../shared/netcode/link.ts";

/** Bans at once. An operator who needs more has a firewall; the oldest ban ends. */
const BANS_MAX = 1_024;

export class Bans {
  readonly #clock: Clock;
  /** The end of each ban, ms, by the customer behind the address; the oldest first. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bans a customer. @param seconds from now on; a later ban replaces an earlier one */
  add(addressBlock: string, seconds: number): void {
    this.#untilMs.delete(addressBlock);
    this.#untilMs.set(addressBlock, this.#clock.now() + seconds * 1000);
    for (const oldest of this.#untilMs.keys()) {
      if (this.#untilMs.size <= BANS_MAX) return;
      this.#untilMs.delete(oldest);
    }
  }

  /** @returns whether there was a ban */
  remove(addressBlock: string): boolean {
    return this.#untilMs.delete(addressBlock);
  }

  has(addressBlock: string): boolean {
    const untilMs = this.#untilMs.get(addressBlock);
    if (untilMs === undefined) return false;
    if (this.#clock.now() < untilMs) return true;
    this.#untilMs.delete(addressBlock);
    return false;
  }

  /** All bans with the seconds that are left. */
  list(): { addressBlock: string; seconds: number }[] {
    const nowMs = this.#clock.now();
    const banned = [...this.#untilMs.keys()].filter((addressBlock) => this.has(addressBlock));
    return banned.map((addressBlock) => ({
      addressBlock,
      seconds: Math.ceil((this.#untilMs.get(addressBlock)! - nowMs) / 1000),
    }));
  }
}
