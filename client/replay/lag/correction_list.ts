/**
 * Lists a lag report's corrections beside the picture: when, by how much, and why. A press leads to
 * the moment.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { type Naming, rowText } from "../../debug/flight_words.ts";
import type { FlightCorrection } from "../../debug/replay/flight_replay.ts";
import { findElement, make, setHidden, setText } from "../../ui/dom.ts";
import { momentText } from "../replay_bar.ts";

/** How many rows to show: more than a reader needs, and few enough to keep the page fluent. */
const ROWS_MAX = 1000;
const KEY = "Blue is where the page predicted a body, dashed is where it was.";

export interface CorrectionContext {
  readonly naming: Naming;
  /** Converts a tick to its place in the replay, s. */
  readonly secondsOf: (tick: Tick) => number;
  /** Whether all corrections are known. */
  readonly isComplete: boolean;
}

export class CorrectionList {
  readonly #element = findElement(document, "#corrections");
  readonly #notice = findElement(document, "#corrections-notice");
  readonly #list = findElement(document, "#correction-rows");
  readonly #onSelect: (tick: Tick) => void;
  #selected: HTMLElement | undefined;

  constructor(onSelect: (tick: Tick) => void) {
    this.#onSelect = onSelect;
  }

  /** Shows the corrections so far; earlier rows stay. */
  show(corrections: readonly FlightCorrection[], context: CorrectionContext): void {
    setHidden(this.#element, false);
    const from = this.#list.childElementCount;
    const added = corrections.slice(from, ROWS_MAX);
    if (added.length > 0) this.#list.append(...added.map((each) => this.#rowOf(each, context)));
    const left = corrections.length - ROWS_MAX;
    if (left > 0) {
      setText(this.#notice, `${KEY} These are the first ${ROWS_MAX}; ${left} more follow.`);
    } else if (corrections.length > 0 || !context.isComplete) setText(this.#notice, KEY);
    else setText(this.#notice, "Nothing was corrected.");
  }

  hide(): void {
    setHidden(this.#element, true);
    this.#list.replaceChildren();
  }

  #rowOf(correction: FlightCorrection, { naming, secondsOf }: CorrectionContext): HTMLElement {
    const { atMs, tick, seat } = correction;
    const { what, why } = rowText(
      { kind: "correction", atMs, tick, correction },
      naming,
      undefined,
    );
    const button = make(
      "button",
      { type: "button", className: seat === naming.ownSeat ? "own" : "" },
      make("strong", { textContent: `${momentText(secondsOf(tick))} · ${what}` }),
      make("span", { textContent: why }),
    );
    button.addEventListener("click", () => {
      this.#selected?.removeAttribute("aria-current");
      this.#selected = button;
      button.setAttribute("aria-current", "true");
      this.#onSelect(tick);
    });
    return make("li", {}, button);
  }
}
