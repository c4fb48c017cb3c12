/** Faults for which a request is refused, whatever it is sent to. */
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import {
  CloseCode,
  type Hello,
  PROTOCOL_VERSION,
  ROOM_CODE,
} from "../../shared/netcode/wire/messages.ts";
import type { HelloRefusal } from "./capacity_check.ts";

/** The room that a client wants to enter, and how. */
export type RoomRequest = Pick<Hello, "room" | "spectate" | "resume">;

/** What a client asks for, in a hello or to get a ticket. */
export type EntryRequest = RoomRequest & Pick<Hello, "protocolVersion" | "gameId"> & {
  /** The fingerprint of the client's rules; undefined if it names none. */
  readonly rules?: string | undefined;
};

/**
 * @param gameIds the hosted games
 * @param rulesOf gives a game's fingerprint; undefined for a server that runs from its sources
 * @returns a refusal for another version, an unknown game, other rules, or an invalid room code
 */
export function requestFaultOf(
  { protocolVersion, gameId, rules, room }: Pick<
    EntryRequest,
    "protocolVersion" | "gameId" | "rules" | "room"
  >,
  gameIds: readonly string[],
  rulesOf = builtRulesOf,
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
  const ownRules = rulesOf(gameId);
  if (rules !== undefined && ownRules !== undefined && rules !== ownRules) {
    return {
      code: CloseCode.version,
      reason: `${gameId} has other rules here, ${ownRules} and not ${rules}: ` +
        "reload the page, or start the bots from this build",
    };
  }
  if (!ROOM_CODE.test(room)) {
    return { code: CloseCode.roomCode, reason: "a room code is four letters, A to Z" };
  }
  return undefined;
}
