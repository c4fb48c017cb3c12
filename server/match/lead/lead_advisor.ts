/**
 * Advises one client how far its clock should run ahead of the server (DESIGN 8). With that lead
 * its commands arrive just before the ticks that use them.
 *
 *     delay = lead in force when the command was sent − its slack          (does not depend on the advice)
 *     advised lead ≈ argmin over d of  d + price · P(delay > d)
 *
 * Two estimators (delay_estimators.ts) search for this minimum. Their leads are mixed by what
 * following each would have cost lately. One set of parameters serves all networks, because the
 * price of a late command is a multiple of the jitter's width, so that narrow and wide networks
 * both get about one late command in a hundred. DESIGN 12.2 reports the measurements of the law
 * that this one grew from.
 *
 * The advice depends on one client alone: false claims about its lead and its times of sending
 * change only its own advice.
 */
import { exp } from "../../../shared/exp.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import {
  QUICK_LEAD,
  QuickEstimator,
  SLOW_LEAD,
  SlowEstimator,
  TickHistory,
} from "./delay_estimators.ts";
import { LateTolerance } from "./late_tolerance.ts";

/**
 * How far the jitter's width, which is the mean distance of a delay from its location, moves
 * towards the newest distance: halfway after 17 s.
 */
const WIDTH_GAIN = 0.002;
/** Bounds on the price, ms. */
const PRICE_MS_MIN = 20;
const PRICE_MS_MAX = 6000;

/** How far the mean costs move towards the newest cost: an average over about 15 s. */
const COST_GAIN = 0.003;
/** An estimator that costs this much more than the other, ms, weighs e times less. */
const COST_SCALE_MS = 1;
/** Limits the exponent of e; a higher one would change nothing. */
const EXPONENT_MAX = 50;

/**
 * The slow estimator's initial cost. It begins without data, and gains weight once its measured
 * cost is lower.
 */
const SLOW_COST_MS_INITIAL = 10;

/**
 * More commands than this between two ticks, half a second's worth, come from a partition, a sleep
 * or a flood. They are not scored.
 */
const COMMANDS_PER_TICK_MAX = 10;
/** Limits a delay, ms, to about the highest lead that a client can claim. */
const DELAY_MS_MAX = 4000;

/**
 * Bounds on the margin in a client's first lead, ms. The client derived that margin from its pings,
 * so it shows the jitter's width.
 */
const MARGIN_MS_MIN = 4;
const MARGIN_MS_MAX = 100;
/** The first width as a share of that margin, and its weight in ticks. */
const WIDTH_PER_MARGIN = 0.125;
const WIDTH_PRIOR_TICKS = 10;
/** How fast the advice may fall, ms per tick: 5 %, as fast as a client may slow its clock. */
const SHRINK_MS = 2.5;
/**
 * How fast the advice may rise, ms per tick. A rise of 500 ms takes a second, and a short stall is
 * over before that.
 */
const GROW_MS = 25;

/** Tracks one client's delays and derives its lead. */
export class LeadAdvisor {
  readonly #history = new TickHistory();
  readonly #quick = new QuickEstimator(this.#history);
  readonly #slow = new SlowEstimator();
  readonly #tolerance: LateTolerance;
  /** Mean cost of following each estimator, ms, without a term that both share. */
  #quickCostMs = 0;
  #slowCostMs = SLOW_COST_MS_INITIAL;
  #widthMs = 0;
  #priceMs = PRICE_MS_MIN;
  /** Commands since the last tick; the arrays hold the first of them. */
  #commandCount = 0;
  readonly #delaysMs = new Float64Array(COMMANDS_PER_TICK_MAX);
  readonly #received = new Float64Array(COMMANDS_PER_TICK_MAX);
  #ticks = 0;
  #newestDelayMs = 0;
  #newestLeadMs = 0;
  #advisedMs: number | undefined;

  /** @param options.isReliable whether the client's link holds messages back behind a lost one */
  constructor(options: { isReliable: boolean }) {
    this.#tolerance = new LateTolerance(options);
  }

