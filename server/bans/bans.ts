/**
 * What operators keep strangers from: an address from the whole server, or an address or a player
 * from one room. The list outlives the process (`BanFile`), and all nodes share it (`shareBans`).
 *
 * Each entry has the time of its last change, so two lists are merged by taking the newer of two
 * entries, in any order. A ban that was lifted stays as such an entry, because a machine that was
 * away still has it.
 */
import type { Clock } from "../../shared/netcode/link.ts";

/** Entries at once. An operator who needs more has a firewall; the oldest entry goes. */
export const BANS_MAX = 1_024;
/** A day, because a longer ban belongs into a firewall. */
export const BAN_SECONDS_MAX = 86_400;
/** How long a player who was taken out of a room stays out, s. */
export const KICK_SECONDS = 300;
/** Clocks of machines differ: an entry from farther in the future is refused, ms. */
const AHEAD_MS_MAX = 60_000;

/** Who is kept out, and where. */
export interface BanTarget {
  /** The customer behind an address; empty for a player who is known otherwise. */
  readonly addressBlock: string;
  /** The digest of a player's identity, by the operator's function; empty for an address. */
  readonly account: string;
  /** `Game.id` and code of the room; both empty for the whole server. */
  readonly gameId: string;
  readonly room: string;
}

/** An entry of the list. */
export interface Ban extends BanTarget {
  /** Its end, ms since 1970; a ban that was lifted has ended. */
  readonly untilMs: number;
  /** When it was made or lifted, ms since 1970. */
  readonly changedMs: number;
}

/** Somebody who wants to come into a room. */
export interface BarredPeer {
  readonly addressBlock: string;
  readonly account?: string | undefined;
}

export class Bans {
  /** Milliseconds since 1970. */
  readonly #clock: Clock;
  /** By target; the oldest change first. */
  readonly #entries = new Map<string, Ban>();
  readonly #listeners: ((ban: Ban) => void)[] = [];

  /** @param clock ms since 1970 */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back with each entry that is changed here, but not with those that `take` brings. */
  onChange(listener: (ban: Ban) => void): void {
    this.#listeners.push(listener);
  }

  /** Bans a customer. @param seconds from now on; a later ban replaces an earlier one */
  add(addressBlock: string, seconds: number): void {
    this.#change({ ...NOBODY, addressBlock }, seconds);
  }

  /** Keeps an address or a player out of one room. @param seconds from now on */
  bar(target: BanTarget, seconds: number): void {
    this.#change(target, seconds);
  }

  /** Lifts a ban of the whole server, or a bar of one room. @returns whether there was one */
  lift(target: Partial<BanTarget>): boolean {
    const lifted = { ...NOBODY, ...target };
    const wasThere = this.#holds(lifted);
    if (wasThere) this.#change(lifted, 0);
    return wasThere;
  }

  /** Whether an address is banned from the whole server. */
  has(addressBlock: string): boolean {
    return this.#holds({ ...NOBODY, addressBlock });
  }

  /** Whether somebody may not come into a room. */
  isBarred(gameId: string, room: string, { addressBlock, account = "" }: BarredPeer): boolean {
    if (this.#entries.size === 0) return false;
    return this.#holds({ addressBlock, account: "", gameId, room }) ||
      account !== "" && this.#holds({ addressBlock: "", account, gameId, room });
  }

  /** What holds now, with the seconds that are left. */
  list(): (BanTarget & { readonly seconds: number })[] {
    const nowMs = this.#clock.now();
    return [...this.#entries.values()].filter(({ untilMs }) => nowMs < untilMs)
      .map(({ untilMs, changedMs: _, ...target }) => ({
        ...target,
        seconds: Math.ceil((untilMs - nowMs) / 1000),
      }));
  }

  /** All entries that may still matter, lifted ones among them. */
  entries(): Ban[] {
    this.#forgetOld();
    return [...this.#entries.values()];
  }

  /** Takes in an entry of another list. @returns whether it was news */
  take(ban: Ban): boolean {
    const nowMs = this.#clock.now();
    const isPossible = ban.changedMs <= nowMs + AHEAD_MS_MAX &&
      ban.untilMs <= ban.changedMs + BAN_SECONDS_MAX * 1000;
    const known = this.#entries.get(keyOf(ban));
    if (!isPossible || known !== undefined && known.changedMs >= ban.changedMs) return false;
    this.#set(ban);
    return true;
  }

  #change(target: BanTarget, seconds: number): void {
    const nowMs = this.#clock.now();
    const known = this.#entries.get(keyOf(target));
    // Later than what it replaces, even if that came from a machine whose clock is ahead.
    const changedMs = Math.max(nowMs, (known?.changedMs ?? 0) + 1);
    const ban = { ...target, untilMs: nowMs + seconds * 1000, changedMs };
    this.#set(ban);
    for (const listener of this.#listeners) listener(ban);
  }

  #set(ban: Ban): void {
    const key = keyOf(ban);
    this.#entries.delete(key);
    this.#entries.set(key, ban);
    this.#forgetOld();
  }

  #forgetOld(): void {
    const oldMs = this.#clock.now() - BAN_SECONDS_MAX * 1000;
    for (const [key, { changedMs }] of this.#entries) {
      if (this.#entries.size <= BANS_MAX && changedMs > oldMs) return;
      this.#entries.delete(key);
    }
  }

  #holds(target: BanTarget): boolean {
    const ban = this.#entries.get(keyOf(target));
    return ban !== undefined && this.#clock.now() < ban.untilMs;
  }
}

const NOBODY: BanTarget = { addressBlock: "", account: "", gameId: "", room: "" };

function keyOf({ addressBlock, account, gameId, room }: BanTarget): string {
  return JSON.stringify([addressBlock, account, gameId, room]);
}
