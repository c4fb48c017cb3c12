/** The addresses of sessions of datagrams: those with a ticket, and those that are a path beside a socket (WIRE 10). */
import { type DatagramOffer, type PathOffer, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { join, JoinRefusal, type JoinWish } from "./join.ts";

/** The place of a session of datagrams. */
export interface DatagramAddress {
  /** https://… */
  readonly url: string;
  /** The SHA-256 of the server's own certificate; undefined for one that an authority has signed. */
  readonly certificateHash: Uint8Array<ArrayBuffer> | undefined;
  /** The server's time of day when it gave the address, as HTTP has it; empty if it has not said it. */
  readonly serverDate?: string;
}

/** The address of datagrams, with a new ticket. @throws as `joinedSocketUrl`, also if the server has no datagrams */
export async function joinedDatagramAddress(server: string, wish: JoinWish): Promise<DatagramAddress> {
  const { ticket, datagrams, serverDate } = await join(server, wish);
  if (datagrams === undefined) throw new JoinRefusal(0, "this server has no datagrams");
  return { ...datagramAddressOf(server, { ...datagrams, query: `ticket=${ticket}` }), serverDate };
}

/** The address of a datagram path. @param server as for `joinedSocketUrl` */
export async function pathAddressOf(server: string, offer: PathOffer): Promise<DatagramAddress> {
  // A page whose clock is wrong cannot trust the server's own certificate, and should say so.
  const answer = await fetch(`${server}/healthz`).catch(() => undefined);
  await answer?.body?.cancel();
  const serverDate = answer?.headers.get("date") ?? "";
  return { ...datagramAddressOf(server, { ...offer, query: `path=${offer.token}` }), serverDate };
}

function datagramAddressOf(
  server: string,
  { port, certificateHash, query }: DatagramOffer & { readonly query: string },
): DatagramAddress {
  return {
    url: `https://${new URL(server).hostname}:${port}${SOCKET_PATH}?${query}`,
    certificateHash: certificateHash === undefined ? undefined : bytesOfHex(certificateHash),
  };
}

/** The bytes of hexadecimal digits. */
function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
