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

/** What ranks a row: a greater number is a better place. */
export type Worth = (score: Score) => number;

/** Ranks by points, as in play and at a round's end. */
export const pointsOf: Worth = ({ score }) => score;

/** Finds a row's place, from 1; equal rows share the better place. */
export function placeOf(score: Score, scores: readonly Score[], worthOf = pointsOf): number {
  const worth = worthOf(score);
  return 1 + scores.filter((other) => worthOf(other) > worth).length;
}

/** Which columns a list has beside place and name. */
export interface Columns {
  /** Whether there are places and points. */
  readonly hasScores: boolean;
  /** Whether the points of the round stand apart from the total. */
  readonly hasTotals: boolean;
  /** How many rounds of a set one can win; 0 without sets. */
  readonly winsMax: number;
}

interface Row {
  readonly item: HTMLElement;
  readonly place: HTMLElement;
  readonly chip: HTMLElement;
  readonly name: HTMLElement;
  readonly ready: HTMLElement;
  readonly wins: HTMLElement;
  readonly score: HTMLElement;
  readonly total: HTMLElement;
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

  /**
   * @param scores all scores, in the order of their places
   * @param worthOf what the places follow from
   */
  show(scores: readonly Score[], columns: Columns, worthOf = pointsOf): void {
    const shown = visibleScores(scores);
    for (let i = 0; i < shown.length; i++) {
      const score = shown[i]!;
      const row = this.#rows[i] ??= this.#add();
      setHidden(row.item, false);
      setChip(row.chip, this.#chipOf(score));
      fill(row, score, { place: placeOf(score, scores, worthOf), columns });
    }
    for (let i = shown.length; i < this.#rows.length; i++) setHidden(this.#rows[i]!.item, true);
  }

  #add(): Row {
    const part = (className: string) => make("span", { className });
    const place = part("place");
    const chip = part("chip");
    const name = part("name");
    const ready = part("is-ready");
    const wins = part("wins");
    const score = part("score");
    const total = part("total");
    const item = make("li", {}, place, chip, name, ready, wins, score, total);
    this.#list.append(item);
    return { item, place, chip, name, ready, wins, score, total };
  }
}

function fill(
  row: Row,
  score: Score,
  { place, columns }: { readonly place: number; readonly columns: Columns },
): void {
  const { hasScores, hasTotals, winsMax } = columns;
  const rowClass = score.own ? "own" : score.npc ? "npc" : "player";
  if (row.item.className !== rowClass) row.item.className = rowClass;
  setText(row.place, hasScores ? `${place}.` : "");
  setText(
    row.name,
    score.own ? `${score.name} (you)` : score.npc ? `${score.name} · bot` : score.name,
  );
  setText(row.ready, score.ready ? "✓ ready" : "");
  setText(row.wins, winsText(score.wins ?? 0, winsMax));
  setText(row.score, hasScores ? `${score.score}` : "");
  setText(row.total, hasTotals ? `${score.total ?? score.score}` : "");
}

/** Shows won rounds as full dots among empty ones. */
function winsText(wins: number, winsMax: number): string {
  return winsMax > 1 ? "●".repeat(wins) + "○".repeat(Math.max(0, winsMax - wins)) : "";
}

/** Colours an element with the class "chip". */
export function setChip({ dataset, style }: HTMLElement, { fill, mark, pattern }: Chip): void {
  if (dataset.fill === fill && dataset.pattern === pattern) return;
  dataset.fill = fill;
  dataset.pattern = pattern;
  style.setProperty("--fill", fill);
  style.setProperty("--mark", mark);
}