  /**
   * Records a command.
   * @param leadMs lead in force when the client sent it
   * @param slackMs negative for a late command
   * @param received newest tick message that the client had, which carried the advice that it
   * followed
   * @param atMs when it arrived, on the server's clock
   */
  observe(
    { leadMs, slackMs, received, atMs }: {
      leadMs: number;
      slackMs: number;
      received: Tick;
      atMs: number;
    },
  ): void {
    const delayMs = Math.max(-DELAY_MS_MAX, Math.min(DELAY_MS_MAX, leadMs - slackMs));
    this.#newestDelayMs = delayMs;
    this.#newestLeadMs = leadMs;
    this.#tolerance.observe({ leadMs, delayMs, atMs });
    if (this.#commandCount < COMMANDS_PER_TICK_MAX) {
      this.#delaysMs[this.#commandCount] = delayMs;
      this.#received[this.#commandCount] = received;
    }
    this.#commandCount++;
  }

  /**
   * Ends a tick, after its commands were observed.
   * @param tick the tick with the message that carries the advice
   */
  endTick(tick: Tick): void {
    if (this.#commandCount === 0) return;

    // Of the first commands only the newest counts, because a page that has just started is late
    // for reasons of its own.
    if (this.#advisedMs === undefined) this.#begin();
    else if (this.#commandCount <= COMMANDS_PER_TICK_MAX) this.#updateEstimators();
    this.#tolerance.endTick();
    this.#commandCount = 0;

    // The price of a late command, from the jitter's width and the link's tolerance
    const delayMs = this.#newestDelayMs;
    this.#updatePrice(delayMs);

    // Each estimator's lead at that price
    const history = this.#history;
    history.beginTick(tick);
    const cost = { priceMs: this.#priceMs, lateShareMax: this.#tolerance.present.lateShareMax };
    const quickMs = this.#quick.endTick(delayMs, cost);
    const slowMs = this.#slow.endTick(tick, cost);
    history.set(QUICK_LEAD, quickMs);
    history.set(SLOW_LEAD, slowMs);

    // Their mixture, approached in steps that a client's clock can follow
    const targetMs = slowMs + this.#quickWeight() * (quickMs - slowMs);
    this.#advisedMs = Math.max(
      this.#advisedMs! - SHRINK_MS,
      Math.min(this.#advisedMs! + GROW_MS, targetMs),
    );
  }

  /** The advised lead in ms; undefined before the first command. */
  get advisedLeadMs(): number | undefined {
    return this.#advisedMs;
  }

  /** Starts from the lead that the client derived from its pings. */
  #begin(): void {
    const delayMs = this.#newestDelayMs;
    const leadMs = Math.max(delayMs, this.#newestLeadMs);
    const marginMs = Math.max(MARGIN_MS_MIN, Math.min(MARGIN_MS_MAX, leadMs - delayMs));
    this.#quick.begin(delayMs, marginMs);
    this.#slow.begin(delayMs);
    this.#widthMs = WIDTH_PER_MARGIN * marginMs;
    this.#history.fill(QUICK_LEAD, leadMs);
    this.#history.fill(SLOW_LEAD, leadMs);
    this.#advisedMs = leadMs;
  }

  #updateEstimators(): void {
    for (let i = 0; i < this.#commandCount; i++) {
      const delayMs = this.#delaysMs[i]!;
      const received = this.#received[i]!;
      const quickMs = this.#history.get(QUICK_LEAD, received);
      const slowMs = this.#history.get(SLOW_LEAD, received);
      this.#quickCostMs += COST_GAIN * (this.#costMs(quickMs, delayMs) - this.#quickCostMs);
      this.#slowCostMs += COST_GAIN * (this.#costMs(slowMs, delayMs) - this.#slowCostMs);
      this.#quick.observe(delayMs, received);
      this.#slow.observe(delayMs);
    }
  }

  #updatePrice(delayMs: number): void {
    const gain = Math.max(WIDTH_GAIN, 1 / (WIDTH_PRIOR_TICKS + ++this.#ticks));
    this.#widthMs += gain * (this.#quick.distanceMs(delayMs) - this.#widthMs);
    this.#priceMs = Math.max(
      PRICE_MS_MIN,
      Math.min(PRICE_MS_MAX, this.#tolerance.present.pricePerWidth * this.#widthMs),
    );
  }

  #costMs(leadMs: number, delayMs: number): number {
    return leadMs - delayMs + (delayMs > leadMs ? this.#priceMs : 0);
  }

  #quickWeight(): number {
    const differenceMs = this.#quickCostMs - this.#slowCostMs;
    return 1 / (1 + exp(Math.min(EXPONENT_MAX, differenceMs / COST_SCALE_MS)));
  }
}
