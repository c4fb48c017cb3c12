/**
 * Parts that messages between processes and between nodes share. Messages are JSON, sent through a
 * pipe or through the log's servers, and are checked like any text from outside.
 */
import * as z from "zod";
import { PLAYER_COUNTS } from "../../shared/netcode/game.ts";
import { LOG_ID } from "../match_log/file_logs.ts";
import { GAME_ID_BYTES_MAX, ROOM_CODE } from "../../shared/netcode/wire/messages.ts";

/** A node's name: 64 random bits. */
export const NODE_NAME = z.string().regex(/^[0-9a-f]{16}$/);
/** `Game.id`. */
export const GAME_ID = z.string().max(GAME_ID_BYTES_MAX);
export const ROOM_NAME = z.string().regex(ROOM_CODE);

const count = z.int().min(0);
const word = z.string().max(64);

/** `RoomListing`: a room in the lobby's list. */
export const ROOM_LISTING = z.object({
  code: ROOM_NAME,
  players: count,
  seats: count,
  /** A node of the version before says nothing. */
  playNow: count.default(PLAYER_COUNTS.playNow),
  watchers: count,
  match: z.string().regex(LOG_ID).optional(),
  options: z.record(word, word).optional(),
});

/** `DatagramOffer`: where a server takes datagrams. */
export const DATAGRAM_OFFER = z.object({
  port: z.int().min(1).max(65_535),
  certificateHash: z.string().regex(/^[0-9a-f]{64}$/).optional(),
});

/**
 * The longest message from a node, bytes, which is the one about its rooms. Longer ones are dropped
 * unread.
 */
const MESSAGE_BYTES_MAX = 16_384;

/** @returns a message's value; undefined if it is too long, not JSON, or has another form */
export function messageFrom<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  { bytesMax = MESSAGE_BYTES_MAX }: { bytesMax?: number } = {},
): z.output<Schema> | undefined {
  if (bytes.length > bytesMax) return undefined;
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
