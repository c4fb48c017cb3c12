/**
 * A line between a client and a server on this machine, as the relays of TCP and UDP take it. It is
 * the lab's own description, so the lab and a live test run the same line.
 */
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";

export const LOOPBACK = "127.0.0.1";

export interface Line {
  readonly model: NetworkModel;
  /** The first client's line has this seed, and each further one the next. */
  readonly seed: number;
}

/** A line that only passes things on. */
export const NO_LINE: Line = { model: { oneWayMs: 0, jitterMs: 0 }, seed: 0 };

/** An address of this machine, for the clients of a relay. */
export interface RelayPlace {
  /** 127.0.0.1, or another one of 127.0.0.0/8. */
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
}
