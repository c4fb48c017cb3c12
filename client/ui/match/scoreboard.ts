/** A score list as elements: one row per place, which shows whichever seat takes that place. */
import { make, setHidden, setText } from "../dom.ts";
import type { Chip, Score } from "../../presentation/view.ts";

/**
 * How many rows to show, because a longer list would hide the arena. The player's own row is always
 * among them.
 */
export const SCORE_ROWS_MAX = 8;

/**
 * Takes a sorted scoreboard's first rows. If the player is not among them, their row replaces the
 * last one.
 */
export function visibleScores(scores: readonly Score[]): readonly Score[] {
  if (scores.length <= SCORE_ROWS_MAX) return scores;
  const best = scores.slice(0, SCORE_ROWS_MAX);
  const own = scores.find((score) => score.own);
  if (own !== undefined && !best.includes(own)) best[SCORE_ROWS_MAX - 1] = own;
  return best;
}

/** Chooses the scores to rank: the players', or the NPCs' if there are no players. */
export function rankedScores(scores: readonly Score[]): readonly Score[] {
  const players = scores.filter(({ npc }) => !npc);
  return players.length > 0 ? players : scores;
}

/**
 * Finds the place among ranked scores, from 1; equal scores share the better place.
 * @returns 0 if it is not ranked
 */
export function placeOf(score: Score, ranked: readonly Score[]): number {
  return ranked.includes(score) ? ranked.findIndex((other) => other.score === score.score) + 1 : 0;
}

interface Row {
  readonly item: HTMLElement;
  readonly place: HTMLElement;
  readonly chip: HTMLElement;
  readonly name: HTMLElement;
  readonly score: HTMLElement;
}

export class Scoreboard {
  readonly #list: HTMLElement;
  readonly #chipOf: (score: Score) => Chip;
  readonly #rows: Row[] = [];

  /**
   * @param list an ordered list that does not number its rows, because places can be equal or
   *   skipped
   * @param chipOf returns a seat's mark, with its colours in the arena
   */
  constructor(list: HTMLElement, chipOf: (score: Score) => Chip) {
    this.#list = list;
    this.#chipOf = chipOf;
  }

  /** @param scores all scores: players before NPCs, and the best of each first */
  show(scores: readonly Score[]): void {
    const shown = visibleScores(scores);
    const ranked = rankedScores(scores);
    for (let i = 0; i < shown.length; i++) {
      const row = this.#rows[i] ??= this.#add();
      setHidden(row.item, false);
      fill(row, shown[i]!, { place: placeOf(shown[i]!, ranked), chip: this.#chipOf(shown[i]!) });
    }
    for (let i = shown.length; i < this.#rows.length; i++) setHidden(this.#rows[i]!.item, true);
  }

  #add(): Row {
    const part = (className: string) => make("span", { className });
    const place = part("place");
    const chip = part("chip");
    const name = part("name");
    const score = part("score");
    const item = make("li", {}, place, chip, name, score);
    this.#list.append(item);
    return { item, place, chip, name, score };
  }
}

function fill(row: Row, score: Score, { place, chip }: { place: number; chip: Chip }): void {
  const rowClass = score.own ? "own" : score.npc ? "npc" : "player";
  if (row.item.className !== rowClass) row.item.className = rowClass;
  setChip(row.chip, chip);
  setText(row.place, place > 0 ? `${place}.` : "");
  setText(
    row.name,
    score.own ? `${score.name} (you)` : score.npc ? `${score.name} · bot` : score.name,
  );
  setText(row.score, `${score.score}`);
}

/** Colours an element with the class "chip". */
export function setChip({ dataset, style }: HTMLElement, { fill, mark, pattern }: Chip): void {
  if (dataset.fill === fill && dataset.pattern === pattern) return;
  dataset.fill = fill;
  dataset.pattern = pattern;
  style.setProperty("--fill", fill);
  style.setProperty("--mark", mark);
}
