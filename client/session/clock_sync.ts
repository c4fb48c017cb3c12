/**
 * Measures the server's clock and the round trip with pings.
 *
 *     server(at arrival) = server's answer + half the round trip      for the fastest of the newest pings
 *
 * The fastest ping waited least on its way, so half of its round trip is the best estimate of one
 * direction. A pong may contradict it by more than any network explains. If the pong to the next
 * ping does so, too, one of the two clocks has jumped: a machine slept. Then it replaces the older
 * pongs.
 *
 * At the join, pings go out until five are answered; after that, about one a second, and one after
 * each gap in the ticks. A message of its own costs the server more than its content. So later
 * pings travel with commands, and their pongs with ticks. The server reports how long a pong waited
 * for its tick, and that time is no part of the round trip. A ping goes alone if no command takes
 * it along.
 */

/** Pongs that a join waits for (SPEC 5.6). */
const JOIN_PONGS = 5;
/**
 * The time between pings at the join, ms: far enough apart to sample different moments of the
 * network.
 */
const JOIN_PING_SPACING_MS = 20;
/**
 * Pings sent at a join, at most. A network with fewer than five pongs by then loses three of four,
 * or is slower than `JOIN_TIMEOUT_MS`.
 */
const JOIN_PINGS_MAX = 20;
/**
 * If none of those is answered, the next one follows after this, ms, and each further one after
 * twice as long. A connection that has lost all of them would otherwise keep its player waiting for
 * seconds.
 */
const UNANSWERED_PING_SPACING_MS = 100;
const PING_SPACING_MS = 1000;
/**
 * A ping may go with a command this much before it is due, ms. At 5 ticks a second or more there is
 * a command by then.
 */
const PIGGYBACK_EARLY_MS = 200;
/**
 * A longer gap between two tick messages, in ticks, may be a stall of the server. It drops ticks if
 * more than four are due (SPEC 2.13). At 20 Hz the gaps of no network add five pings a second.
 */
const GAP_TICKS = 4;
/** The number of samples kept. */
const SAMPLES_MAX = 8;
/**
 * Pongs closer together than this, ms, count as one moment. Otherwise the burst after a ten-second
 * stall would replace all earlier samples.
 */
const SAMPLE_SPACING_MS = PING_SPACING_MS / 2;
/**
 * Clocks drift apart, and timers are not exact: pongs that differ by so much, ms, do not contradict
 * each other.
 */
const TOLERANCE_MS = 10;
/**
 * The routes of two pongs may differ. That moves their estimates apart by this at most, ms. A route
 * could move them by the whole shorter round trip, but a client far away could then not detect that
 * the server has dropped ticks. On the lab's networks the estimates differ by at most 62 ms more
 * than the waits explain; this and the tolerance allow 100.
 */
const ROUTE_MS_MAX = 90;
/**
 * How far a spectator's clock is behind the ticks that could have arrived, ms: one tick and some
 * jitter. Spectators see definitive ticks only and correct nothing.
 */
const SPECTATOR_DELAY_MS = 60;
/**
 * Round trips at the join that differ by more than this, ms, show a stall, not jitter. A lead for a
 * stall would not be playable.
 */
