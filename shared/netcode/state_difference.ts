/**
 * Names the first word in which two states for one tick differ, for the tools that watch the
 * contract (DESIGN 3).
 */
import type { Game, Simulation, Tick } from "./game.ts";
import type { Snapshot } from "../snapshot.ts";

/** Where two states differ. */
export interface StateDifference {
  readonly tick: Tick;
  /** The word's label, e.g. "entity 12 car.fuel"; "word 17" if the game gives no labels. */
  readonly field: string;
  /** The word's offset. */
  readonly word: number;
}

/**
 * Words that change with every spawn and despawn. They come first in a state, but the missing
 * entity's own words say more.
 */
const BOOKKEEPING = /^(tick|next id|\w+ count)$/;

/** How many differing words to look at: all counts, and one more. */
export const DIFFERING_WORDS_MAX = 8;

/** Words below this would be denormal as floats, so they are taken as whole numbers. */
const INTEGERS_BELOW = 0x0080_0000;

/**
 * Finds the first differing words, ascending. Beyond the shorter state's end every word differs.
 * @returns at most `DIFFERING_WORDS_MAX` offsets; none if the states are equal
 */
export function differingWords(a: Snapshot, b: Snapshot): number[] {
  const found: number[] = [];
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length && found.length < DIFFERING_WORDS_MAX; i++) {
    if (i >= a.length || i >= b.length || a.words[i] !== b.words[i]) found.push(i);
  }
  return found;
}

/**
 * Chooses the most informative among differing words and names it.
 * @param state the state that the labels describe, from this simulation's match
 * @param words offsets of differing words, ascending, at least one
 */
export function nameDifference<Command, Sim extends Simulation<Command>>(
  { stateLabels }: Pick<Game<Command, Sim>, "stateLabels">,
  { simulation, tick, state, words }: {
    simulation: Sim;
    tick: Tick;
    state: Snapshot;
    words: readonly number[];
  },
): StateDifference {
  const labels = stateLabels?.(simulation, state) ?? [];
  const word = words.find((word) => !BOOKKEEPING.test(labels[word] ?? "")) ?? words[0]!;
  const beyond = labels.length > 0 && word >= state.length
    ? "a word after the end of the state"
    : `word ${word}`;
  return { tick, word, field: labels[word] ?? beyond };
}

/** @returns the word as the number that it most likely is, or "missing" beyond the state's end */
export function formatWord(state: Snapshot, word: number): string {
  return word >= state.length ? "missing" : formatBits(state.words[word]!);
}

/** @param bits unsigned, 32 bits @returns e.g. "3", "-1" or "0.25 (0x3e800000)" */
export function formatBits(bits: number): string {
  if (bits < INTEGERS_BELOW) return String(bits);
  const [float] = new Float32Array(Uint32Array.of(bits).buffer);
  return Number.isFinite(float)
    ? `${float} (0x${bits.toString(16).padStart(8, "0")})`
    : String(bits | 0);
}
