/**
 * Where the server's clock is, and how long the round trip takes, from pings.
 *
 *     server(at arrival) = server's answer + half the round trip        of the fastest of the newest pings
 *
 * At the join pings are sent until five are answered, then about one a second: the fastest has waited least on the way, so its half
 * is the best half. A message costs a server more than what it says, so then they go with commands, and their answers with ticks; the
 * server says how long it held an answer back, and that is no part of the round trip. One goes alone where no command takes it along.
 */

/** Answers that a join waits for. */
const JOIN_PONGS = 5;
/** Far enough apart to see different moments of the line, ms. */
const JOIN_PING_SPACING_MS = 20;
/** A line that answers fewer than five of so many at the join loses three of four, or takes longer than the patience. */
const JOIN_PINGS_MAX = 20;
const PING_SPACING_MS = 1000;
/** So much earlier than alone one goes with a command, ms: at 5 ticks a second or more there is one by then. */
const PIGGYBACK_EARLY_MS = 200;
/** Pings looked back on. */
const SAMPLES_MAX = 8;
/**
 * Pongs that come closer together than this are of one moment of the line, ms: what a stall of ten seconds delivers at once must not
 * push out all that was known before it.
 */
const SAMPLE_SPACING_MS = PING_SPACING_MS / 2;
/**
 * How far a watcher's picture is behind what could have arrived, ms: it shows what is definitive and corrects nothing. A tick
 * and some jitter.
 */
const SPECTATOR_DELAY_MS = 60;
/** What the round trips at the join are apart by more than this, ms, is no jitter but a stall: a lead for it would be no play. */
const JOIN_SPREAD_MS_MAX = 300;
/** After this the join goes on with the pongs that have come, ms. */
const JOIN_TIMEOUT_MS = 1500;

interface Sample {
  readonly roundTripMs: number;
  /** The server's clock at the local time 0, in ticks. */
  readonly ticksAtZero: number;
}

export class ClockSync {
  readonly #tickMs: number;
  readonly #send: (id: number) => void;
  /** By ping id modulo their number: when it was sent. */
  readonly #sentAtMs = new Map<number, number>();
  readonly #samples: Sample[] = [];
  #pingsSent = 0;
  #nextPingMs = -Infinity;
  #firstPingMs = Infinity;
  #newestRoundTripMs = 0;
  /** When the newest sample began to be one, ms. */
  #newestSampleMs = -Infinity;
  /** The fastest of the samples, the oldest of those; undefined before the first. */
  #fastest: Sample | undefined;

  constructor(tickHz: number, send: (id: number) => void) {
    this.#tickMs = 1000 / tickHz;
    this.#send = send;
  }

  /** Sends a ping where one is due. @param isOpen whether what is sent leaves at once */
  advance(nowMs: number, isOpen = true): void {
    if (!isOpen) return this.#reset();
    if (nowMs >= this.#nextPingMs) this.#send(this.#newPing(nowMs));
  }

  /** For a command that leaves now. @returns the id of the ping that goes with it; undefined where none is due */
  piggybackPing(nowMs: number): number | undefined {
    return this.#isJoining || nowMs < this.#nextPingMs - PIGGYBACK_EARLY_MS ? undefined : this.#newPing(nowMs);
  }

  /** @returns the id of a ping that leaves now */
  #newPing(nowMs: number): number {
    const id = this.#pingsSent & 0xff;
    this.#pingsSent++;
    this.#sentAtMs.set(id, nowMs);
    // An answer that takes longer than this many pings is never counted.
    this.#sentAtMs.delete((id + 256 - 4 * SAMPLES_MAX) & 0xff);
    this.#firstPingMs = Math.min(this.#firstPingMs, nowMs);
    this.#nextPingMs = nowMs + (this.#isJoining ? JOIN_PING_SPACING_MS : PING_SPACING_MS);
    return id;
  }

