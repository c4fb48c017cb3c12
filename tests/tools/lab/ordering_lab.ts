/** Matches of the counter game that the lab's server only orders, and clients that lie in them. */
import type { Tick } from "../../../shared/netcode/game.ts";
import { withOtherStates } from "../../support/other_states.ts";
import { type CounterCommand, counterGame, type CounterSimulation } from "./counter_game.ts";
import { Lab, type LabOptions } from "./lab.ts";
import { RandomCounterControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 40, jitterMs: 15 };
/** How long each of the referee's turns takes to come, ms. */
export const REFEREE_MS = 5;
const PLAYERS = 8;
/**
 * When those whose exposure is measured begin to lie, after ten seconds: in the first of the ten
 * ticks that they prove together, so that it takes as long as it can. And how long they play, s.
 */
const LIES_FROM_TICK = 201;
const LIES_UNTIL_SECONDS = 20;

export type CounterLab = Lab<CounterCommand, CounterSimulation>;

export function orderingLab(
  seed: number,
  options: Partial<LabOptions<CounterCommand, CounterSimulation>> = {},
): CounterLab {
  return new Lab({ game: counterGame, seed, npcs: 3, refereeMs: () => REFEREE_MS, ...options });
}

/** Lets a player in who presses at random. @param options of the lab's `join` */
export function joinOrdered(lab: CounterLab, seed: number, options = {}) {
  const controls = new RandomCounterControls(seed);
  const player = lab.join(`p${seed}`, { commandSource: controls, network: NETWORK, ...options });
  return { ...player, controls };
}

/**
 * A match of eight players, `p1` to `p8`, of whom the first ones compute something else.
 * @param fromTick since when they do
 */
export function labWithLiars(seed: number, { liars, fromTick }: { liars: number; fromTick: Tick }) {
  const lab = orderingLab(seed);
  const game = withOtherStates(counterGame, { fromTick });
  const players = Array.from(
    { length: PLAYERS },
    (_, i) => joinOrdered(lab, i + 1, i < liars ? { game } : {}),
  );
  return { lab, players };
}

/** How a match with liars went. */
export interface Exposure {
  /** From the first tick that the liars compute otherwise until the last of them was named. */
  readonly seconds: number;
  /** How many were named who compute what the referee does. */
  readonly others: number;
}

/**
 * Lets the first of eight players compute something else after ten seconds.
 * @throws Error if one of them was not named within ten more
 */
export function exposureOf(seed: number, { liars }: { liars: number }): Exposure {
  const { lab } = labWithLiars(seed, { liars, fromTick: LIES_FROM_TICK });
  let liesFromMs = NaN;
  const noteTick = () => {
    if (lab.match?.tick === LIES_FROM_TICK) liesFromMs = lab.nowMs;
  };
  lab.run(LIES_UNTIL_SECONDS, noteTick);

  const named = namedIn(lab);
  const namedMs = Array.from({ length: liars }, (_, i) => {
    const atMs = named.get(`p${i + 1}`);
    if (atMs === undefined) throw new Error(`p${i + 1} was not named`);
    return atMs;
  });
  return { seconds: (Math.max(...namedMs) - liesFromMs) / 1000, others: named.size - liars };
}

/** Whom the server has named as computing something else, and when each first, ms. */
function namedIn(lab: Pick<CounterLab, "log">): ReadonlyMap<string, number> {
  const named = new Map<string, number>();
  for (const { event, fields, atMs } of lab.log) {
    const name = `${fields.name}`;
    if (event === "match_differs" && !named.has(name)) named.set(name, atMs);
  }
  return named;
}