const JOIN_SPREAD_MS_MAX = 300;
/** After this time the join proceeds with the pongs that have arrived, ms. */
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
   * The part that is the network's: without the time that the pong may have waited for this busy
   * program, ms.
   */
  readonly networkMs: number;
  /** The server's clock at the local time 0, in ticks. */
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
  /** The fastest round trip of all, ms. */
  #leastMs = Infinity;
  /** When the newest tick message arrived, ms. */
  #newestTickMs = Infinity;
  /** When the newest sample was added, ms. */
  #newestSampleMs = -Infinity;
  /** The fastest sample, the oldest one of equals; undefined before the first. */
  #fastest: Sample | undefined;
  /**
   * The number of the first ping that left after a pong had contradicted the samples; Infinity if a
   * later pong has agreed with them. It is no time, because a coarse clock may show the same for
   * that pong and for that ping.
   */
  #firstPingAfterContradiction = Infinity;
  /** How often all samples were replaced because a clock had jumped. */
  jumps = 0;
  /**
   * The number of the newest ping that is answered; −1 before the first. Each ping has a number,
   * from 0 on.
   */
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
   * For a command that is sent now.
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
    // A pong that arrives more than this many pings later is ignored.
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
   * @param pong.waitedTicks how long the pong had waited on the server, in ticks
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

    // How much of the lag this pong has waited is unknown. The network is not faster than it ever
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
   * Registers the arrival of a tick message. After a gap the next ping is due at once. A ping from
   * before the gap may not show that the server has dropped ticks: its wait counts as a part of its
   * round trip, and half of it as the way down.
   * @param lagMs how long the message may have waited for this program, ms: that much of a gap is
   *   no stall of the server
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
      // Over datagrams, a pong may be overtaken by the tick that says that the clock has jumped. So
      // one alone is no proof.
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

    // Computed here because it is read every frame and changes once a second.
    this.#fastest = this.#samples.reduce((best, each) =>
      each.roundTripMs < best.roundTripMs ? each : best
    );
  }

  /**
   * Whether more lies between this pong and the fastest one than their waits and routes explain.
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
      // Only the fastest pong of one moment counts.
      if (sample.roundTripMs < samples.at(-1)!.roundTripMs) samples[samples.length - 1] = sample;
      return;
    }
    this.#newestSampleMs = nowMs;
    samples.push(sample);
    if (samples.length > SAMPLES_MAX) samples.shift();
  }

  /**
   * Whether the join still sends pings. They do not wait for pongs, so that a lost one does not
   * delay the join.
   */
  get #isJoining(): boolean {
    return this.#samples.length < JOIN_PONGS && this.#pingsSent < JOIN_PINGS_MAX;
  }

  /** Whether enough pongs have arrived to start. */
  isReady(nowMs: number): boolean {
    const isWaiting = nowMs - this.#firstPingMs < JOIN_TIMEOUT_MS;
    return this.#samples.length >= (isWaiting ? JOIN_PONGS : 1);
  }

  get nextPingMs(): number {
    return this.#nextPingMs;
  }

  /**
   * The fastest round trip of the newest pings, without the lag of this program, ms. Only when
   * ready.
   */
  get fastestMs(): number {
    return this.#fastest!.networkMs;
  }

  /** The round trip of the newest pong, without the lag of this program, ms. */
  get roundTripMs(): number {
    return this.#newestNetworkMs;
  }

  /**
   * The slowest round trip of the newest pings, without the lag of this program, ms. Only when
   * ready.
   */
  get slowestMs(): number {
    return Math.max(...this.#samples.map(({ networkMs }) => networkMs));
  }

  /** The server's clock in ticks. Only when ready. */
  serverTicks(nowMs: number): number {
    return this.#fastest!.ticksAtZero + nowMs / this.#tickMs;
  }

  /** The lead of a spectator, ms; negative, because it is behind the server. Only when ready. */
  get spectatorLeadMs(): number {
    return -(this.fastestMs / 2 + SPECTATOR_DELAY_MS);
  }

  /**
   * The lead to start with, ms. Only when ready.
   *
   *     lead = fastest / 2 + 40 + 0.7 · min( 300, fourth − fastest )      fastest, fourth: sorted round trips, ms
   *
   * With these figures a join is hardly ever late (DESIGN 12.2).
   */
  get firstLeadMs(): number {
    const sorted = this.#samples.map(({ networkMs }) => networkMs).sort((a, b) => a - b);
    const fastest = sorted[0]!;
    const fourth = sorted[Math.min(3, sorted.length - 1)]!;
    return fastest / 2 + 40 + 0.7 * Math.min(JOIN_SPREAD_MS_MAX, fourth - fastest);
  }
}

/**
 * How far a sample's estimate of the server's clock can be off, ms: all of its round trip may be
 * one of both ways.
 */
function errorMsMax({ roundTripMs, networkMs }: Sample): number {
  return roundTripMs - networkMs / 2;
}
