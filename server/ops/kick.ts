/** Takes a player out of a room, and keeps them out of it for a while. */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { type Bans, KICK_SECONDS } from "../bans/bans.ts";
import type { Peer } from "../match/clients/peer.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { isMeant, type MeantLinks } from "./meant.ts";

/**
 * Without the ban a page would come back at once, by another link. A player whom the operator's
 * function knows by name is kept out by that, so that nobody behind the same address is; all others
 * are kept out by their address.
 * @returns how many links were closed
 */
export function kick(
  meant: Pick<MeantLinks, "link">,
  { rooms, bans, reason }: {
    rooms: Pick<Rooms<unknown>, "details" | "byGame" | "closeLinks">;
    bans: Pick<Bans, "bar">;
    reason: string;
  },
): number {
  const place = rooms.details().find(({ clients }) =>
    clients.some(({ link }) => link === meant.link)
  );
  const gameId = place && rooms.byGame.get(place.game)?.game.id;

  // The ban first, because the page may ask for a ticket as soon as its link is closed.
  const isKicked = (peer: Peer) => {
    if (!isMeant(peer, { link: meant.link })) return false;
    if (place !== undefined && gameId !== undefined) {
      const { addressBlock, ticket } = peer;
      const account = ticket?.identity === undefined ? "" : ticket.account ?? "";
      const who = { addressBlock: account === "" ? addressBlock : "", account };
      bans.bar({ ...who, gameId, room: place.room }, KICK_SECONDS);
    }
    return true;
  };
  return rooms.closeLinks(isKicked, CloseCode.kicked, reason);
}
