/** The newest deeds in the arena, one line each: "Ash unseated Wren". Each line leaves after a few seconds. */
import type { Chip, Score } from "../../presentation/view.ts";
import { make } from "../dom.ts";
import { setChip } from "./scoreboard.ts";

/** More lines would hide the arena. */
const LINES_MAX = 4;

/** One seat did something to another. */
export interface Deed {
  readonly doer: Score;
  /** In the past tense: "unseated". */
  readonly verb: string;
  readonly victim: Score;
}

export class KillFeed {
  readonly #list: HTMLElement;
  readonly #chipOf: (score: Score) => Chip;

  /** @param chipOf the mark of a seat, with the colours that it has in the arena */
  constructor(list: HTMLElement, chipOf: (score: Score) => Chip) {
    this.#list = list;
    this.#chipOf = chipOf;
    // The style sheet fades a line out.
    list.addEventListener("animationend", ({ target }) => (target as HTMLElement).remove());
  }

  add({ doer, verb, victim }: Deed): void {
    const className = doer.own || victim.own ? "own" : "";
    const beginning = `${doer.own ? "You" : doer.name} ${verb} `, end = victim.own ? "you" : victim.name;
    this.#list.append(make("li", { className }, this.#chip(doer), beginning, this.#chip(victim), end));
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
