/** The log of a match from its newest state on, made from the servers' records, as a file would have it. */
import type { StoredMessage } from "../match_log/nats/record_store.ts";

export interface AssembledLog {
  /** The match's name. */
  readonly id: string;
  /** The frame of the log's header. */
  readonly header: Uint8Array;
  /** The header, the newest state, and each record after it. */
  readonly bytes: Uint8Array;
}

/** @param messages the one with the newest state, and all after it @returns undefined if the first one has no state */
export function assembledLog([first, ...rest]: readonly StoredMessage[]): AssembledLog | undefined {
  const begin = first?.message.begin;
  if (first === undefined || begin === undefined) return undefined;
  const parts = [begin.header, first.message.records.subarray(begin.stateOffset)];
  for (const { message } of rest) parts.push(message.records);
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { id: begin.id, header: begin.header.slice(), bytes };
}
