/**
 * Lists a lag report's corrections beside the picture: when, by how much, and why. A sentence on top
 * sums them up. A press on a row leads to the moment, and the timeline has a mark for each row.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { FlightFilterBar } from "../../debug/flight_filter.ts";
import { showsCorrection, visibilityOf } from "../../debug/flight_reasons.ts";
import type { Sight } from "../../debug/sights.ts";
import { matchClock, type Naming, rowText, summaryText } from "../../debug/flight_words.ts";
import type { FlightCorrection } from "../../debug/replay/flight_replay.ts";
import { findElement, make, setHidden, setText } from "../../ui/dom.ts";
import { TimelineMarks } from "./timeline_marks.ts";

/** How many rows to show: more than a reader needs, and few enough to keep the page fluent. */
const ROWS_MAX = 1000;
/** By how much a sorted list grows before it is made anew while the report is still replayed. */
const GROWTH = 1.25;
const KEY = "Blue is where the page predicted a body, dashed is where it was.";

export interface CorrectionContext {
  readonly naming: Naming;
  readonly firstTick: Tick;
  readonly lastTick: Tick;
  readonly tickHz: number;
  /** Whether all corrections are known. */
  readonly isComplete: boolean;
  /** What the player saw of a correction; undefined if that is not known. */
  readonly sightOf: (correction: FlightCorrection) => Sight | undefined;
}

export class CorrectionList {
  readonly #element = findElement(document, "#corrections");
  readonly #summary = findElement(document, "#corrections-summary");
  readonly #notice = findElement(document, "#corrections-notice");
  readonly #list = findElement(document, "#correction-rows");
  readonly #marks = new TimelineMarks(findElement(document, "#timeline-marks"));
  readonly #filter: FlightFilterBar;
  readonly #onSelect: (tick: Tick) => void;
  /** How many of the report's corrections the list has looked at; −1 makes it anew. */
  #looked = -1;
  /** How many of them the filter lets through. */
  #matching = 0;
  #wasComplete = false;
  #selected: HTMLElement | undefined;

  constructor(onSelect: (tick: Tick) => void) {
    this.#onSelect = onSelect;
    this.#filter = new FlightFilterBar({
      match: "in order",
      visibility: "most seen first",
      onChange: () => this.#looked = -1,
    });
    this.#list.before(this.#filter.element);
  }

  /** Shows the corrections so far; call it with every frame. */
  show(corrections: readonly FlightCorrection[], context: CorrectionContext): void {
    setHidden(this.#element, false);
    if (this.#isDue(corrections.length, context.isComplete)) this.#update(corrections, context);
    this.#wasComplete = context.isComplete;
  }

  hide(): void {
    setHidden(this.#element, true);
    this.#marks.hide();
    this.#list.replaceChildren();
    this.#looked = -1;
    this.#wasComplete = false;
  }

  /** A sorted list is made anew as it grows, which must not happen with every frame. */
  #isDue(count: number, isComplete: boolean): boolean {
    if (this.#looked < 0 || isComplete !== this.#wasComplete) return true;
    const { isByVisibility } = this.#filter.current;
    return count > (isByVisibility ? this.#looked * GROWTH : this.#looked);
  }

  #update(corrections: readonly FlightCorrection[], context: CorrectionContext): void {
    const { naming, firstTick, lastTick, tickHz, isComplete, sightOf } = context;
    const { ownSeat } = naming;
    const filter = this.#filter.current;

    // In the match's order rows are added; in the other one the list is made anew
    if (this.#looked < 0 || filter.isByVisibility) {
      this.#list.replaceChildren();
      this.#looked = 0;
      this.#matching = 0;
    }
    const added = corrections.slice(this.#looked)
      .filter((each) => showsCorrection(filter, each, ownSeat));
    if (filter.isByVisibility) {
      const visible = new Map(added.map((each) => [each, visibilityOf(each, sightOf(each))]));
      added.sort((a, b) => visible.get(b)! - visible.get(a)!);
    }
    this.#looked = corrections.length;
    this.#matching += added.length;
    const room = ROWS_MAX - this.#list.childElementCount;
    const rows = added.slice(0, Math.max(0, room)).map((each) => this.#rowOf(each, context));
    this.#list.append(...rows);

    // The sentence on top, what is left out, and the timeline
    const seconds = (lastTick - firstTick) / tickHz;
    setText(this.#summary, summaryText(corrections, { seconds, tickHz, ownSeat }));
    const left = this.#matching - this.#list.childElementCount;
    const more = left > 0 ? ` These are the first ${ROWS_MAX}; ${left} more follow.` : "";
    const isFilteredOut = this.#matching === 0 && corrections.length > 0 && isComplete;
    const hasKey = corrections.length > 0 || !isComplete;
    setText(
      this.#notice,
      isFilteredOut ? "No correction is like that." : hasKey ? KEY + more : "",
    );
    this.#marks.show(
      corrections.filter((each) => showsCorrection(filter, each, ownSeat)),
      { firstTick, lastTick, ownSeat },
    );
  }

  #rowOf(
    correction: FlightCorrection,
    { naming, tickHz, sightOf }: CorrectionContext,
  ): HTMLElement {
    const { atMs, tick, seat } = correction;
    const row = { kind: "correction", atMs, tick, correction } as const;
    const { what, why, command } = rowText(row, naming, sightOf(correction));
    const button = make(
      "button",
      { type: "button", className: seat === naming.ownSeat ? "own" : "" },
      make("strong", { textContent: `${matchClock(tick, tickHz)} · ${what}` }),
      make("span", { textContent: why }),
      make("small", { textContent: command }),
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
