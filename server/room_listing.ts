/** A room of the lobby's list, as one process tells it to another. */
import * as z from "zod";
import { ROOM_CODE } from "../shared/netcode/wire/messages.ts";

const count = z.int().min(0), word = z.string().max(64);

export const ROOM_LISTING = z.object({
  ...{ code: z.string().regex(ROOM_CODE), players: count, seats: count, watchers: count },
  options: z.record(word, word).optional(),
});
