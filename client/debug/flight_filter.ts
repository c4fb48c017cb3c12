/** The controls that choose which rows of a log show, and in which order. */
import { make } from "../ui/dom.ts";
import { type FlightFilter, REASONS } from "./flight_reasons.ts";

/** The least distances that players may choose, cm. */
const CENTIMETRES = [10, 25, 50, 100];

export class FlightFilterBar {
  readonly element = make("div", { className: "flight-filter" });
  readonly #mine = make("input", { type: "checkbox" });
  readonly #distance = select("How far", [
    ["0", "any size"],
    ...CENTIMETRES.map((cm) => [String(cm), `over ${cm} cm`] as const),
  ]);
  readonly #reason = select("Why", [["", "any cause"], ...REASONS]);
  readonly #order: HTMLSelectElement;

  /**
   * @param options.visibility words for the order that is not the match's, such as "most seen
   *   first"
   * @param options.onChange called after each change
   */
  constructor(
    { match, visibility, onChange }: {
      /** Words for the match's order. */
      readonly match: string;
      readonly visibility: string;
      readonly onChange: () => void;
    },
  ) {
    this.#order = select("Order", [["", match], ["visibility", visibility]]);
    const controls = [this.#mine, this.#distance, this.#reason, this.#order];
    for (const control of controls) {
      control.addEventListener("change", () => {
        // Give the keyboard back to the game.
        control.blur();
        onChange();
      });
    }
    this.element.append(
      make("label", {}, this.#mine, " mine"),
      this.#distance,
      this.#reason,
      this.#order,
    );
  }

  get current(): FlightFilter {
    return {
      isOwnOnly: this.#mine.checked,
      metresMin: Number(this.#distance.value) / 100,
      reason: REASONS.find(([reason]) => reason === this.#reason.value)?.[0],
      isByVisibility: this.#order.value !== "",
    };
  }
}

function select(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
): HTMLSelectElement {
  const list = make("select", {});
  list.setAttribute("aria-label", label);
  for (const [value, textContent] of options) list.append(make("option", { value, textContent }));
  return list;
}
