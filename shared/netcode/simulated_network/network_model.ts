/**
 * What a line does to the messages that are sent over it, from a seed. One way's delay is
 *
 *     delay(t) = shortest + detour(t) + rest of the pause at t + jitter · factor(t)        jitter lognormal, mean = deviation
 *
 * An ordered way (TCP) loses nothing: a lost segment is sent again, and everything behind it waits. A datagram way loses in
 * bursts (Gilbert–Elliott), repeats one in a hundred, and lets the quick ones overtake the slow.
 */
import { exp } from "../../exp.ts";
import type { Random } from "../../random.ts";

/** From … to, evenly drawn. */
export type Span = readonly [number, number];

/** A line. What is left out does not happen. */
export interface NetworkModel {
  /** Half of the shortest round trip, ms. */
  readonly oneWayMs: number;
  /** Standard deviation and mean of what comes on top, in each direction, ms. */
  readonly jitterMs: number;
  /** The way up takes this much longer than half the round trip, the way down as much less, ms. */
  readonly upLongerMs?: number;
  /** The share of segments or datagrams that are lost, 0 … 0.5. */
  readonly loss?: number;
  /** Neighbours are delayed alike: the logarithm of the jitter is AR(1). */
  readonly correlated?: boolean;
  /** The medium is taken now and then, in both directions: what is sent meanwhile waits until it is free. */
  readonly pauses?: { readonly everyMs: Span; readonly lengthMs: Span };
  /** The jitter is multiplied by each of these in turn. */
  readonly regimes?: { readonly factors: readonly number[]; readonly eachMs: number };
  /** A queue on the way up fills over the last `riseMs` of every `everyMs`, by `byMs`, and is then empty again. */
  readonly bloat?: { readonly everyMs: number; readonly riseMs: number; readonly byMs: number };
  /** From `atMs` after the beginning the round trip takes `byMs` longer. */
  readonly reroute?: { readonly atMs: number; readonly byMs: number };
}

/** Where an ordered way sends a lost segment again: usually after this many round trips … */
const RESENT_ROUND_TRIPS: Span = [1.15, 1.35];
/** … and one in ten, for want of news from the other end, after a timeout (RFC 6298: srtt + 4 rttvar; Linux: at least 200 ms). */
const TIMEOUT_SHARE = 0.1;
const TIMEOUT_MS_MIN = 200;
const TIMEOUT_ROUND_TRIPS = 1.5;

/** Datagrams lost in a row, in the mean. */
const LOSS_BURST = 3;
const DUPLICATED_SHARE = 0.01;
/** So many datagrams take another path, up to this much longer: the next ones overtake them, whatever the jitter. */
const DETOUR_SHARE = 0.005;
const DETOUR_MS: Span = [50, 100];

/** How much of the logarithm of one message's jitter the next one has. */
const CORRELATION = 0.9;
/** sqrt(1 - 0.9²): what keeps the deviation. */
const INNOVATION = 0.4358898943540674;
/** sqrt(ln 2): the sigma of ln X that makes a lognormal mean equal its standard deviation. */
const LOG_SIGMA = 0.8325546111576977;

/** When messages that are sent now arrive, in one direction of a line. */
export interface Channel {
  /**
   * @param sinceMs how long ago the line began
   * @returns when the message arrives, in the same ms; Infinity where it is lost
   */
  send(sinceMs: number): number;
}

/** What happens to a line as a whole. Ask it in the order of time. */
export class Conditions {
  readonly #model: NetworkModel;
  readonly #random: Random;
  #pauseFrom = 0;
  #pauseTo = 0;

  constructor(model: NetworkModel, random: Random) {
    this.#model = model;
    this.#random = random;
    this.#planPause();
  }

