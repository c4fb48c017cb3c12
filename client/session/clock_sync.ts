/**
 * Measures the server's clock and the round trip with pings.
 *
 *     server(at arrival) = server's answer + half the round trip      for the fastest of the newest pings
 *
 * The fastest ping waited least on its way, so half its round trip estimates one direction best. A
 * pong may contradict it by more than any network explains. If the pong to the next ping does so,
 * too, one of the two clocks jumped because a machine slept, and this pong replaces the older ones.
 *
 * At the join, pings go out until five are answered; after that, about one a second, and one after
 * each gap in the ticks. Because a separate message costs the server more than its content, later
 * pings travel with commands, and their pongs with ticks. The server reports how long a pong waited
 * for its tick, and the round trip excludes that time. A ping goes alone if no command takes it
 * along.
 */

/** Pongs that a join waits for (SPEC 5.6). */
const JOIN_PONGS = 5;
/**
 * The time between pings at the join, ms, long enough to sample the network at different moments.
 */
const JOIN_PING_SPACING_MS = 20;
/**
 * The most pings at a join. A network that returned fewer than five pongs by then loses three in
 * four, or is slower than `JOIN_TIMEOUT_MS`.
 */
const JOIN_PINGS_MAX = 20;
/**
 * If none of those is answered, the next one follows after this time, ms, and each further one
 * after twice as long, because a connection that lost all of them would otherwise keep its player
 * waiting for seconds.
 */
const UNANSWERED_PING_SPACING_MS = 100;
const PING_SPACING_MS = 1000;
/**
 * How long before it is due a ping may go with a command, ms. At 5 ticks a second or more a command
 * comes by then.
 */
const PIGGYBACK_EARLY_MS = 200;
/**
 * A longer gap between two tick messages, in ticks, may be a server stall, after which the server
 * drops ticks if more than four are due (SPEC 2.13). At 20 Hz this limits what a bad network adds
 * to less than five pings a second.
 */
const GAP_TICKS = 4;
/** How many samples to keep. */
const SAMPLES_MAX = 8;
/**
 * What a page shows as its ping is the second-shortest of so many newest round trips: three in a
 * row may have waited for a page that stalled, and a slower network shows after four seconds.
 */
const PING_SAMPLES = 5;
/**
 * Pongs closer together than this, ms, count as one moment, because otherwise the burst after a
 * ten-second stall would replace all earlier samples.
 */
const SAMPLE_SPACING_MS = PING_SPACING_MS / 2;
/**
 * Pongs that differ by up to this, ms, do not contradict each other, because clocks drift apart and
 * timers are not exact.
 */
const TOLERANCE_MS = 10;
/**
 * How far different routes may move two pongs' estimates apart, ms. A route could move them by the
 * whole shorter round trip, but with such a bound a far client could not detect that the server
 * dropped ticks. On the lab's networks the estimates differ by at most 62 ms more than the waits
 * explain; this and the tolerance allow 100.
 */
const ROUTE_MS_MAX = 90;
/**
 * How far a spectator's clock runs behind the ticks that could have arrived, ms: one tick and some
 * jitter. Spectators see only definitive ticks and never correct them.
 */
const SPECTATOR_DELAY_MS = 60;
/**
 * Round trips at the join that differ by more than this, ms, show a stall instead of jitter, and a
 * lead that covers a stall would not be playable.
 */
const JOIN_SPREAD_MS_MAX = 300;
/** After this time the join proceeds with the pongs that arrived, ms. */
const JOIN_TIMEOUT_MS = 1500;

interface SentPing {
  readonly atMs: number;
  /** How many pings were sent before it. */
  readonly number: number;
}

interface Sample {
  /** From the ping's sending until the pong was handled, ms. */
  readonly roundTripMs: number;
  /**
   * The network's part: without the time that the pong may have waited for this busy program, ms.
   */
  readonly networkMs: number;
  /** The server's clock at local time 0, in ticks. */
  readonly ticksAtZero: number;
}

export class ClockSync {
  readonly #tickMs: number;
  readonly #send: (id: number) => void;
  /** By id. */
  readonly #sentPings = new Map<number, SentPing>();
  readonly #samples: Sample[] = [];
  #pingsSent = 0;
  #nextPingMs = -Infinity;
  #firstPingMs = Infinity;
  #newestNetworkMs = 0;
  /** The fastest round trip ever, ms. */
  #leastMs = Infinity;
  /** When the newest tick message arrived, ms. */
  #newestTickMs = Infinity;
  /** When the newest sample was added, ms. */
  #newestSampleMs = -Infinity;
  /** The fastest sample, and among equals the oldest; undefined before the first. */
  #fastest: Sample | undefined;
  /**
   * The number of the first ping that left after a pong contradicted the samples; Infinity once a
   * later pong agreed with them. A time would not do, because a coarse clock may show the same one
   * for that pong and that ping.
   */
  #firstPingAfterContradiction = Infinity;
  /** How often all samples were replaced because a clock jumped. */
  jumps = 0;
  /** The newest answered ping, by its number, which counts pings from 0; −1 before the first. */
  newestAnswered = -1;

