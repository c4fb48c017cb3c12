/** The peer of a link, and the customer that limits are counted for. */

/** A client as the network shows it. */
export interface Peer {
  /** The number of the link, by which the log names it. */
  readonly link: number;
  /** The IP address, as a trusted proxy gives it or as the connection has it. */
  readonly address: string;
  /** The customer behind the address. */
  readonly addressBlock: string;
}

/** The peer of a link without a network, in tests and in the lab. */
export const LOCAL_PEER: Peer = { link: 0, address: "127.0.0.1", addressBlock: "127.0.0.1" };

/**
 * The customer behind an address: an IPv4 address itself, or the first 64 bits of an IPv6 address. One customer holds a
 * whole IPv6 network of 2^64 addresses (RFC 6177).
 */
export function addressBlockOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address; // IPv4, also as ::ffff:192.0.2.1
  const [left = "", right] = address.split("%", 1)[0]!.split("::");
  const before = left === "" ? [] : left.split(":"),
    after = right === undefined || right === "" ? [] : right.split(":");
  const zeros = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}
