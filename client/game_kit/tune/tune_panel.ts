/** The sliders of the constants that a game's author tunes, and the lines to copy into its rules. */
import type { TunedConstant, TunedConstants } from "../../../shared/game_kit/game_kit.ts";
import { nearest, TUNE_STEPS, tuneValues } from "../../../shared/game_kit/tune/tune.ts";
import { make, setHidden, setText } from "../../ui/dom.ts";
import type { TunedValues, Tuner } from "./tuner.ts";

interface Row {
  readonly name: string;
  readonly constant: TunedConstant;
  readonly input: HTMLInputElement;
  readonly output: HTMLOutputElement;
}

export class TunePanel {
  readonly #tuner: Pick<Tuner<unknown>, "set" | "wanted">;
  readonly #rows: readonly Row[];
  /** The declarations of what has changed, which the author copies. */
  readonly #lines = make("pre", { id: "tune-lines" });
  readonly #element: HTMLElement;
  readonly #changed: HTMLElement;
  /** The newest definitive values. */
  #values: TunedValues = {};

  /** Adds the panel to the page, hidden until a match shows. */
  constructor(constants: TunedConstants, tuner: Pick<Tuner<unknown>, "set" | "wanted">) {
    this.#tuner = tuner;
    this.#rows = Object.entries(constants).map(([name, constant]) => this.#row(name, constant));

    this.#changed = make(
      "div",
      { hidden: true },
      this.#lines,
      button("Copy", () => this.#copy()),
      button("Reset", () => this.#reset()),
    );
    this.#element = make(
      "details",
      { id: "tune", open: true, hidden: true },
      make("summary", { textContent: "Tune" }),
      ...this.#rows.map(({ name, input, output }) =>
        make("label", { htmlFor: input.id }, `${name} `, output, input)
      ),
      this.#changed,
    );
    this.#style();
    document.body.append(this.#element);
  }

  /** Shows the constants. @param canTune whether this page has a seat, whose commands change them */
  show(values: TunedValues, { canTune }: { canTune: boolean }): void {
    this.#values = values;
    setHidden(this.#element, false);
    const lines: string[] = [];
    for (const { name, constant, input, output } of this.#rows) {
      const value = values[name]!;
      const shown = this.#tuner.wanted(name) ?? value;
      if (input.disabled === canTune) input.disabled = !canTune;
      if (Number(input.value) !== shown) input.value = String(shown);
      setText(output, String(shown));
      if (value !== constant.value) lines.push(tuneLine(name, constant, value));
    }
    setText(this.#lines, lines.join("\n"));
    setHidden(this.#changed, lines.length === 0);
  }

  #row(name: string, constant: TunedConstant): Row {
    const { min, max, step } = constant;
    const input = make("input", {
      type: "range",
      id: `tune-${name}`,
      min: String(min),
      max: String(max),
      step: String(step),
    });
    const values = tuneValues(constant);
    input.addEventListener("input", () => {
      this.#tuner.set(name, nearest(values, Number(input.value)));
    });
    // Give the keyboard back to the game.
    input.addEventListener("change", () => input.blur());
    return { name, constant, input, output: make("output", {}) };
  }

  #reset(): void {
    for (const { name, constant } of this.#rows) {
      if (this.#values[name] !== constant.value) this.#tuner.set(name, constant.value);
    }
  }

  #copy(): void {
    // A page without a secure origin has no clipboard; then the lines are selected for Ctrl-C.
    getSelection()?.selectAllChildren(this.#lines);
    void navigator.clipboard?.writeText(this.#lines.textContent!).catch(() => {});
  }

  /** The page's policy forbids styles in the markup, but allows these. */
  #style(): void {
    Object.assign(this.#element.style, {
      position: "fixed",
      left: "0",
      bottom: "3rem",
      zIndex: "50",
      width: "15rem",
      maxHeight: "70%",
      overflow: "auto",
      padding: "0.5rem 0.7rem",
      font: "0.8rem/1.4 monospace",
      color: "#fff",
      background: "rgb(10 12 26 / 88%)",
      pointerEvents: "auto",
    });
    Object.assign(this.#lines.style, { whiteSpace: "pre-wrap", userSelect: "all" });
    for (const { input, output } of this.#rows) {
      Object.assign(input.style, { display: "block", width: "100%" });
      output.style.cssFloat = "right";
    }
  }
}

/** The declaration of a constant with another value, as its author writes it. */
export function tuneLine(name: string, { min, max, step }: TunedConstant, value: number): string {
  const steps = step === (max - min) / TUNE_STEPS ? "" : `, step: ${step}`;
  return `${name}: tune(${value}, { min: ${min}, max: ${max}${steps} }),`;
}

function button(textContent: string, onClick: () => void): HTMLElement {
  const element = make("button", { type: "button", textContent });
  element.addEventListener("click", () => {
    element.blur();
    onClick();
  });
  return element;
}
