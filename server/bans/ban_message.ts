/** The form of a ban in a message between processes, and in the file that outlives them. */
import * as z from "zod";
import { BANS_MAX } from "./bans.ts";
import { GAME_ID } from "../messages/message_parts.ts";

const milliseconds = z.number().min(0);

export const BAN = z.object({
  addressBlock: z.string().max(64),
  account: z.string().max(64),
  gameId: GAME_ID,
  room: z.string().max(8),
  untilMs: milliseconds,
  changedMs: milliseconds,
});

/** A whole list. */
export const BAN_LIST = z.array(BAN).max(BANS_MAX);

/** The longest list, bytes. */
export const BAN_LIST_BYTES_MAX = 512 * BANS_MAX;
