/**
 * The page's line, which its player may make worse: `?rtt=200&jitter=10&loss=1`, or the overlay's sliders while he plays. What the
 * model does not hold back passes at once, so that a line nobody touches is the line itself.
 */
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { tapLink } from "./link_tap.ts";
import type { Clock, Link, MessageHandler } from "../../shared/netcode/link.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";

/** Worse than this is no line to look at, ms. */
export const RTT_MS_MAX = 1000;
export const JITTER_MS_MAX = 200;
export const LOSS_PERCENT_MAX = 20;

/** What is added to the real line. Whoever holds it may change it at any time. */
export interface NetworkConditions {
  /** Round trip, ms. */
  rttMs: number;
  /** Standard deviation in each direction, ms. */
  jitterMs: number;
  /** Of what is sent, in each direction; on an ordered line it comes later, and holds up all behind it. */
  lossPercent: number;
  /** What else a kind of line has: pauses, a queue that fills. */
  more: Omit<NetworkModel, "oneWayMs" | "jitterMs" | "loss">;
}

/** @param search what the address has behind its "?" */
export function parseNetworkConditions(search: string): NetworkConditions {
  const query = new URLSearchParams(search);
  const number = (name: string, max: number) => Math.min(max, Math.max(0, Number(query.get(name)) || 0));
  return {
    rttMs: number("rtt", RTT_MS_MAX),
    jitterMs: number("jitter", JITTER_MS_MAX),
    lossPercent: number("loss", LOSS_PERCENT_MAX),
    more: {},
  };
}

export class ConditionedLink implements Link {
  readonly #clock: Clock;
  readonly #simulatedLink: SimulatedLink;

  constructor(inner: Link, { conditions, clock, seed }: { conditions: NetworkConditions; clock: Clock; seed: number }) {
    this.#clock = clock;
    const tapped = tapLink(inner, { onHandled: () => this.advance() });
    this.#simulatedLink = new SimulatedLink(tapped, { model: modelOf(conditions), seed, clock });
  }

  get ordered(): boolean {
    return this.#simulatedLink.ordered;
  }

  send(message: Uint8Array): void {
    this.#simulatedLink.send(message);
    this.advance();
  }

  sendReliably(message: Uint8Array): void {
    this.#simulatedLink.sendReliably(message);
    this.advance();
  }

  onMessage(handler: MessageHandler): void {
    this.#simulatedLink.onMessage(handler);
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#simulatedLink.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#simulatedLink.close(code, reason);
  }

  get bufferedBytes(): number {
    return this.#simulatedLink.bufferedBytes;
  }

  /** When `advance` has something to deliver; Infinity while nothing is on its way. */
  get nextDueMs(): number {
    return this.#simulatedLink.nextDueMs;
  }

  /** Delivers what is due. */
  advance(): void {
    this.#simulatedLink.advance(this.#clock.now());
  }
}

/** A model that is at each moment what the quality says then. */
function modelOf(conditions: NetworkConditions): NetworkModel {
  const model = {
    get oneWayMs() {
      return conditions.rttMs / 2;
    },
    get jitterMs() {
      return conditions.jitterMs;
    },
    get loss() {
      return conditions.lossPercent / 100;
    },
    get upLongerMs() {
      return conditions.more.upLongerMs;
    },
    get correlated() {
      return conditions.more.correlated;
    },
    get pauses() {
      return conditions.more.pauses;
    },
    get regimes() {
      return conditions.more.regimes;
    },
    get bloat() {
      return conditions.more.bloat;
    },
    get reroute() {
      return conditions.more.reroute;
    },
  };
  // Undefined, said by a getter, is what the model calls left out.
  return model as NetworkModel;
}