  constructor(tickHz: number, send: (id: number) => void) {
    this.#tickMs = 1000 / tickHz;
    this.#send = send;
  }

  /** Sends a ping if one is due. @param isOpen whether a message sent now leaves at once */
  advance(nowMs: number, isOpen = true): void {
    if (!isOpen) return this.#reset();
    if (nowMs >= this.#nextPingMs) this.#send(this.newPing(nowMs));
  }

  /**
   * Asks, for a command that is sent now, whether a ping should go with it.
   * @returns the id of a ping to send with it; undefined if none is due
   */
  piggybackPing(nowMs: number): number | undefined {
    return this.#isJoining || nowMs < this.#nextPingMs - PIGGYBACK_EARLY_MS
      ? undefined
      : this.newPing(nowMs);
  }

  /** Makes the next ping due. @returns its number */
  requestPing(nowMs: number): number {
    this.#nextPingMs = Math.min(this.#nextPingMs, nowMs);
    return this.#pingsSent;
  }

  /** Registers a ping that is sent now. @returns its id */
  newPing(nowMs: number): number {
    const number = this.#pingsSent++;
    const id = number & 0xff;
    this.#sentPings.set(id, { atMs: nowMs, number });
    // Forget the ping that is this many older, so that a pong to it is ignored.
    this.#sentPings.delete((id + 256 - 4 * SAMPLES_MAX) & 0xff);
    this.#firstPingMs = Math.min(this.#firstPingMs, nowMs);
    this.#nextPingMs = nowMs + this.#spacingMs();
    return id;
  }

  #spacingMs(): number {
    if (this.#isJoining) return JOIN_PING_SPACING_MS;
    if (this.#samples.length > 0) return PING_SPACING_MS;
    return Math.min(
      PING_SPACING_MS,
      UNANSWERED_PING_SPACING_MS * 2 ** (this.#pingsSent - JOIN_PINGS_MAX),
    );
  }

  /**
   * Processes a pong.
   * @param pong.serverTicks the server's clock when it sent the pong, in ticks
   * @param pong.waitedTicks how long the pong waited on the server, in ticks
   * @param lagMs how long it may have waited for this program, ms
   */
  pong(
    nowMs: number,
    { id, serverTicks, waitedTicks = 0 }: { id: number; serverTicks: number; waitedTicks?: number },
    lagMs = 0,
  ): void {
    const ping = this.#sentPings.get(id);
    if (ping === undefined) return;
    this.#sentPings.delete(id);
    const { atMs: sentAtMs, number } = ping;
    this.newestAnswered = Math.max(this.newestAnswered, number);

    // The round trip, without the time that the pong waited on the server
    const roundTripMs = Math.max(0, nowMs - sentAtMs - waitedTicks * this.#tickMs);
    this.#leastMs = Math.min(this.#leastMs, roundTripMs);

    // How much of the lag this pong waited is unknown, but the network is not faster than it ever
    // was.
    const networkMs = this.#newestNetworkMs = Math.max(this.#leastMs, roundTripMs - lagMs);

    const arrivedMs = nowMs - roundTripMs + networkMs;
    const ticksAtZero = serverTicks + (networkMs / 2 - arrivedMs) / this.#tickMs;
    this.#addSample({ roundTripMs, networkMs, ticksAtZero }, { number, nowMs });

    // This pong completes the join, so the next ping is no longer urgent.
    const isJoinPong = this.#samples.length === JOIN_PONGS && this.#pingsSent < JOIN_PINGS_MAX;
    if (isJoinPong && this.#firstPingAfterContradiction === Infinity) {
      this.#nextPingMs = nowMs + PING_SPACING_MS;
    }
  }

  /**
   * Registers that a tick message arrived. After a gap the next ping is due at once, because a ping
   * from before the gap may not show that the server dropped ticks: its wait counts as part of its
   * round trip, and half of it as the way down.
   * @param lagMs how long the message may have waited for this program, ms; that part of a gap is
   *   not the server's stall
   */
  tickArrived(nowMs: number, lagMs = 0): void {
    const gapMs = nowMs - lagMs - this.#newestTickMs;
    if (gapMs > GAP_TICKS * this.#tickMs) this.#nextPingMs = Math.min(this.#nextPingMs, nowMs);
    this.#newestTickMs = nowMs;
  }

  /**
   * Drops the pings that wait for the socket to open, because their round trips would include that
   * wait. Their ids stay used.
   */
  #reset(): void {
    this.#sentPings.clear();
    this.#nextPingMs = -Infinity;
    this.#firstPingMs = Infinity;
  }

  #addSample(sample: Sample, { number, nowMs }: { number: number; nowMs: number }): void {
    if (this.#contradicts(sample)) {
      // Over datagrams, the tick that shows the clock's jump may overtake a pong, so a single pong
      // does not prove it.
      if (number < this.#firstPingAfterContradiction) {
        this.#firstPingAfterContradiction = Math.min(
          this.#firstPingAfterContradiction,
          this.#pingsSent,
        );
        this.#nextPingMs = nowMs;
        return;
      }
      this.#samples.fill(sample);
      this.jumps++;
    }

    this.#firstPingAfterContradiction = Infinity;
    this.#storeSample(sample, nowMs);

    // Computed here, because it is read every frame and changes once a second.
    this.#fastest = this.#samples.reduce((best, each) =>
      each.roundTripMs < best.roundTripMs ? each : best
    );
  }

  /**
   * Whether this pong and the fastest one lie farther apart than their waits and routes explain.
   */
  #contradicts(sample: Sample): boolean {
    const fastest = this.#fastest;
    if (fastest === undefined) return false;
    const apartMs = Math.abs(sample.ticksAtZero - fastest.ticksAtZero) * this.#tickMs;
    const shorterMs = Math.min(sample.networkMs, fastest.networkMs);
    const waitMs = errorMsMax(sample) + errorMsMax(fastest) - shorterMs;
    return apartMs > waitMs + Math.min(shorterMs, ROUTE_MS_MAX) + TOLERANCE_MS;
  }

