/**
 * Models a network: it draws each message's delay and loss from a seed. In one direction
 *
 *     delay(t) = shortest + detour(t) + rest of the pause at t + jitter · factor(t)
 *
 * The jitter is lognormal, with its mean equal to its standard deviation. A reliable channel (TCP)
 * loses nothing: it sends a lost segment again, and everything behind that waits. A datagram
 * channel loses in bursts (Gilbert–Elliott) and duplicates one message in a hundred; fast datagrams
 * overtake slow ones.
 */
import { exp } from "../../exp.ts";
import { Random } from "../../random.ts";

/** Bounds between which a value is drawn uniformly. */
export type Span = readonly [number, number];

/** A network's properties. Optional ones are absent by default. */
export interface NetworkModel {
  /** Half the shortest round trip, ms. */
  readonly oneWayMs: number;
  /** Standard deviation and mean of the additional delay in each direction, ms. */
  readonly jitterMs: number;
  /**
   * By how much the way to the server exceeds half the round trip, and the way back falls short of
   * it, ms.
   */
  readonly upLongerMs?: number;
  /** The share of segments or datagrams that are lost, 0 … 0.5. */
  readonly loss?: number;
  /** Consecutive messages have similar jitter: its logarithm is AR(1). */
  readonly correlated?: boolean;
  /**
   * The medium is sometimes busy in both directions. Messages sent meanwhile wait until it is free.
   */
  readonly pauses?: { readonly everyMs: Span; readonly lengthMs: Span };
  /** Factors that multiply the jitter in turn, for `eachMs` each. */
  readonly regimes?: { readonly factors: readonly number[]; readonly eachMs: number };
  /**
   * In the last `riseMs` of every `everyMs`, a queue to the server grows until it delays by `byMs`;
   * then it is empty again.
   */
  readonly bloat?: { readonly everyMs: number; readonly riseMs: number; readonly byMs: number };
  /** From `atMs` after the start the round trip takes `byMs` longer. */
  readonly reroute?: { readonly atMs: number; readonly byMs: number };
  /**
   * From `fromMs` to `toMs` after the start nothing passes in either direction: datagrams are lost,
   * and what TCP carries is sent again when the outage is over.
   */
  readonly outage?: { readonly fromMs: number; readonly toMs: number } | undefined;
}

/** A reliable channel usually sends a lost segment again after so many round trips … */
const RESENT_ROUND_TRIPS: Span = [1.15, 1.35];
/**
 * … and one in ten only after a timeout: without later segments no acknowledgement reports it (RFC
 * 6298; Linux: at least 200 ms).
 */
const TIMEOUT_SHARE = 0.1;
const TIMEOUT_MS_MIN = 200;
const TIMEOUT_ROUND_TRIPS = 1.5;

/** How many datagrams are lost in a row, on average. */
const LOSS_BURST = 3;
const DUPLICATED_SHARE = 0.01;
/**
 * How many datagrams take a longer path, so that later ones overtake them, and its additional
 * delay, ms.
 */
const DETOUR_SHARE = 0.005;
const DETOUR_MS: Span = [50, 100];

/** The AR(1) coefficient for the logarithm of the jitter. */
const CORRELATION = 0.9;
/** sqrt(1 − 0.9²), so that the standard deviation stays the same. */
const INNOVATION = 0.4358898943540674;
/** sqrt(ln 2): with this sigma of ln X a lognormal mean equals its standard deviation. */
const LOG_SIGMA = 0.8325546111576977;

/** One direction through a network. */
export interface Channel {
  /**
   * Sends a message now. Calls must be in time order.
   * @param sinceMs now, in ms since the network's start
   * @returns the arrival, in ms since the network's start; Infinity if the message is lost
   */
  send(sinceMs: number): number;
}

/** The conditions that both directions share. Calls must be in time order. */
class Conditions {
  readonly #model: NetworkModel;
  readonly #random: Random;
  #pauseFrom = 0;
  #pauseTo = 0;

  constructor(model: NetworkModel, random: Random) {
    this.#model = model;
    this.#random = random;
    this.#planPause();
  }

