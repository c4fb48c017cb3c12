/**
 * The arena's newest captions, one line each: "Ash unseated Wren". Each line leaves after a few
 * seconds.
 */
import type { Chip, Score } from "../../presentation/view.ts";
import { make } from "../dom.ts";
import { setChip } from "./scoreboard.ts";

/** More lines would hide the arena. */
const LINES_MAX = 4;

/** A caption with the participants' scores. */
export interface ScoredCaption {
  readonly doer: Score;
  readonly verb: string;
  readonly victim: Score | undefined;
}

export class KillFeed {
  readonly #list: HTMLElement;
  readonly #chipOf: (score: Score) => Chip;

  /** @param chipOf returns a seat's mark, with its colours in the arena */
  constructor(list: HTMLElement, chipOf: (score: Score) => Chip) {
    this.#list = list;
    this.#chipOf = chipOf;
    // The style sheet fades out a line.
    list.addEventListener("animationend", ({ target }) => (target as HTMLElement).remove());
  }

  add({ doer, verb, victim }: ScoredCaption): void {
    const className = doer.own || victim?.own ? "own" : "";
    const line = make(
      "li",
      { className },
      this.#chip(doer),
      `${doer.own ? "You" : doer.name} ${verb} `,
    );
    if (victim !== undefined) line.append(this.#chip(victim), victim.own ? "you" : victim.name);
    this.#list.append(line);
    if (this.#list.childElementCount > LINES_MAX) this.#list.firstElementChild!.remove();
  }

  clear(): void {
    this.#list.replaceChildren();
  }

  #chip(score: Score): HTMLElement {
    const chip = make("span", { className: "chip" });
    setChip(chip, this.#chipOf(score));
    return chip;
  }
}
