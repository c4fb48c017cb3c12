/**
 * How far ahead of the server a client had better run, so that its commands arrive just before the tick that uses them.
 *
 *     delay = lead in force when the command was sent − its slack          (does not depend on the lead that we advise)
 *     advised lead ≈ argmin over d of  d + price · P(delay > d)
 *
 * Two estimators (delay_estimators.ts) say where that is; they are mixed by what obeying each would have cost lately. One set
 * of parameters serves all networks: the price of a late command is so many times the width of the line's own jitter, so that
 * narrow and wide lines have as many late commands, about one in a hundred. DESIGN 12.2 has the law that this one began as.
 *
 * All of it is one client's own: what he says of his lead, and when he sends, changes only what he is advised.
 */
import { exp } from "../../../shared/exp.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { QUICK_LEAD, QuickEstimator, SLOW_LEAD, SlowEstimator, TickHistory } from "./delay_estimators.ts";

/** What a late command costs, in waiting: so many times the mean distance of a delay from the ordinary one … */
const PRICE_PER_WIDTH = 330;
/** … which is followed with this gain … */
const WIDTH_GAIN = 0.002;
/** … and within these bounds, ms. */
const PRICE_MS_MIN = 20, PRICE_MS_MAX = 6000;

/** How quickly the estimators' costs are averaged: over some 15 s. */
const COST_GAIN = 0.003;
/** An estimator that costs so much more than the other, ms, has e times less weight. */
const COST_SCALE_MS = 1;
/** e to this is as good as infinite. */
const EXPONENT_MAX = 50;

/** The slow one has seen nothing at first: it is heard when it has shown that it is better. */
const SLOW_COST_MS_INITIAL = 10;

/** What held up more commands than this, half a second of them, was no jitter: a cut, a sleep or a flood. It teaches nothing. */
const COMMANDS_PER_TICK_MAX = 10;
/** A delay beyond this tells no more; the claim that it rests on has a bound like this. ms. */
const DELAY_MS_MAX = 4000;

/** The margin of a client's first lead says this much about its line, ms … */
const MARGIN_MS_MIN = 4, MARGIN_MS_MAX = 100;
/** … and as much about the width, as certain as so many ticks. */
const WIDTH_PER_MARGIN = 0.125, WIDTH_PRIOR_TICKS = 10;
/** The advice shrinks by at most this much a tick, ms: as fast as a client may slow its clock (5 %). */
const SHRINK_MS = 2.5;
/** It grows by at most this much a tick, ms: half a second takes a second, which a stall that is over does not last. */
const GROW_MS = 25;

/** One line's delays, and the lead that follows from them. */
export class LeadAdvisor {
  readonly #history = new TickHistory();
  readonly #quick = new QuickEstimator(this.#history);
  readonly #slow = new SlowEstimator();
  /** What obeying each would have cost lately, ms, up to what both have in common. */
  #quickCostMs = 0;
  #slowCostMs = SLOW_COST_MS_INITIAL;
  #widthMs = 0;
  #priceMs = PRICE_MS_MIN;
  /** Commands since the last tick, and the oldest of them. */
  #commandCount = 0;
  readonly #delaysMs = new Float64Array(COMMANDS_PER_TICK_MAX);
  readonly #received = new Float64Array(COMMANDS_PER_TICK_MAX);
  #ticks = 0;
  #newestDelayMs = 0;
  #newestLeadMs = 0;
  #advisedMs: number | undefined;

  /**
   * Takes note of a command.
   * @param leadMs the lead that the client had when it sent the command @param slackMs negative where it came late
   * @param received the newest tick message that the client had: the advice that it knew
   */
  observe({ leadMs, slackMs, received }: { leadMs: number; slackMs: number; received: Tick }): void {
    const delayMs = Math.max(-DELAY_MS_MAX, Math.min(DELAY_MS_MAX, leadMs - slackMs));
    this.#newestDelayMs = delayMs;
    this.#newestLeadMs = leadMs;
    if (this.#commandCount < COMMANDS_PER_TICK_MAX) {
      this.#delaysMs[this.#commandCount] = delayMs;
      this.#received[this.#commandCount] = received;
    }
    this.#commandCount++;
  }

  /** Once a tick, when its commands have been observed. @param tick the one whose message will carry the advice */
  endTick(tick: Tick): void {
    if (this.#commandCount === 0) return;
    // Of the first commands only the newest counts: a page that has just begun is late for reasons of its own.
    if (this.#advisedMs === undefined) this.#begin();
    else if (this.#commandCount <= COMMANDS_PER_TICK_MAX) this.#updateEstimators();
    this.#commandCount = 0;
    const delayMs = this.#newestDelayMs;
    this.#updatePrice(delayMs);
    const history = this.#history;
    history.beginTick(tick);
    const quickMs = this.#quick.endTick({ delayMs, priceMs: this.#priceMs });
    const slowMs = this.#slow.endTick(tick, this.#priceMs);
    history.set(QUICK_LEAD, quickMs);
    history.set(SLOW_LEAD, slowMs);
    const targetMs = slowMs + this.#quickWeight() * (quickMs - slowMs);
    this.#advisedMs = Math.max(this.#advisedMs! - SHRINK_MS, Math.min(this.#advisedMs! + GROW_MS, targetMs));
  }

  /** In ms; undefined before the first command. */
  get advisedLeadMs(): number | undefined {
    return this.#advisedMs;
  }

  /** The lead that the client had chosen says what its pings saw of the line. */
  #begin(): void {
    const delayMs = this.#newestDelayMs, leadMs = Math.max(delayMs, this.#newestLeadMs);
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
      const delayMs = this.#delaysMs[i]!, received = this.#received[i]!;
      const quickMs = this.#history.get(QUICK_LEAD, received), slowMs = this.#history.get(SLOW_LEAD, received);
      this.#quickCostMs += COST_GAIN * (this.#costMs(quickMs, delayMs) - this.#quickCostMs);
      this.#slowCostMs += COST_GAIN * (this.#costMs(slowMs, delayMs) - this.#slowCostMs);
      this.#quick.observe(delayMs, received);
      this.#slow.observe(delayMs);
    }
  }

  #updatePrice(delayMs: number): void {
    const gain = Math.max(WIDTH_GAIN, 1 / (WIDTH_PRIOR_TICKS + ++this.#ticks));
    this.#widthMs += gain * (this.#quick.distanceMs(delayMs) - this.#widthMs);
    this.#priceMs = Math.max(PRICE_MS_MIN, Math.min(PRICE_MS_MAX, PRICE_PER_WIDTH * this.#widthMs));
  }

  #costMs(leadMs: number, delayMs: number): number {
    return leadMs - delayMs + (delayMs > leadMs ? this.#priceMs : 0);
  }

  #quickWeight(): number {
    const differenceMs = this.#quickCostMs - this.#slowCostMs;
    return 1 / (1 + exp(Math.min(EXPONENT_MAX, differenceMs / COST_SCALE_MS)));
  }
}
