/**
 * The rooms of one game whose matches are not here: those of matches that are tried before they go on, and those of
 * matches that were set aside.
 *
 *     awaited → a match again · set aside → free for new players at once, while those who come back read why
 */
import type { Clock } from "../shared/netcode/link.ts";
import { CloseCode, type Hello } from "../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../shared/netcode/wire/stop_reasons.ts";
import type { HelloRefusal } from "./capacity/capacity_check.ts";

/** For so long players of a match that was set aside may come back and are told, ms. A page asks every few seconds. */
const TOLD_MS = 300_000;
/** Matches whose players are told. Of more the oldest are forgotten, and their players come into a new match unwarned. */
const TOLD_MAX = 1_000;

/** The server restarted a moment ago: a page tries again by itself, and promises the seat. */
const AWAITED: HelloRefusal = { code: GOING_AWAY, reason: StopReason.kept };
const SET_ASIDE: HelloRefusal = {
  code: CloseCode.roomFailed,
  reason: "This match could not go on and is over. Enter the room again for a new one.",
};

export class AbsentRooms {
  readonly #clock: Clock;
  readonly #awaited = new Set<string>();
  /** By code: until when its players are told, ms. */
  readonly #setAside = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The codes of matches that may go on here. */
  get awaited(): readonly string[] {
    return [...this.#awaited];
  }

  /** Keeps a code for a match that is tried. */
  await(code: string): void {
    this.#awaited.add(code);
  }

  /** The match goes on here, or never. */
  settle(code: string): void {
    this.#awaited.delete(code);
  }

  /** The match never goes on. Those who come back with a seat's token are told. */
  setAside(code: string): void {
    this.settle(code);
    this.#setAside.delete(code);
    this.#setAside.set(code, this.#clock.now() + TOLD_MS);
    const [oldest] = this.#setAside.keys();
    if (this.#setAside.size > TOLD_MAX) this.#setAside.delete(oldest!);
  }

  /** @returns why nobody can come into a room, or why this client cannot; undefined if its match is not absent */
  refusalOf({ room, resume }: Pick<Hello, "room" | "resume">): HelloRefusal | undefined {
    if (this.#awaited.has(room)) return AWAITED;
    const isTold = resume !== undefined && (this.#setAside.get(room) ?? 0) > this.#clock.now();
    return isTold ? SET_ASIDE : undefined;
  }
}
