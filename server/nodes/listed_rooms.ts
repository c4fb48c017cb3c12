/**
 * The lobby's list over all processes with rooms. When a page asks for it, its own process asks the
 * others, and keeps the answers for a moment. One that does not answer soon is left out.
 */
import * as z from "zod";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { RoomListing } from "../messages/room_listing.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { GAME_ID, messageFrom, ROOM_LISTING } from "../messages/message_parts.ts";
import type { NodeHeartbeat } from "./nodes.ts";

/** How long answers of other machines are reused, and those of this machine's processes, ms. */
export const LIST_KEPT_MS = 1_000;
export const LIST_KEPT_HERE_MS = 250;
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
  /** This process, if it runs matches itself; undefined for a gateway. */
  readonly own: { readonly node: string; readonly rooms: ListedGames } | undefined;
  /** The processes with rooms, as far as this one hears them. */
  readonly nodes: () => readonly Pick<NodeHeartbeat, "node" | "health">[];
  /** The hosted games, by name. */
  readonly games: Readonly<Record<string, Pick<Game<never>, "id">>>;
  readonly bus: Pick<Bus, "request">;
  /** How long answers are reused, ms. */
  readonly keptMs: number;
  readonly clock: Clock;
}

/** The rooms of this process. */
type ListedGames = Pick<Rooms<unknown>, "byGame">;

/** A room, and whether its process takes players. */
interface Listed {
  readonly room: NamedRoom;
  readonly isOpen: boolean;
}

export class ListedRooms {
  readonly #options: ListedRoomsOptions;
  #others: Promise<Listed[]> = Promise.resolve([]);
  #askedMs = -Infinity;

  constructor(options: ListedRoomsOptions) {
    this.#options = options;
  }

  /**
   * Lists the rooms with clients: the fullest first, equally full ones by code, and last those whose
   * process takes nobody.
   * @param name only this game; undefined for all
   * @returns undefined for a game that is not hosted
   */
  async list(name: string | undefined): Promise<readonly Listing[] | undefined> {
    const { games } = this.#options;
    const names = new Map(Object.entries(games).map(([name, { id }]) => [id, name]));
    if (name !== undefined && !Object.hasOwn(games, name)) return undefined;

    // While a match moves between nodes, both may list its room.
    const rooms = new Map<string, Listed>();
    for (const listed of [...await this.#ofOthers(), ...this.#own()]) {
      rooms.set(`${listed.room.game} ${listed.room.code}`, listed);
    }

    const wanted = [...rooms.values()].filter(({ room: { game } }) =>
      name === undefined ? names.has(game) : names.get(game) === name
    );
    const namesGame = name === undefined && names.size > 1;
    wanted.sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || inOrder(a.room, b.room));
    return wanted.map(({ room: { game, ...room } }) =>
      namesGame ? { game: names.get(game)!, ...room } : room
    );
  }

  #own(): Listed[] {
    const { own, nodes } = this.#options;
    if (own === undefined) return [];
    const isOpen = isOpenNode(nodes().find(({ node }) => node === own.node));
    return roomsOf(own.rooms).map((room) => ({ room, isOpen }));
  }

  #ofOthers(): Promise<Listed[]> {
    const nowMs = this.#options.clock.now();
    if (nowMs >= this.#askedMs + this.#options.keptMs) {
      this.#askedMs = nowMs;
      this.#others = this.#ask();
    }
    return this.#others;
  }

  async #ask(): Promise<Listed[]> {
    const { own, nodes, bus } = this.#options;
    const others = nodes().filter(({ node }) => node !== own?.node);
    const lists = await Promise.all(others.map(async (heartbeat) => {
      const answer = await bus.request(listSubject(heartbeat.node), "", ANSWER_MS_MAX);
      const bytes = new TextEncoder().encode(answer ?? "");
      const rooms = messageFrom(ANSWER, bytes, { bytesMax: ANSWER_BYTES_MAX })?.rooms ?? [];
      const isOpen = isOpenNode(heartbeat);
      return rooms.map((room) => ({ room, isOpen }));
    }));
    return lists.flat();
  }
}

/** Answers a process that asks for this one's rooms. */
export function listAnswer(rooms: ListedGames): string {
  return JSON.stringify({ rooms: roomsOf(rooms).slice(0, ROOMS_MAX) });
}

function roomsOf({ byGame }: ListedGames): NamedRoom[] {
  const rooms = [...byGame.values()].flatMap((each) =>
    each.list().map((room) => ({ game: each.game.id, ...room }))
  );
  return rooms.sort(inOrder);
}

/** A node of an earlier version does not say whether it takes players. */
function isOpenNode(heartbeat: Pick<NodeHeartbeat, "health"> | undefined): boolean {
  return (heartbeat?.health?.reason ?? "") === "";
}

function inOrder(a: NamedRoom, b: NamedRoom): number {
  if (a.players !== b.players) return b.players - a.players;
  if (a.code === b.code) return 0;
  return a.code < b.code ? -1 : 1;
}
