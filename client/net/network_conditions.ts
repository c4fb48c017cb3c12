/**
 * The page's line, which its player may make worse: `?rtt=200&jitter=10&loss=1`, or the overlay's sliders while he plays. What the
 * model does not hold back passes at once, so that a line nobody touches is the line itself.
 */
import type { LineModel } from "../../shared/netcode/simulated_network/network_model.ts";
import type { Clock, Link, MessageHandler } from "../../shared/netcode/link.ts";
import { ModelledLink } from "../../shared/netcode/simulated_network/simulated_link.ts";

/** Worse than this is no line to look at, ms. */
export const RTT_MS_MAX = 1000;
export const JITTER_MS_MAX = 200;
export const LOSS_PERCENT_MAX = 20;

/** What is added to the real line. Whoever holds it may change it at any time. */
export interface LineQuality {
  /** Round trip, ms. */
  rttMs: number;
  /** Standard deviation in each direction, ms. */
  jitterMs: number;
  /** Of what is sent, in each direction; on an ordered line it comes later, and holds up all behind it. */
  lossPercent: number;
  /** What else a kind of line has: pauses, a queue that fills. */
  more: Omit<LineModel, "oneWayMs" | "jitterMs" | "loss">;
}

/** @param search what the address has behind its "?" */
export function qualityFrom(search: string): LineQuality {
  const query = new URLSearchParams(search);
  const number = (name: string, max: number) => Math.min(max, Math.max(0, Number(query.get(name)) || 0));
  return {
    rttMs: number("rtt", RTT_MS_MAX),
    jitterMs: number("jitter", JITTER_MS_MAX),
    lossPercent: number("loss", LOSS_PERCENT_MAX),
    more: {},
  };
}

export class Line implements Link {
  readonly #clock: Clock;
  readonly #modelled: ModelledLink;

  constructor(inner: Link, { quality, clock, seed }: { quality: LineQuality; clock: Clock; seed: number }) {
    this.#clock = clock;
    const watched: Link = {
      ordered: inner.ordered,
      send: (message) => inner.send(message),
      sendReliably: (message) => inner.sendReliably(message),
      onMessage: (handler) =>
        inner.onMessage((message, reliably) => {
          handler(message, reliably);
          this.advance();
        }),
      onClose: (handler) => inner.onClose(handler),
      close: (code, reason) => inner.close(code, reason),
      get bufferedBytes() {
        return inner.bufferedBytes;
      },
    };
    this.#modelled = new ModelledLink(watched, { model: modelOf(quality), seed, clock });
  }

  get ordered(): boolean {
    return this.#modelled.ordered;
  }

  send(message: Uint8Array): void {
    this.#modelled.send(message);
    this.advance();
  }

  sendReliably(message: Uint8Array): void {
    this.#modelled.sendReliably(message);
    this.advance();
  }

  onMessage(handler: MessageHandler): void {
    this.#modelled.onMessage(handler);
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#modelled.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#modelled.close(code, reason);
  }

  get bufferedBytes(): number {
    return this.#modelled.bufferedBytes;
  }

  /** When `advance` has something to deliver; Infinity while nothing is on its way. */
  get nextDueMs(): number {
    return this.#modelled.nextDueMs;
  }

  /** Delivers what is due. */
  advance(): void {
    this.#modelled.advance(this.#clock.now());
  }
}

/** A model that is at each moment what the quality says then. */
function modelOf(quality: LineQuality): LineModel {
  const model = {
    get oneWayMs() {
      return quality.rttMs / 2;
    },
    get jitterMs() {
      return quality.jitterMs;
    },
    get loss() {
      return quality.lossPercent / 100;
    },
    get upLongerMs() {
      return quality.more.upLongerMs;
    },
    get correlated() {
      return quality.more.correlated;
    },
    get pauses() {
      return quality.more.pauses;
    },
    get regimes() {
      return quality.more.regimes;
    },
    get bloat() {
      return quality.more.bloat;
    },
    get reroute() {
      return quality.more.reroute;
    },
  };
  // Undefined, said by a getter, is what the model calls left out.
  return model as LineModel;
}