  /** Takes an answer. @param serverTicks the server's clock when it answered @param waitedTicks how long it had held the answer back */
  pong(
    nowMs: number,
    { id, serverTicks, waitedTicks = 0 }: { id: number; serverTicks: number; waitedTicks?: number },
  ): void {
    const sentAtMs = this.#sentAtMs.get(id);
    if (sentAtMs === undefined) return;
    this.#sentAtMs.delete(id);
    const roundTripMs = Math.max(0, nowMs - sentAtMs - waitedTicks * this.#tickMs);
    this.#newestRoundTripMs = roundTripMs;
    this.#addSample({ roundTripMs, ticksAtZero: serverTicks + (roundTripMs / 2 - nowMs) / this.#tickMs }, nowMs);
    // The last of the join's: what follows it is not as urgent as it was planned.
    if (this.#samples.length === JOIN_PONGS && this.#pingsSent < JOIN_PINGS_MAX) {
      this.#nextPingMs = nowMs + PING_SPACING_MS;
    }
  }

  /** What was sent waits for the line to open, and its round trip would say so. Its numbers are not used again. */
  #reset(): void {
    this.#sentAtMs.clear();
    this.#nextPingMs = -Infinity;
    this.#firstPingMs = Infinity;
  }

  #addSample(sample: Sample, nowMs: number): void {
    this.#storeSample(sample, nowMs);
    // Asked for with every picture, changed once a second.
    this.#fastest = this.#samples.reduce((best, each) => each.roundTripMs < best.roundTripMs ? each : best);
  }

  #storeSample(sample: Sample, nowMs: number): void {
    const samples = this.#samples;
    if (samples.length >= JOIN_PONGS && nowMs - this.#newestSampleMs < SAMPLE_SPACING_MS) {
      // Of one moment the fastest counts.
      if (sample.roundTripMs < samples.at(-1)!.roundTripMs) samples[samples.length - 1] = sample;
      return;
    }
    this.#newestSampleMs = nowMs;
    samples.push(sample);
    if (samples.length > SAMPLES_MAX) samples.shift();
  }

  /** Pings go out one after the other until enough are answered: one that is lost must not hold up the join. */
  get #isJoining(): boolean {
    return this.#samples.length < JOIN_PONGS && this.#pingsSent < JOIN_PINGS_MAX;
  }

  /** Whether enough is known to begin. */
  isReady(nowMs: number): boolean {
    const isWaiting = nowMs - this.#firstPingMs < JOIN_TIMEOUT_MS;
    return this.#samples.length >= (isWaiting ? JOIN_PONGS : 1);
  }

  get nextPingMs(): number {
    return this.#nextPingMs;
  }

  /** The fastest round trip of the newest pings, ms. Only when ready. */
  get fastestMs(): number {
    return this.#fastest!.roundTripMs;
  }

  /** Of the newest ping, ms. */
  get roundTripMs(): number {
    return this.#newestRoundTripMs;
  }

  /** The server's clock in ticks. Only when ready. */
  serverTicks(nowMs: number): number {
    return this.#fastest!.ticksAtZero + nowMs / this.#tickMs;
  }

  /** The lead of who only watches, ms: behind the server. Only when ready. */
  get spectatorLeadMs(): number {
    return -(this.fastestMs / 2 + SPECTATOR_DELAY_MS);
  }

  /**
   * The lead to begin with, ms: the way up, 40 ms, and 0.7 of how far apart the first and the fourth fastest round trip were
   * (DESIGN 12.2's figures, for which a join is hardly ever late), 300 ms at most. Only when ready.
   */
  get firstLeadMs(): number {
    const sorted = this.#samples.map((sample) => sample.roundTripMs).sort((a, b) => a - b);
    const fastest = sorted[0]!, fourth = sorted[Math.min(3, sorted.length - 1)]!;
    return fastest / 2 + 40 + 0.7 * Math.min(JOIN_SPREAD_MS_MAX, fourth - fastest);
  }
}
