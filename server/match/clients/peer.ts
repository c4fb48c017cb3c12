/** Who is at the other end of a link. */

/** A client as the network shows it. */
export interface Peer {
  /** The number of the link, by which the log names it. */
  readonly link: number;
  /** The IP address, as a trusted proxy gives it or as the connection has it. */
  readonly address: string;
  /** The customer behind the address. */
  readonly addressBlock: string;
  /** Whether the log leaves the link out, because its address has too many (SPEC 14.10). */
  readonly isUnlogged?: boolean;
}

/** The peer of a link without a network, in tests and in the lab. */
export const LOCAL_PEER: Peer = { link: 0, address: "127.0.0.1", addressBlock: "127.0.0.1" };
