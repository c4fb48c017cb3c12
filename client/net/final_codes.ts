/**
 * The close codes that end a client's attempts, apart from the file with its waits, because a page
 * shows words for each instead.
 */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";

/**
 * The close codes after which a client stays away, because another attempt would only meet the same
 * refusal (WIRE 12). `connection_messages.ts` says why in words.
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
  CloseCode.differs,
]);
