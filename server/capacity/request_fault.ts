/** Faults for which a request is refused, whatever it is sent to. */
import {
  CloseCode,
  type Hello,
  PROTOCOL_VERSION,
  ROOM_CODE,
} from "../../shared/netcode/wire/messages.ts";
import type { HelloRefusal } from "./capacity_check.ts";

/**
 * @param gameIds the hosted games
 * @returns a refusal for another version, an unknown game, or an invalid room code
 */
export function requestFaultOf(
  { protocolVersion, gameId, room }: Pick<Hello, "protocolVersion" | "gameId" | "room">,
  gameIds: readonly string[],
): HelloRefusal | undefined {
  if (protocolVersion !== PROTOCOL_VERSION) {
    return { code: CloseCode.version, reason: `protocol ${PROTOCOL_VERSION} is spoken here` };
  }
  if (!gameIds.includes(gameId)) {
    return {
      code: CloseCode.game,
      reason: `${gameIds.join(", ")} ${gameIds.length === 1 ? "is" : "are"} played here`,
    };
  }
  if (!ROOM_CODE.test(room)) {
    return { code: CloseCode.roomCode, reason: "a room code is four letters, A to Z" };
  }
  return undefined;
}
