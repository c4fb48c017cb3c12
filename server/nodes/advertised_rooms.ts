/**
 * A node's message about its rooms, which lets the other nodes lead players to them. It names the
 * open rooms with a free seat, those with most players first.
 */
import * as z from "zod";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { GAME_ID, NODE_NAME, ROOM_NAME } from "../messages/message_parts.ts";
import type { RoomView } from "./open_rooms.ts";

/**
 * How many rooms of one game a message names. Newcomers fill them within seconds, and the next
 * message names others.
 */
const ROOMS_ADVERTISED_MAX = 64;
/** How many games a message names. With 64 rooms each it stays below 16 KiB. */
export const GAMES_ADVERTISED_MAX = 16;

/** By `Game.id`: codes and taken seats. A game without an open room gets an empty list. */
export const ADVERTISED_ROOMS = z.object({
  node: NODE_NAME,
  games: z.record(
    GAME_ID,
    z.array(z.tuple([ROOM_NAME, z.int().min(0).max(PLAYER_SEATS)])).max(
      ROOMS_ADVERTISED_MAX,
    ),
  ).refine((games) => Object.keys(games).length <= GAMES_ADVERTISED_MAX),
});

export type AdvertisedRooms = z.output<typeof ADVERTISED_ROOMS>;

/** The subject of these messages. @param node the sender's name, or `*` for all nodes */
export function roomsSubject(node: string): string {
  return `rooms.${node}`;
}

/** Picks the rooms with a free seat, those with most players first. @param open by code */
export function advertisedOf(
  open: ReadonlyMap<string, Pick<RoomView, "players" | "seats">>,
): AdvertisedRooms["games"][string] {
  return [...open].filter(([, { players, seats }]) => players < seats)
    .sort(([a, { players: left }], [b, { players: right }]) => right - left || (a < b ? -1 : 1))
    .slice(0, ROOMS_ADVERTISED_MAX).map(([code, { players }]) => [code, players]);
}
