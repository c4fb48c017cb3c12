/** The place of a process's datagrams, as it tells other processes of it. */
import * as z from "zod";

export const DATAGRAM_OFFER = z.object({
  port: z.int().min(1).max(65_535),
  certificateHash: z.string().regex(/^[0-9a-f]{64}$/).optional(),
});
