/**
 * One game's rooms without a match here. Some of these matches are still being tried, and others
 * were set aside.
 *
 *     awaited    → a match again
 *     set aside  → free for new players at once, while those who come back read why
 *                  → a match again
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { CloseCode, type Hello } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";

/**
 * How long players are refused who come back to a match that was set aside, ms. A page asks every
 * few seconds.
 */
const REMEMBERED_MS = 300_000;
/**
 * How many matches are remembered. Beyond that the oldest are forgotten, and their players come
 * into a new match without a warning.
 */
const REMEMBERED_MAX = 1_000;

/**
 * The server restarted a moment ago. With this refusal a page tries again by itself, and promises
 * the seat.
 */
const AWAITED: HelloRefusal = { code: GOING_AWAY, reason: StopReason.kept };
const SET_ASIDE: HelloRefusal = {
  code: CloseCode.roomFailed,
  reason: "This match could not go on and is over. Enter the room again for a new one.",
};

export class AbsentRooms {
  readonly #clock: Clock;
  readonly #awaited = new Set<string>();
  /** By code: until when the match's players are refused, ms. */
  readonly #setAside = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The codes of matches that may go on here. */
  get awaited(): readonly string[] {
    return [...this.#awaited];
  }

  /** Whether a match with this code may go on here. */
  awaits(code: string): boolean {
    return this.#awaited.has(code);
  }

  /** Keeps a code for a match that is being tried. */
  await(code: string): void {
    this.#awaited.add(code);
  }

  /** Frees a code, because its match goes on here, or never will. */
  free(code: string): void {
    this.#awaited.delete(code);
  }

  /** Notes that a match never goes on. Players who come back with a seat's token are told why. */
  setAside(code: string): void {
    this.free(code);
    this.#setAside.delete(code);
    this.#setAside.set(code, this.#clock.now() + REMEMBERED_MS);
    const [oldest] = this.#setAside.keys();
    if (this.#setAside.size > REMEMBERED_MAX) this.#setAside.delete(oldest!);
  }

  /** Notes that a room has a match again, whose players have tokens of their own. */
  opened(code: string): void {
    this.#setAside.delete(code);
  }

  /** @returns why this client cannot enter a room; undefined if the room's match is not absent */
  refusalOf({ room, resume }: Pick<Hello, "room" | "resume">): HelloRefusal | undefined {
    if (this.awaits(room)) return AWAITED;
    const isRemembered = (this.#setAside.get(room) ?? 0) > this.#clock.now();
    return resume !== undefined && isRemembered ? SET_ASIDE : undefined;
  }
}
