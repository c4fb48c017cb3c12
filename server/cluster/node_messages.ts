/** Messages between nodes: JSON through the servers of the log. They are checked like any text from outside. */
import * as z from "zod";

/** The longest message of a node, bytes: what it says of its rooms. A longer one is dropped unread. */
export const MESSAGE_BYTES_MAX = 16_384;

/** @returns what a message says; undefined for one that is too long, is no JSON or has another form */
export function messageFrom<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.output<Schema> | undefined {
  if (bytes.length > MESSAGE_BYTES_MAX) return undefined;
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