  #storeSample(sample: Sample, nowMs: number): void {
    const samples = this.#samples;
    if (samples.length >= JOIN_PONGS && nowMs - this.#newestSampleMs < SAMPLE_SPACING_MS) {
      // In one moment only the fastest pong counts.
      if (sample.roundTripMs < samples.at(-1)!.roundTripMs) samples[samples.length - 1] = sample;
      return;
    }
    this.#newestSampleMs = nowMs;
    samples.push(sample);
    if (samples.length > SAMPLES_MAX) samples.shift();
  }

  /**
   * Whether the join still sends pings. It does so without waiting for pongs, so that a lost one
   * does not delay the join.
   */
  get #isJoining(): boolean {
    return this.#samples.length < JOIN_PONGS && this.#pingsSent < JOIN_PINGS_MAX;
  }

  /** Whether enough pongs arrived to start. */
  isReady(nowMs: number): boolean {
    const isWaiting = nowMs - this.#firstPingMs < JOIN_TIMEOUT_MS;
    return this.#samples.length >= (isWaiting ? JOIN_PONGS : 1);
  }

  get nextPingMs(): number {
    return this.#nextPingMs;
  }

  /**
   * The fastest round trip among the newest pings, without this program's lag, ms. Only when ready.
   */
  get fastestMs(): number {
    return this.#fastest!.networkMs;
  }

  /** The newest pong's round trip, without this program's lag, ms. */
  get roundTripMs(): number {
    return this.#newestNetworkMs;
  }

  /** The usual round trip, which no stall of this program is part of, ms; 0 before the first. */
  get usualMs(): number {
    const newest = this.#samples.slice(-PING_SAMPLES).map(({ networkMs }) => networkMs);
    const sorted = newest.sort((a, b) => a - b);
    return sorted[1] ?? sorted[0] ?? 0;
  }

  /**
   * The slowest round trip among the newest pings, without this program's lag, ms. Only when ready.
   */
  get slowestMs(): number {
    return Math.max(...this.#samples.map(({ networkMs }) => networkMs));
  }

  /** The server's clock in ticks. Only when ready. */
  serverTicks(nowMs: number): number {
    return this.#fastest!.ticksAtZero + nowMs / this.#tickMs;
  }

  /** A spectator's lead, ms; negative, because it is behind the server. Only when ready. */
  get spectatorLeadMs(): number {
    return -(this.fastestMs / 2 + SPECTATOR_DELAY_MS);
  }

  /**
   * The lead to start with, ms. Only when ready.
   *
   *     lead = fastest / 2 + 40 + 0.7 · min( 300, fourth − fastest )      fastest, fourth: sorted round trips, ms
   *
   * With these figures the commands after a join are hardly ever late (DESIGN 12.2).
   */
  get firstLeadMs(): number {
    const sorted = this.#samples.map(({ networkMs }) => networkMs).sort((a, b) => a - b);
    const fastest = sorted[0]!;
    const fourth = sorted[Math.min(3, sorted.length - 1)]!;
    return fastest / 2 + 40 + 0.7 * Math.min(JOIN_SPREAD_MS_MAX, fourth - fastest);
  }
}

/**
 * How far a sample's estimate of the server's clock can be off, ms, because one of both ways may
 * have taken the whole round trip.
 */
function errorMsMax({ roundTripMs, networkMs }: Sample): number {
  return roundTripMs - networkMs / 2;
}
