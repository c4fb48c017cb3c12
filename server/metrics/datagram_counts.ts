/** The UDP port's counts, for the metrics. A server without that port counts nothing. */

/**
 * How a QUIC connection turned out:
 *
 *     opened        a link
 *     full          refused: too many of all were opening, or came within a second
 *     address_full  refused: too many of its address were opening
 *     refused       its request was refused, as a socket would have been
 *     late          it was no link after 3 s
 *     broken        it broke HTTP/3
 *     vanished      it ended, or its TLS handshake failed
 */
export const HANDSHAKE_OUTCOMES = [
  "opened",
  "full",
  "address_full",
  "refused",
  "late",
  "broken",
  "vanished",
] as const;
export type HandshakeOutcome = typeof HANDSHAKE_OUTCOMES[number];

export class DatagramCounts {
  /** Connections that are not links yet. */
  opening = 0;
  readonly handshakes: Record<HandshakeOutcome, number> = {
    opened: 0,
    full: 0,
    address_full: 0,
    refused: 0,
    late: 0,
    broken: 0,
    vanished: 0,
  };
  /** Datagrams that a link has taken. */
  received = 0;
  /** Datagrams that a link has given to QUIC; the network may have lost some of them. */
  sent = 0;
  /** Datagrams without a session, or after a close. */
  receivedDropped = 0;
  /** Datagrams that the path did not accept, or that were too long for it. */
  sentDropped = 0;
}
