/** The best three of a set, on three steps: the second on the left, the winner in the middle. */
import type { Chip, Score } from "../../presentation/view.ts";
import { worthInSet } from "../../../shared/netcode/round_outcome.ts";
import { make, setHidden } from "../dom.ts";
import { placeOf, setChip } from "./scoreboard.ts";

/** The ranks by step, from left to right. */
const RANKS = [1, 0, 2];

export class Podium {
  readonly #steps: HTMLElement;
  readonly #chipOf: (score: Score) => Chip;
  /** What the steps show now. */
  #shown = "";

  /** @param chipOf returns a seat's mark, with its colours in the arena */
  constructor(steps: HTMLElement, chipOf: (score: Score) => Chip) {
    this.#steps = steps;
    this.#chipOf = chipOf;
  }

  /** @param ranked the best first; fewer than two show no podium */
  show(ranked: readonly Score[]): void {
    const best = ranked.slice(0, RANKS.length);
    setHidden(this.#steps, best.length < 2);
    const shown = JSON.stringify(
      best.map(({ seat, name, total, wins }) => [seat, name, total, wins]),
    );
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#steps.replaceChildren(...RANKS.flatMap((rank) => {
      const score = best[rank];
      return score === undefined ? [] : [this.#step(score, placeOf(score, ranked, worthInSet))];
    }));
  }

  /** Equals stand equally high. */
  #step(score: Score, place: number): HTMLElement {
    const chip = make("span", { className: "chip" });
    setChip(chip, this.#chipOf(score));
    const step = make("b", { textContent: `${place}` });
    const name = make("span", { className: "name", textContent: score.own ? "You" : score.name });
    const item = make("li", { className: score.own ? "own" : "" }, chip, name, step);
    item.dataset.place = `${place}`;
    return item;
  }
}
