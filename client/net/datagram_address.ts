/**
 * Finds the addresses for datagram sessions: those with a ticket, and those that are a path beside
 * a socket (WIRE 10).
 */
import { type DatagramOffer, type PathOffer, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { join, type JoinRequest } from "./join.ts";
import { JoinRefusal } from "./join_refusal.ts";
import type { Servers } from "./servers.ts";

/** Where to open a datagram session. */
export interface DatagramAddress {
  /** https://… */
  readonly url: string;
  /**
   * The SHA-256 of the server's self-signed certificate; undefined for one that an authority
   * signed.
   */
  readonly certificateHash: Uint8Array<ArrayBuffer> | undefined;
  /**
   * The server's time of day when it gave the address, in HTTP's format; empty if the server did
   * not say it.
   */
  readonly serverDate?: string;
}

/**
 * Joins, and returns the address for datagrams with a new ticket.
 * @throws as `joinedSocketUrl`, and if the server offers no datagrams
 */
export async function joinedDatagramAddress(
  servers: string | Servers,
  joinRequest: JoinRequest,
): Promise<DatagramAddress> {
  const { ticket, server, datagrams, serverDate } = await join(servers, joinRequest);
  if (datagrams === undefined) throw new JoinRefusal(0, "this server has no datagrams");
  return { ...datagramAddressOf(server, { ...datagrams, query: `ticket=${ticket}` }), serverDate };
}

/**
 * Finds the address for a datagram path.
 * @param socketUrl the socket that brought the offer, ws://… or wss://…
 */
export async function pathAddressOf(
  socketUrl: string | Promise<string>,
  offer: PathOffer,
): Promise<DatagramAddress> {
  const { protocol, host } = new URL(await socketUrl);
  const server = `${protocol.replace("ws", "http")}//${host}`;
  // A page with a wrong clock cannot trust the server's own certificate, and should say so. It can
  // ask only its own server for the time of day, because browsers hide that header in another
  // machine's answer.
  const isForeign = globalThis.location !== undefined && location.origin !== server;
  const answer = isForeign ? undefined : await fetch(`${server}/healthz`).catch(() => undefined);
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

/** Converts hexadecimal digits to bytes. */
function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
