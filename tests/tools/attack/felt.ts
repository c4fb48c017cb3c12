/**
 * What the honest players felt of an attack, from the players' own thread, the server's metrics and
 * its process. An attack passes only if they felt nothing.
 */
import type { Feeling } from "./attack.ts";
import type { Figures } from "./figures.ts";
import type { PlayersReading } from "./players.ts";
import type { Target } from "./target.ts";

/** How far the p99 of the ticks' lateness may exceed that of the quiet time, ms. */
const LATENESS_ABOVE_QUIET_MS_MAX = 15;
/** How long it may take until a newcomer plays, ms. */
const NEWCOMER_MS_MAX = 1_000;
const RSS_GROWTH_MB_MAX = 50;

/** How often the memory is checked, ms. */
const LOOK_EVERY_MS = 200;
/** How long to wait between two newcomers, ms. */
const NEWCOMER_EVERY_MS = 1_000;

/** One attack's figures. */
export interface Felt {
  readonly closes: number;
  readonly desyncs: number;
  readonly gaps: number;
  readonly droppedTicks: number;
  /** The p99 of the ticks' lateness while the attack lasted, and in the quiet time before. */
  readonly latenessMs: number;
  readonly quietLatenessMs: number;
  /**
   * How long the slowest newcomer took until they played; their close code, negative, if they were
   * refused.
   */
  readonly newcomerMs: number;
  readonly rssGrowthMb: number;
}

/** @returns what was felt, in words; empty for nothing */
export function feelingsOf(felt: Felt, tolerated: readonly Feeling[] = []): Feeling[] {
  const isFelt: Record<Feeling, boolean> = {
    closes: felt.closes > 0,
    desyncs: felt.desyncs > 0,
    gaps: felt.gaps > 0,
    droppedTicks: felt.droppedTicks > 0,
    latenessMs: felt.latenessMs > felt.quietLatenessMs + LATENESS_ABOVE_QUIET_MS_MAX,
    newcomerMs: felt.newcomerMs < 0 || felt.newcomerMs >= NEWCOMER_MS_MAX,
    rssGrowthMb: felt.rssGrowthMb > RSS_GROWTH_MB_MAX,
  };
  return (Object.keys(isFelt) as Feeling[]).filter((name) =>
    isFelt[name] && !tolerated.includes(name)
  );
}

export interface WatchOptions {
  readonly quietLatenessMs: number;
  /** How many ticks must run before the watch ends. */
  readonly ticks: number;
  /** Whether newcomers join again and again while the attack lasts. */
  readonly newcomers: boolean;
}

/** Watches from its start until `end`. */
export class Watch {
  readonly #target: Target;
  readonly #quietLatenessMs: number;
  readonly #before: Figures;
  readonly #playersBefore: PlayersReading;
  readonly #rssBefore: number;
  #rssMost: number;
  #newcomerMs = 0;
  #isOver = false;
  readonly #ticksMin: number;
  readonly #looking: Promise<unknown>;

  private constructor(
    target: Target,
    { quietLatenessMs, ticks, before, players, rss, newcomers }: WatchOptions & {
      before: Figures;
      players: PlayersReading;
      rss: number;
    },
  ) {
    this.#target = target;
    this.#quietLatenessMs = quietLatenessMs;
    this.#ticksMin = ticks;
    this.#before = before;
    this.#playersBefore = players;
    this.#rssBefore = this.#rssMost = rss;
    this.#looking = Promise.all([
      this.#lookAtMemory(),
      newcomers ? this.#letNewcomersIn() : undefined,
    ]);
  }

  static async start(target: Target, options: WatchOptions): Promise<Watch> {
    const before = await target.figures();
    const players = await target.players.read();
    return new Watch(target, {
      ...options,
      before,
      players,
      rss: await target.server.residentBytes(),
    });
  }

  /**
   * Ends the watch when enough ticks have run.
   * @throws Error if the server no longer answers
   */
  async end(): Promise<Felt> {
    this.#isOver = true;
    await this.#looking;
    let after = await this.#target.figures();

    while (
      after.of("wyvern_ticks_total") - this.#before.of("wyvern_ticks_total") < this.#ticksMin
    ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      after = await this.#target.figures();
    }

    this.#rssMost = Math.max(this.#rssMost, await this.#target.server.residentBytes());
    const players = await this.#target.players.sync();
    const before = this.#playersBefore;
    return {
      closes: players.closes.length - before.closes.length,
      desyncs: players.desyncs - before.desyncs,
      gaps: players.gaps - before.gaps,
      droppedTicks: after.of("wyvern_ticks_dropped_total") -
        this.#before.of("wyvern_ticks_dropped_total"),
      latenessMs: rounded(after.latenessP99Ms(this.#before)),
      quietLatenessMs: rounded(this.#quietLatenessMs),
      newcomerMs: rounded(this.#newcomerMs),
      rssGrowthMb: rounded((this.#rssMost - this.#rssBefore) / 1e6),
    };
  }

  async #lookAtMemory(): Promise<void> {
    while (!this.#isOver) {
      this.#rssMost = Math.max(this.#rssMost, await this.#target.server.residentBytes());
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async #letNewcomersIn(): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const { ms, closeCode } = await this.#target.players.newcomer(this.#target.server.url);
      const value = closeCode === 0 ? ms : -closeCode;
      if (this.#newcomerMs >= 0 && (value < 0 || value > this.#newcomerMs)) {
        this.#newcomerMs = value;
      }
      for (let ms = 0; ms < NEWCOMER_EVERY_MS && !this.#isOver; ms += LOOK_EVERY_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    } while (!this.#isOver);
  }
}

/** To a tenth. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
