/** Opens sessions of datagrams with a server (WIRE 10). */
import type { Link, PathOffer } from "../../shared/netcode/link.ts";
import { joinedDatagramAddress, pathAddressOf } from "./datagram_address.ts";
import type { JoinWish } from "./join.ts";
import { openWebTransportLink } from "./web_transport_link.ts";

/**
 * Joins by a session of datagrams alone.
 * @param server as for `joinedSocketUrl`
 * @returns a link which closes with the code and words of a refusal, or with 1006
 */
export function openWholeSession(server: string, wish: JoinWish): Link {
  return openWebTransportLink(joinedDatagramAddress(server, wish));
}

/** Opens the session of a path beside a socket. @param server as for `joinedSocketUrl` */
export function openPathSession(server: string, offer: PathOffer): Link {
  return openWebTransportLink(pathAddressOf(server, offer));
}
