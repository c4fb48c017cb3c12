/**
 * The lobby's list over all nodes. When a page asks for it, its node asks the other nodes, at most
 * once a second. A node that does not answer soon is left out.
 */
import * as z from "zod";
import type { Clock } from "../../shared/netcode/link.ts";
import type { RoomListing } from "../messages/room_listing.ts";
import type { Rooms } from "../rooms.ts";
import type { RequestChannel } from "./hand_over.ts";
import { GAME_ID, messageFrom, ROOM_LISTING } from "../messages/message_parts.ts";
import type { Nodes } from "./nodes.ts";

/** How long answers are reused, ms. */
const KEPT_MS = 1_000;
/** How long an answer may take, ms. A slower node is busy. */
const ANSWER_MS_MAX = 250;
/** How many rooms an answer holds, those with most players: a lobby shows no more. */
const ROOMS_MAX = 100;
/** The longest answer, bytes: a hundred rooms with the words of their options. */
const ANSWER_BYTES_MAX = 65_536;

const ANSWER = z.object({
  /** `game` is the id of the room's game. */
  rooms: z.array(ROOM_LISTING.extend({ game: GAME_ID })).max(ROOMS_MAX),
});

type NamedRoom = RoomListing & { readonly game: string };

/** A room, with its game's name if several games are hosted. */
type Listing = RoomListing & { readonly game?: string };

/** The subject on which a node is asked for its rooms. */
export function listSubject(node: string): string {
  return `list.${node}`;
}

export interface ListedRoomsOptions {
  readonly node: string;
  readonly nodes: Pick<Nodes, "living">;
  readonly rooms: Pick<Rooms<unknown>, "byGame">;
  readonly channel: RequestChannel;
  readonly clock: Clock;
}

export class ListedRooms {
  readonly #options: ListedRoomsOptions;
  #others: Promise<NamedRoom[]> = Promise.resolve([]);
  #askedMs = -Infinity;

  constructor(options: ListedRoomsOptions) {
    this.#options = options;
  }

  /** Answers another node's request for this node's rooms. */
  answer(): string {
    return JSON.stringify({ rooms: this.#own().slice(0, ROOMS_MAX) });
  }

  /**
   * Lists the rooms with clients: the fullest first, equally full ones by code.
   * @param name only this game; undefined for all
   * @returns undefined for a game that is not hosted
   */
  async list(name: string | undefined): Promise<readonly Listing[] | undefined> {
    const { byGame } = this.#options.rooms;
    const names = new Map([...byGame].map(([name, { game }]) => [game.id, name]));
    if (name !== undefined && !byGame.has(name)) return undefined;

    // While a match moves between nodes, both may list its room.
    const rooms = new Map<string, NamedRoom>();
    for (const room of [...await this.#ofOthers(), ...this.#own()]) {
      rooms.set(`${room.game} ${room.code}`, room);
    }

    const wanted = [...rooms.values()].filter(({ game }) =>
      name === undefined ? names.has(game) : names.get(game) === name
    );
    const namesGame = name === undefined && byGame.size > 1;
    return wanted.sort(inOrder).map(({ game, ...room }) =>
      namesGame ? { game: names.get(game)!, ...room } : room
    );
  }

  #own(): NamedRoom[] {
    const rooms = [...this.#options.rooms.byGame.values()].flatMap((each) =>
      each.list().map((room) => ({ game: each.game.id, ...room }))
    );
    return rooms.sort(inOrder);
  }

  #ofOthers(): Promise<NamedRoom[]> {
    const nowMs = this.#options.clock.now();
    if (nowMs >= this.#askedMs + KEPT_MS) {
      this.#askedMs = nowMs;
      this.#others = this.#ask();
    }
    return this.#others;
  }

  async #ask(): Promise<NamedRoom[]> {
    const { node: own, nodes, channel } = this.#options;
    const lists = await Promise.all(
      nodes.living.filter(({ node }) => node !== own).map(async ({ node }) => {
        const answer = await channel.ask(listSubject(node), "", ANSWER_MS_MAX);
        const bytes = new TextEncoder().encode(answer ?? "");
        return messageFrom(ANSWER, bytes, { bytesMax: ANSWER_BYTES_MAX })?.rooms ?? [];
      }),
    );
    return lists.flat();
  }
}

function inOrder(a: NamedRoom, b: NamedRoom): number {
  if (a.players !== b.players) return b.players - a.players;
  if (a.code === b.code) return 0;
  return a.code < b.code ? -1 : 1;
}
