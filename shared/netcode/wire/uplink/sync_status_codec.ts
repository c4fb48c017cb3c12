/**
 * Codes a client's sync status: in sync, desynced, or on the body stream with or without a request
 * for a state.
 */
import type { BodyStreamRequest } from "../messages.ts";
import { P_STATE_REQUEST } from "../probabilities.ts";
import type { Coder } from "../range_coder.ts";

/** Codes the request from a client that is on the body stream. */
export function codeBodyStreamRequest(
  request: BodyStreamRequest | undefined,
  coder: Coder,
): BodyStreamRequest {
  return coder.flag(request === "state", P_STATE_REQUEST) ? "state" : "bodies";
}

/** The sync status in a message with commands. */
export interface SyncStatus {
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

/** @param p the probability that the client is desynced or on the body stream */
export function codeSyncStatus(
  { isDesynced, bodyStreamRequest }: SyncStatus,
  p: number,
  coder: Coder,
): SyncStatus {
  if (!coder.flag(isDesynced || bodyStreamRequest !== undefined, p)) return { isDesynced: false };
  if (coder.flag(bodyStreamRequest !== undefined)) {
    return {
      isDesynced: false,
      bodyStreamRequest: codeBodyStreamRequest(bodyStreamRequest, coder),
    };
  }
  return { isDesynced: true };
}
