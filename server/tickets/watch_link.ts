/** The link with which an operator watches a room, also a private one, without taking a seat. */
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import type { Rooms } from "../rooms.ts";
import type { Tickets } from "./tickets.ts";

/**
 * @param options.pageUrl the origin of the players' page
 * @param options.game the game's name
 * @returns a link for one use within 45 s; undefined if there is no such room
 */
export function watchLinkOf(
  rooms: Pick<Rooms<unknown>, "byGame">,
  { tickets, pageUrl, game, room }: { tickets: Tickets; pageUrl: string; game: string; room: string },
): string | undefined {
  const played = rooms.byGame.get(game);
  if (played === undefined || !played.has(room)) return undefined;
  const ticket = tickets.issue({
    gameId: played.game.id,
    room,
    role: "operator",
    name: "",
    protocolVersion: PROTOCOL_VERSION,
  });
  // Behind the "#", so that it stands in no log.
  return `${pageUrl}/${rooms.byGame.size > 1 ? `${game}/` : ""}watch#${room}.${ticket}`;
}
