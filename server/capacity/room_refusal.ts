/** Decides why an open room may be closed to a client that has no seat in it. */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import type { TicketClaims } from "../match/clients/peer.ts";
import { sameTexts } from "../ground/server_secret.ts";
import type { HelloRefusal } from "./capacity_check.ts";

/** What decides whether a room may be entered. */
export interface EnteredRoom {
  /** The digest of the room's key; undefined for a public room. */
  readonly key: string | undefined;
  readonly match: { readonly seats: { isTaken(seat: number): boolean } };
}

/** @returns undefined if the room is open to the client */
export function roomRefusalOf(
  { key, match }: EnteredRoom,
  ticket: TicketClaims | undefined,
): HelloRefusal | undefined {
  if (ticket?.role === "operator") return undefined;
  if (key === undefined) {
    if (ticket?.key !== undefined) {
      return unauthorised("This room is open to all now. Its link has no key.");
    }
  } else if (!sameTexts(key, ticket?.key ?? "")) {
    return unauthorised("This room is private. Ask a player in it for its link.");
  }

  const seat = ticket?.seat;
  return seat !== undefined && match.seats.isTaken(seat)
    ? unauthorised(`Another player has your seat, number ${seat}.`)
    : undefined;
}

/** Refuses a client that wants a new room under a code that is in use. */
export function roomTaken(room: string): HelloRefusal {
  return { code: CloseCode.roomTaken, reason: `room ${room} is taken` };
}

/** @param reason a sentence, which the page shows */
export function unauthorised(reason: string): HelloRefusal {
  return { code: CloseCode.unauthorised, reason };
}
