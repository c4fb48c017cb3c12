/** How long a client waits before it tries to get back onto its server (SPEC 8.8). */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";

/**
 * The mean wait before each attempt, ms. A cut line is often back at once. Another machine has the match of a dead one
 * after a second; a machine that is asked earlier than 0.3 s after its end may still name it. The last wait repeats for
 * ever: a page may be open all night.
 */
const RETRY_MS = [0, 250, 500, 1000, 2000, 4000] as const;
/** The mean wait after a hello to a full server, or for a room in which nobody plays, ms. */
const REFUSED_RETRY_MS = 10_000;
const REFUSED_CODES: ReadonlySet<number> = new Set([CloseCode.busy, CloseCode.noRoom]);
/**
 * The close codes after which another attempt would only meet the same refusal, so that a client stays away (WIRE 12). A
 * page says why in `connection_messages.ts`.
 */
export const FINAL_CODES: ReadonlySet<number> = new Set([
  CloseCode.protocol,
  CloseCode.version,
  CloseCode.game,
  CloseCode.roomCode,
  CloseCode.roomFull,
  CloseCode.flood,
  CloseCode.roomFailed,
  CloseCode.replaced,
  CloseCode.kicked,
  CloseCode.roomClosed,
  CloseCode.idle,
  CloseCode.addressFull,
  CloseCode.unauthorised,
  CloseCode.displaced,
  CloseCode.roomTaken,
]);
/** Each wait is longer or shorter by up to this share, so that a hall full of pages does not come back at once. */
const JITTER = 0.5;

/**
 * @param failedAttempts attempts since the client was last in a match
 * @param options.closeCode that of the connection that has just ended
 * @param options.random a random number, 0 … 1: it spreads the attempts of many clients
 * @returns the wait before the next attempt, ms
 */
export function retryDelayMs(
  failedAttempts: number,
  { closeCode, random }: { closeCode: number; random: number },
): number {
  const meanMs = REFUSED_CODES.has(closeCode)
    ? REFUSED_RETRY_MS
    : RETRY_MS[Math.min(failedAttempts, RETRY_MS.length - 1)]!;
  return meanMs * (1 - JITTER + 2 * JITTER * random);
}
