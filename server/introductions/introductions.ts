/**
 * Introduces pages that play in a room which one of them hosts: it carries one text from each page
 * to the host, and the host's answer back. It knows no match, and reads no text.
 *
 *     page  → call(text)       host ← call(from, text)
 *     page  ← answer(text)     host → answer(to, text)
 *
 * A room belongs to whoever claims it first, and to all who know that claim, so that another page
 * of the room can host it. It is forgotten half a minute after its host's socket has closed.
 *
 * It also leads players to each other who want to play with anybody: the first of them opens a
 * room, and the others are led there while it has seats.
 */
import * as z from "zod";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import {
  ANOTHER_HOST,
  type FromServer,
  INTRODUCTION_BYTES_MAX,
  type ToServer,
} from "../../shared/introductions.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";

/** Rooms with a host. */
export const INTRODUCED_ROOMS_MAX = 1000;
/** How many pages may wait for one host's answer. */
const CALLERS_MAX = 32;
/** How long a room is kept for its next host, ms. */
const HOSTLESS_MS_MAX = 30_000;
/** Messages of one page: a call, or an answer to each of a full room's pages. */
const MESSAGES = { burst: 40, perSecond: 2 } as const;

const TEXT = z.string().max(INTRODUCTION_BYTES_MAX);
const CLAIM = z.string().regex(/^[0-9a-f]{32}$/);
const SEATS = z.int().min(0).max(PLAYER_SEATS);
const MESSAGE: z.ZodType<ToServer> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("host"), claim: CLAIM }),
  z.strictObject({ type: z.literal("seats"), seats: SEATS }),
  z.strictObject({
    type: z.literal("play"),
    claim: CLAIM,
    seats: SEATS,
    except: z.string().regex(/^([A-Z]{4})?$/),
  }),
  z.strictObject({ type: z.literal("call"), text: TEXT }),
  z.strictObject({ type: z.literal("answer"), to: z.int().min(0), text: TEXT }),
]);

/** A page at the other end of a socket. */
export interface IntroducedPage {
  send(message: FromServer): void;
  /** @param reason for people who look into a console */
  close(reason: string): void;
}

/** A game's id, and a room's code of four letters A–Z. */
export interface RoomPlace {
  readonly game: string;
  readonly code: string;
}

interface Room extends RoomPlace {
  readonly claim: string;
  host: Page | undefined;
  /** Since when there is no host, ms on the clock. */
  hostlessMs: number;
  /** How many more people may be led here; undefined for a room that is not open to anybody. */
  seats: number | undefined;
  readonly callers: Map<number, Page>;
}

interface Page extends IntroducedPage, RoomPlace {
  readonly number: number;
  /** The room's key in the map of all. */
  readonly room: string;
  readonly messages: TokenBucket;
}

export class Introductions {
  readonly #clock: Clock;
  readonly #rooms = new Map<string, Room>();
  #pages = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get roomCount(): number {
    return this.#rooms.size;
  }

  /**
   * A page has come.
   * @returns what its socket calls
   */
  enter({ game, code }: RoomPlace, page: IntroducedPage): {
    receive(text: string): void;
    leave(): void;
  } {
    const entered: Page = {
      number: this.#pages++,
      game,
      code,
      room: `${game} ${code}`,
      messages: new TokenBucket(MESSAGES, this.#clock.now()),
      send: (message) => page.send(message),
      close: (reason) => page.close(reason),
    };
    return {
      receive: (text) => this.#receive(entered, text),
      leave: () => this.#leave(entered),
    };
  }

  #receive(page: Page, text: string): void {
    if (!page.messages.take(this.#clock.now())) return page.close("too many messages");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    const message = MESSAGE.safeParse(value);
    if (!message.success) return page.close("a message that is none of this protocol's");
    switch (message.data.type) {
      case "host":
        return page.send({ type: "host", isHost: this.#claim(page, message.data.claim) });
      case "seats":
        return this.#countSeats(page, message.data.seats);
      case "play":
        return page.send({ type: "room", room: this.#roomFor(page, message.data) });
      case "call":
        return this.#call(page, message.data.text);
      case "answer":
        return this.#answer(page, message.data);
    }
  }

  /** @returns whether the page hosts the room from now on */
  #claim(page: Page, claim: string): boolean {
    this.#forgetHostless();
    const room = this.#rooms.get(page.room);
    if (room !== undefined) {
      if (room.claim !== claim) return false;
      // The newest host counts; the pages of the room have agreed on it
      if (room.host !== page) room.host?.close(ANOTHER_HOST);
      room.host = page;
      return true;
    }
    return this.#open(page, { claim, host: page, seats: undefined });
  }

  /** @returns whether there is space for a further room */
  #open(
    { game, code, room }: Page,
    opened: Pick<Room, "claim" | "host" | "seats">,
  ): boolean {
    if (this.#rooms.size >= INTRODUCED_ROOMS_MAX) return false;
    const hostlessMs = this.#clock.now();
    this.#rooms.set(room, { game, code, ...opened, hostlessMs, callers: new Map() });
    return true;
  }

  #countSeats(page: Page, seats: number): void {
    const room = this.#rooms.get(page.room);
    if (room?.host === page && room.seats !== undefined) room.seats = seats;
  }

  /** Finds the fullest room that is open to anybody, the oldest of several, or opens the page's. */
  #roomFor(page: Page, { claim, seats, except }: ToServer & { type: "play" }): string {
    this.#forgetHostless();
    let fullest: { readonly room: Room; readonly seats: number } | undefined;
    for (const room of this.#rooms.values()) {
      const { game, code, seats = 0 } = room;
      if (game !== page.game || code === except || seats === 0) continue;
      if (fullest === undefined || seats < fullest.seats) fullest = { room, seats };
    }
    if (fullest === undefined) {
      // Without space for it, the page's own claim will be refused.
      if (!this.#rooms.has(page.room)) this.#open(page, { claim, host: undefined, seats });
      return page.code;
    }
    // Until its host counts again, the player who is led there has a seat.
    fullest.room.seats = fullest.seats - 1;
    return fullest.room.code;
  }

  #call(page: Page, text: string): void {
    this.#forgetHostless();
    const room = this.#rooms.get(page.room);
    if (room?.host === undefined) {
      return page.send({ type: "nobody", isKept: room !== undefined });
    }
    if (!room.callers.has(page.number) && room.callers.size >= CALLERS_MAX) {
      return page.close("too many pages call this room");
    }
    room.callers.set(page.number, page);
    room.host.send({ type: "call", from: page.number, text });
  }

  #answer(page: Page, { to, text }: { to: number; text: string }): void {
    const room = this.#rooms.get(page.room);
    if (room?.host !== page) return;
    const caller = room.callers.get(to);
    room.callers.delete(to);
    caller?.send({ type: "answer", text });
  }

  #leave(page: Page): void {
    const room = this.#rooms.get(page.room);
    room?.callers.delete(page.number);
    if (room?.host !== page) return;
    room.host = undefined;
    room.hostlessMs = this.#clock.now();
  }

  #forgetHostless(): void {
    const nowMs = this.#clock.now();
    for (const [name, { host, hostlessMs }] of this.#rooms) {
      if (host === undefined && nowMs - hostlessMs > HOSTLESS_MS_MAX) this.#rooms.delete(name);
    }
  }
}
