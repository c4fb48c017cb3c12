/**
 * Capsules are messages on the stream of a session's request (RFC 9297 §3). WebTransport closes a
 * session with one:
 *
 *     close = code (32 bits, the highest byte first), reason (UTF-8, at most 1,024 bytes)
 */
import { frameOf } from "./frame_reader.ts";
import { Http3Code, Http3Error } from "./http3_error.ts";

/** The type of the capsule that closes a session. All other types are skipped. */
export const CLOSE_CAPSULE = 0x2843;

const CODE_BYTES = 4;
/** The longest reason that WebTransport allows, bytes. */
const REASON_BYTES_MAX = 1_024;
/** The longest payload of a closing capsule. */
export const CLOSE_BYTES_MAX = CODE_BYTES + REASON_BYTES_MAX;

/** How a session ended. */
export interface SessionEnd {
  /** 0 … 2^32 − 1. */
  readonly code: number;
  readonly reason: string;
}

/** Encodes the capsule that closes a session. A longer reason is cut between two characters. */
export function encodeClose({ code, reason }: SessionEnd): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(CLOSE_BYTES_MAX);
  new DataView(payload.buffer).setUint32(0, code);
  const { written } = new TextEncoder().encodeInto(reason, payload.subarray(CODE_BYTES));
  return frameOf(CLOSE_CAPSULE, payload.subarray(0, CODE_BYTES + written));
}

/** @throws Http3Error for a payload without a code, or a reason that is not UTF-8 */
export function decodeClose(payload: Uint8Array): SessionEnd {
  if (payload.length < CODE_BYTES) {
    throw new Http3Error(Http3Code.message, "a close without a code");
  }
  try {
    const reason = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      payload.subarray(CODE_BYTES),
    );
    return { code: new DataView(payload.buffer, payload.byteOffset).getUint32(0), reason };
  } catch {
    throw new Http3Error(Http3Code.message, "a close whose reason is no UTF-8");
  }
}
