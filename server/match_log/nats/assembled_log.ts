/**
 * A match's log, or its part from the newest state on, joined from the servers' records into the
 * bytes that a file would hold.
 */
import type { MessageBegin } from "./log_message.ts";
import type { StoredMessage } from "./record_store.ts";

export interface AssembledLog {
  /** The match's name. */
  readonly id: string;
  /** The frame of the log's header record. */
  readonly header: Uint8Array;
  /** The header, and each record of the log or of its part. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Joins the part of a match's log from its newest state on.
 * @param messages the message with the newest state, and all after it
 * @returns undefined if the first message carries no state
 */
export function assembledLog([first, ...rest]: readonly StoredMessage[]): AssembledLog | undefined {
  const begin = first?.message.begin;
  if (first === undefined || begin === undefined) return undefined;
  return joinedLog(begin, [
    begin.header,
    first.message.records.subarray(begin.stateOffset),
    ...recordsOf(rest),
  ]);
}

/**
 * Joins a match's whole log. If the match is older than the servers keep records, the log begins
 * with the oldest state there.
 * @param messages all that the servers have of the match
 * @returns undefined if no message carries a state
 */
export function wholeLog(messages: readonly StoredMessage[]): AssembledLog | undefined {
  const at = messages.findIndex(({ message }) => message.begin !== undefined);
  const begin = messages[at]?.message.begin;
  if (begin === undefined) return undefined;
  // A match's first message carries the header among its records.
  if (messages[at - 1]?.message.kind === "claim") {
    return joinedLog(begin, recordsOf(messages.slice(at)));
  }
  return assembledLog(messages.slice(at));
}

function recordsOf(messages: readonly StoredMessage[]): Uint8Array[] {
  return messages.map(({ message }) => message.records);
}

function joinedLog({ id, header }: MessageBegin, parts: readonly Uint8Array[]): AssembledLog {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { id, header: header.slice(), bytes };
}
