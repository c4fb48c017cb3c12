/** The link with which an operator watches a room, even a private one, without taking a seat. */
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import type { Tickets } from "./tickets.ts";

export interface WatchLinkOptions {
  /** The tickets of the process that runs the room. */
  readonly tickets: Pick<Tickets, "issue">;
  /** The origin of the players' page. */
  readonly pageUrl: string;
  readonly gameId: string;
  /** The game's name; empty for a game that is hosted alone. */
  readonly game: string;
  readonly room: string;
  /** The address of the process that runs the room; undefined if it also serves the page. */
  readonly server?: string;
}

/** @returns a link for one use within 45 s */
export function watchLinkOf(
  { tickets, pageUrl, gameId, game, room, server }: WatchLinkOptions,
): string {
  const ticket = tickets.issue({
    gameId,
    room,
    role: "operator",
    name: "",
    protocolVersion: PROTOCOL_VERSION,
  });
  // Behind the "#", so that it does not appear in logs.
  const secret = server === undefined ? ticket : `${ticket}@${server}`;
  return `${pageUrl}/${game === "" ? "" : `${game}/`}watch#${room}.${secret}`;
}
