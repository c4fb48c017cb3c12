/** One of this server's links, whatever carries it, and how it ends. */
import type { Link } from "../../shared/netcode/link.ts";
import type { Transport } from "../match/clients/peer.ts";
import type { CloseInitiator } from "../metrics/metrics.ts";

/** The code and reason with which a link ends. */
export interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

/** How a link has ended. */
export type LinkEnd = CloseInfo & {
  /** The end that chose the code; 1006 by the peer means that the connection was cut. */
  readonly by: CloseInitiator;
};

export interface ServerLink extends Link {
  readonly transport: Transport;
  /** Resolves when the link has ended; it never rejects. */
  readonly closed: Promise<LinkEnd>;
}
