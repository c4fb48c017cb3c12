/**
 * Duels in a room that a page hosts: a third player presses a key at some moment, and two others,
 * one of them on the host's page, press theirs as soon as they have seen it and reacted. Whose press
 * the match has first wins. Both react equally fast, so the host's share of the wins shows what its
 * place is worth.
 */
import { PressCounter } from "../../../../client/input/press_counter.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import { Random } from "../../../../shared/random.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { type CounterCommand, counterGame, CounterSimulation } from "../counter_game.ts";
import { type LabPage, PageLab } from "./page_lab.ts";

/** People react to light after 200 ms or so, with some spread. */
const REACTION_MS = 200;
const REACTION_SPREAD_MS = 40;
/** The time between the end of a duel and the next one, ms. */
const PAUSE_MS_MIN = 600;
const PAUSE_MS_RANGE = 500;
/** How long the pages play before the first duel, ms: until leads and the host's wait are found. */
const SETTLE_MS = 20_000;
/** A duel that nobody has won by then is over, ms. */
const DUEL_MS_MAX = 3000;

type Page = LabPage<CounterCommand, CounterSimulation>;

/** A player who presses when told to. */
class Presser implements CommandSource<CounterCommand> {
  readonly #counter = new PressCounter();
  presses = 0;

  next(_tick: number, acknowledged: CounterCommand | undefined): CounterCommand {
    this.#counter.setTotal(this.presses);
    return { presses: this.#counter.next(acknowledged?.presses), dir: 0 };
  }

  resume(own: CounterCommand | undefined): void {
    this.#counter.resume(own?.presses);
  }
}

/** What a number of duels gave. */
export interface DuelResult {
  readonly duels: number;
  /** The share that the host's player won; a draw is half a win. */
  readonly hostShare: number;
  /** The half width of the 95 % interval around it. */
  readonly interval: number;
}

export interface DuelOptions {
  readonly seed: number;
  readonly duels: number;
  readonly network: NetworkModel;
  /** Whether the host's own messages wait; false plants a host whose messages do not. */
  readonly hostWaits?: boolean;
}

/** How many duels give an interval of ± `share` at 95 %: (1.96 · 0.5 / share)². */
export function duelsFor(share: number): number {
  return Math.ceil((1.96 * 0.5 / share) ** 2);
}

export function fightDuels({ seed, duels, network, hostWaits = true }: DuelOptions): DuelResult {
  const npcs = 0;
  const definitive = new CounterSimulation({ npcs }, seed);
  const lab = new PageLab<CounterCommand, CounterSimulation>({
    game: counterGame,
    seed,
    npcs,
    network,
    stepMs: 2,
    hostWaits,
    onDefinitive: (state) => definitive.load(state),
  });

  // Three pages, the first of which hosts
  const random = new Random(seed ^ 0xd0e1);
  const sources = [new Presser(), new Presser(), new Presser()] as const;
  const pages = sources.map((source) => lab.addPage(source));
  const [host, guest, signal] = pages as [Page, Page, Page];
  if (lab.runUntil(10_000, () => pages.every(({ isPlaying }) => isPlaying)) === undefined) {
    throw new Error(`seed ${seed}: the pages do not play`);
  }
  // Until the round trips are measured, and everybody is in the game
  lab.run(SETTLE_MS);

  let won = 0;
  for (let duel = 0; duel < duels; duel++) {
    lab.run(PAUSE_MS_MIN + random.below(PAUSE_MS_RANGE));
    sources[2].presses++;
    const reactions = [host, guest].map((page, i) =>
      new Reaction(page, { signal, source: sources[i]!, random, definitive })
    );
    lab.runUntil(DUEL_MS_MAX, () => {
      for (const reaction of reactions) reaction.advance(lab.clock.now());
      return reactions.every(({ countedAt }) => countedAt < Infinity);
    });
    const [own, other] = reactions.map(({ countedAt }) => countedAt) as [number, number];
    won += own < other ? 1 : own > other ? 0 : 0.5;
  }

  const hostShare = won / duels;
  return {
    duels,
    hostShare: Number(hostShare.toFixed(3)),
    interval: Number((1.96 * 0.5 / Math.sqrt(duels)).toFixed(3)),
  };
}

/** One duellist in one duel: it sees the signal in its own picture, and presses some time later. */
class Reaction {
  readonly #page: Page;
  readonly #signal: Page;
  readonly #source: Presser;
  readonly #definitive: CounterSimulation;
  readonly #reactionMs: number;
  /** What was counted before the duel: the signal's presses, and the own ones. */
  readonly #seenBefore: number;
  readonly #countedBefore: number;
  #pressesAtMs = Infinity;
  #hasPressed = false;
  /** The tick in which the match has the press; Infinity before. */
  countedAt = Infinity;

  constructor(
    page: Page,
    { signal, source, random, definitive }: {
      signal: Page;
      source: Presser;
      random: Random;
      definitive: CounterSimulation;
    },
  ) {
    this.#page = page;
    this.#signal = signal;
    this.#source = source;
    this.#definitive = definitive;
    this.#reactionMs = REACTION_MS + REACTION_SPREAD_MS * (2 * random.fraction() - 1);
    this.#seenBefore = this.#seen;
    this.#countedBefore = this.#counted;
  }

  /** The signal's presses in what the player sees now. */
  get #seen(): number {
    return this.#page.session!.simulation!.pressesOf(this.#signal.session!.seat);
  }

  get #counted(): number {
    return this.#definitive.pressesOf(this.#page.session!.seat);
  }

  advance(nowMs: number): void {
    if (this.#pressesAtMs === Infinity && this.#seen !== this.#seenBefore) {
      this.#pressesAtMs = nowMs + this.#reactionMs;
    }
    if (!this.#hasPressed && nowMs >= this.#pressesAtMs) {
      this.#hasPressed = true;
      this.#source.presses++;
    }
    if (this.countedAt === Infinity && this.#counted !== this.#countedBefore) {
      this.countedAt = this.#definitive.tick;
    }
  }
}
