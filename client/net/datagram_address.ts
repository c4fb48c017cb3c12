/**
 * The addresses of sessions of datagrams: those with a ticket, and those that are a path beside a
 * socket (WIRE 10).
 */
import { type DatagramOffer, type PathOffer, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { join, type JoinRequest } from "./join.ts";
import { JoinRefusal } from "./join_refusal.ts";
import type { Servers } from "./servers.ts";

/** The place of a session of datagrams. */
export interface DatagramAddress {
  /** https://… */
  readonly url: string;
  /**
   * The SHA-256 of the server's own certificate; undefined for one that an authority has signed.
   */
  readonly certificateHash: Uint8Array<ArrayBuffer> | undefined;
  /**
   * The server's time of day when it gave the address, as HTTP has it; empty if it has not said it.
   */
  readonly serverDate?: string;
}

/**
 * The address of datagrams, with a new ticket.
 * @throws as `joinedSocketUrl`, also if the server has no datagrams
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
 * The address of a datagram path.
 * @param socketUrl of the socket that brought the offer, ws://… or wss://…
 */
export async function pathAddressOf(
  socketUrl: string | Promise<string>,
  offer: PathOffer,
): Promise<DatagramAddress> {
  const { protocol, host } = new URL(await socketUrl);
  const server = `${protocol.replace("ws", "http")}//${host}`;
  // A page whose clock is wrong cannot trust the server's own certificate, and should say so. It
  // sees the time of day of its own server alone: another machine's answer has it, too, but
  // browsers hide it.
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

/** The bytes of hexadecimal digits. */
function bytesOfHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