  /** How long a message that is sent now waits for the medium, ms. */
  pauseMs(sinceMs: number): number {
    if (this.#model.pauses === undefined) return 0;
    while (sinceMs >= this.#pauseTo) this.#planPause();
    return sinceMs < this.#pauseFrom ? 0 : this.#pauseTo - sinceMs;
  }

  /** How long the outage still lasts, ms; 0 while there is none. */
  outageMs(sinceMs: number): number {
    const { outage } = this.#model;
    if (outage === undefined || sinceMs < outage.fromMs) return 0;
    return Math.max(0, outage.toMs - sinceMs);
  }

  /** The factor that multiplies the jitter now. */
  jitterFactor(sinceMs: number): number {
    const { regimes } = this.#model;
    if (regimes === undefined) return 1;
    return regimes.factors[Math.floor(sinceMs / regimes.eachMs) % regimes.factors.length]!;
  }

  /** The delay without jitter and pauses, ms. @param isUp to the server */
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

/** The delay without loss, which both kinds of channel share. */
class Delay {
  readonly #options: ChannelOptions;
  /** The standard normal deviate behind the newest jitter. */
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
    // mean = exp(mu + sigma²/2), so exp(mu) = mean / exp(sigma²/2) = mean / sqrt(2)
    return jitterMs * Math.SQRT1_2 * exp(LOG_SIGMA * this.#deviate);
  }
}

/** A channel as TCP provides it: no message is lost or overtakes another. */
class ReliableChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #delay: Delay;
  #newestAtMs = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#delay = new Delay(options);
  }

  send(sinceMs: number): number {
    const outageMs = this.#options.conditions.outageMs(sinceMs);
    const atMs = sinceMs + outageMs + this.#delay.drawMs(sinceMs) + this.#resentAfterMs();
    this.#newestAtMs = Math.max(this.#newestAtMs, atMs);
    return this.#newestAtMs;
  }

  #resentAfterMs(): number {
    const { model: { loss = 0, oneWayMs }, random } = this.#options;
    if (loss === 0 || !random.chance(loss)) return 0;
    const roundTripMs = 2 * oneWayMs;
    if (random.chance(TIMEOUT_SHARE)) {
      return Math.max(TIMEOUT_MS_MIN, TIMEOUT_ROUND_TRIPS * roundTripMs);
    }
    return roundTripMs * drawUniform(RESENT_ROUND_TRIPS, random);
  }
}

/** A channel as UDP provides it. */
class DatagramChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #delay: Delay;
  #isLosing = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#delay = new Delay(options);
  }

  send(sinceMs: number): number {
    const { random, conditions } = this.#options;
    if (this.#isLost() || conditions.outageMs(sinceMs) > 0) return Infinity;
    const detourMs = random.chance(DETOUR_SHARE) ? drawUniform(DETOUR_MS, random) : 0;
    return sinceMs + this.#delay.drawMs(sinceMs) + detourMs;
  }

  /** Draws when a second copy of the message just sent arrives; Infinity for no copy. */
  repeat(sinceMs: number): number {
    return this.#options.random.chance(DUPLICATED_SHARE)
      ? sinceMs + this.#delay.drawMs(sinceMs)
      : Infinity;
  }

  /**
   * The Gilbert–Elliott model: the good state loses nothing, the bad state everything. The bad
   * state ends with probability 1 / burst and begins with loss / ((1 − loss) · burst). The mean
   * loss is then `loss`.
   */
  #isLost(): boolean {
    const { model: { loss = 0 }, random } = this.#options;
    if (loss === 0) return false;
    const change = this.#isLosing ? 1 / LOSS_BURST : loss / ((1 - loss) * LOSS_BURST);
    if (random.chance(change)) this.#isLosing = !this.#isLosing;
    return this.#isLosing;
  }
}

/** One direction through a network, as TCP and as UDP provide it. */
export interface NetworkDirection {
  readonly reliable: Channel;
  /** `repeat` draws when a second copy of what was just sent arrives; Infinity for no copy. */
  readonly datagrams: Channel & { repeat(sinceMs: number): number };
}

/**
 * Opens both directions through a network, which share its conditions. The same seed and sendings
 * give the same arrivals.
 */
export function openNetwork(
  model: NetworkModel,
  seed: number,
): { readonly up: NetworkDirection; readonly down: NetworkDirection } {
  const random = new Random(seed);
  // A separate generator, so that the conditions do not depend on the messages that are sent.
  const conditions = new Conditions(model, new Random(random.bits()));
  const direction = (isUp: boolean): NetworkDirection => {
    const options = { model, random, conditions, isUp };
    return { reliable: new ReliableChannel(options), datagrams: new DatagramChannel(options) };
  };
  return { up: direction(true), down: direction(false) };
}

function queueDelayMs(bloat: NonNullable<NetworkModel["bloat"]>, sinceMs: number): number {
  const { everyMs, riseMs, byMs } = bloat;
  const risenMs = sinceMs % everyMs - (everyMs - riseMs);
  return risenMs <= 0 ? 0 : byMs * risenMs / riseMs;
}

function drawUniform([from, to]: Span, random: Random): number {
  return from + (to - from) * random.fraction();
}

/**
 * Draws a nearly normal deviate (Irwin–Hall): twelve uniform values less six give mean 0, variance
 * 1, and sufficiently long tails.
 */
function drawNormal(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.fraction();
  return sum;
}