  /** How long what is sent now waits for the medium, ms. */
  pauseMs(sinceMs: number): number {
    if (this.#model.pauses === undefined) return 0;
    while (sinceMs >= this.#pauseTo) this.#planPause();
    return sinceMs < this.#pauseFrom ? 0 : this.#pauseTo - sinceMs;
  }

  /** What the jitter is multiplied by now. */
  jitterFactor(sinceMs: number): number {
    const { regimes } = this.#model;
    if (regimes === undefined) return 1;
    return regimes.factors[Math.floor(sinceMs / regimes.eachMs) % regimes.factors.length]!;
  }

  /** The delay that a way has without jitter and pauses, ms. @param isUp which way */
  baseMs(sinceMs: number, isUp: boolean): number {
    const { oneWayMs, upLongerMs = 0, reroute, bloat } = this.#model;
    const detourMs = reroute !== undefined && sinceMs >= reroute.atMs ? reroute.byMs / 2 : 0;
    const queuedMs = bloat !== undefined && isUp ? queueDelayMs(bloat, sinceMs) : 0;
    return oneWayMs + (isUp ? upLongerMs : -upLongerMs) + detourMs + queuedMs;
  }

  #planPause(): void {
    const { pauses } = this.#model;
    if (pauses === undefined) return;
    this.#pauseFrom = this.#pauseTo + drawUniform(pauses.everyMs, this.#random);
    this.#pauseTo = this.#pauseFrom + drawUniform(pauses.lengthMs, this.#random);
  }
}

interface ChannelOptions {
  readonly model: NetworkModel;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly isUp: boolean;
}

/** Delay without loss; both kinds of ways have it. */
class Delay {
  readonly #options: ChannelOptions;
  /** The standard normal value behind the newest jitter. */
  #deviate = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  drawMs(sinceMs: number): number {
    const { conditions, isUp } = this.#options;
    const baseMs = conditions.baseMs(sinceMs, isUp) + conditions.pauseMs(sinceMs);
    return baseMs + this.#jitterMs() * conditions.jitterFactor(sinceMs);
  }

  #jitterMs(): number {
    const { model: { jitterMs, correlated }, random } = this.#options;
    if (jitterMs === 0) return 0;
    const fresh = drawNormal(random);
    this.#deviate = correlated ? CORRELATION * this.#deviate + INNOVATION * fresh : fresh;
    // mean = exp(mu + variance/2), so exp(mu) = mean / exp(variance/2) = mean / sqrt(2)
    return jitterMs * Math.SQRT1_2 * exp(LOG_SIGMA * this.#deviate);
  }
}

/** TCP's way: nothing is lost, nothing overtakes. */
export class ReliableChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #delay: Delay;
  #newestAtMs = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#delay = new Delay(options);
  }

  send(sinceMs: number): number {
    const atMs = sinceMs + this.#delay.drawMs(sinceMs) + this.#resentAfterMs();
    this.#newestAtMs = Math.max(this.#newestAtMs, atMs);
    return this.#newestAtMs;
  }

  #resentAfterMs(): number {
    const { model: { loss = 0, oneWayMs }, random } = this.#options;
    if (loss === 0 || !random.chance(loss)) return 0;
    const roundTripMs = 2 * oneWayMs;
    if (random.chance(TIMEOUT_SHARE)) return Math.max(TIMEOUT_MS_MIN, TIMEOUT_ROUND_TRIPS * roundTripMs);
    return roundTripMs * drawUniform(RESENT_ROUND_TRIPS, random);
  }
}

/** UDP's way. */
export class DatagramChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #delay: Delay;
  #isLosing = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#delay = new Delay(options);
  }

  send(sinceMs: number): number {
    if (this.#isLost()) return Infinity;
    const { random } = this.#options;
    const detourMs = random.chance(DETOUR_SHARE) ? drawUniform(DETOUR_MS, random) : 0;
    return sinceMs + this.#delay.drawMs(sinceMs) + detourMs;
  }

  /** When a second copy of what has just been sent arrives; Infinity where there is none. */
  repeat(sinceMs: number): number {
    return this.#options.random.chance(DUPLICATED_SHARE) ? sinceMs + this.#delay.drawMs(sinceMs) : Infinity;
  }

  /**
   * Gilbert–Elliott with nothing lost in the good state and everything in the bad one. Leaving the bad one with 1/burst and
   * entering it with loss / ((1 - loss) · burst) gives the asked share.
   */
  #isLost(): boolean {
    const { model: { loss = 0 }, random } = this.#options;
    if (loss === 0) return false;
    const change = this.#isLosing ? 1 / LOSS_BURST : loss / ((1 - loss) * LOSS_BURST);
    if (random.chance(change)) this.#isLosing = !this.#isLosing;
    return this.#isLosing;
  }
}

function queueDelayMs(bloat: NonNullable<NetworkModel["bloat"]>, sinceMs: number): number {
  const { everyMs, riseMs, byMs } = bloat;
  const risenMs = sinceMs % everyMs - (everyMs - riseMs);
  return risenMs <= 0 ? 0 : byMs * risenMs / riseMs;
}

function drawUniform([from, to]: Span, random: Random): number {
  return from + (to - from) * random.fraction();
}

/** Irwin–Hall: twelve uniform values less six have mean 0 and variance 1, and tails long enough for a line. */
function drawNormal(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.fraction();
  return sum;
}
