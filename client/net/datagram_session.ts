/** Opens datagram sessions with a server (WIRE 10). */
import type { Link, PathOffer } from "../../shared/netcode/link.ts";
import { joinedDatagramAddress, pathAddressOf } from "./datagram_address.ts";
import type { JoinRequest } from "./join.ts";
import type { Servers } from "./servers.ts";
import { openWebTransportLink } from "./web_transport_link.ts";

/**
 * Joins by a datagram session without a socket.
 * @param servers as for `joinedSocketUrl`
 * @returns a link that closes with a refusal's code and words, or with 1006
 */
export function openWholeSession(servers: string | Servers, joinRequest: JoinRequest): Link {
  const request = new AbortController();
  return openWebTransportLink(
    joinedDatagramAddress(servers, { ...joinRequest, signal: request.signal }),
    request,
  );
}

/** Opens the session for a path beside a socket. @param socketUrl as for `pathAddressOf` */
export function openPathSession(socketUrl: string | Promise<string>, offer: PathOffer): Link {
  return openWebTransportLink(pathAddressOf(socketUrl, offer));
}
