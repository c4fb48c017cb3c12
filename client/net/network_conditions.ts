/**
 * The page's network, which the player may make worse by `?rtt=200&jitter=10&loss=1` in the URL, or
 * by the overlay's sliders during play. A message that the model does not delay passes at once, so
 * without added conditions the link behaves like the inner one.
 */
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { tapLink } from "./link_tap.ts";
import type { ClientLink, ClientPath, Clock, MessageHandler } from "../../shared/netcode/link.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";

/** Upper limits for the conditions that a player can set; round trip and jitter in ms. */
export const RTT_MS_MAX = 1000;
export const JITTER_MS_MAX = 200;
export const LOSS_PERCENT_MAX = 20;

/** Conditions added to the real network. They may be changed at any time. */
export interface NetworkConditions {
  /** Round trip, ms. */
  rttMs: number;
  /** Standard deviation in each direction, ms. */
  jitterMs: number;
  /**
   * How many messages in a hundred are lost in each direction. On a reliable link a lost message
   * arrives late and delays all behind it.
   */
  lossPercent: number;
  /** Other properties for the network model, such as pauses or a queue that fills. */
  more: Omit<NetworkModel, "oneWayMs" | "jitterMs" | "loss">;
}

/**
 * Reads conditions from a URL's query, clamped to their limits.
 * @param search the query, with or without its "?"
 */
export function parseNetworkConditions(search: string): NetworkConditions {
  const query = new URLSearchParams(search);
  const number = (name: string, max: number) =>
    Math.min(max, Math.max(0, Number(query.get(name)) || 0));
  return {
    rttMs: number("rtt", RTT_MS_MAX),
    jitterMs: number("jitter", JITTER_MS_MAX),
    lossPercent: number("loss", LOSS_PERCENT_MAX),
    more: {},
  };
}

export class ConditionedLink implements ClientLink {
  readonly #clock: Clock;
  readonly #simulatedLink: SimulatedLink;
  readonly path: ClientPath | undefined;

  constructor(
    inner: ClientLink,
    { conditions, clock, seed }: { conditions: NetworkConditions; clock: Clock; seed: number },
  ) {
    this.#clock = clock;
    const tapped = tapLink(inner, { onHandled: () => this.advance() });
    this.#simulatedLink = new SimulatedLink(tapped, { model: modelOf(conditions), seed, clock });
    this.path = this.#simulatedLink.path;
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

  get stage(): ClientLink["stage"] {
    return this.#simulatedLink.stage;
  }

  /**
   * When `advance` will next deliver a message, ms on the clock; Infinity if none is in transit.
   */
  get nextDueMs(): number {
    return this.#simulatedLink.nextDueMs;
  }

  /** Delivers the messages that are due. */
  advance(): void {
    this.#simulatedLink.advance(this.#clock.now());
  }
}

/** Makes a network model that follows the present conditions. */
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

  // The model treats a getter that returns undefined as an absent property.
  return model as NetworkModel;
}
