/**
 * The close codes that end a client's attempts. They are not beside its waits, because a page has
 * words for each instead.
 */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";

/**
 * The close codes after which another attempt would only meet the same refusal, so that a client
 * stays away (WIRE 12). A page says why in `connection_messages.ts`.
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
