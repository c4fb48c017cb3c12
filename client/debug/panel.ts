/** The overlay's panel. Code makes its elements, because most players never open it. */
import type { NetworkConditions } from "../net/network_conditions.ts";
import { make, setText } from "../ui/dom.ts";
import {
  type Figures,
  type NetworkVerdict,
  SLACK_BIN_MS,
  SLACK_BINS,
  SLACK_FROM_MS,
} from "./figures.ts";
import type { FlightFigures } from "./flight_words.ts";
import { networkControls } from "./network_controls.ts";
import type { TransportWords } from "./transport_words.ts";

const whole = (value: number) => String(Math.round(value));
const tenths = (value: number) => value.toFixed(1);

/** Id, label, meaning, and how to format the value if it comes from the figures. */
const FIGURE_ROWS: readonly (readonly [string, string, string, ((figures: Figures) => string)?])[] =
  [
    [
      "rtt",
      "round trip",
      "how long a message takes there and back",
      ({ rttMs }) => `${whole(rttMs)} ms`,
    ],
    ["jitter", "jitter", "how unevenly ticks arrive", ({ jitterMs }) => `${tenths(jitterMs)} ms`],
    [
      "lead",
      "lead / advised",
      "how far ahead of the server this page plays, and how far the server would have it",
      (figures) => `${whole(figures.leadMs)} / ${whole(figures.advisedLeadMs)} ms`,
    ],
    [
      "input-delay",
      "input delay",
      "how much later than pressed your keys act, so that this page guesses fewer ticks of others; the settings have it",
      ({ inputDelayTicks }) => `${tenths(inputDelayTicks)} ticks`,
    ],
    [
      "slack",
      "slack",
      "how long before it is needed your command is at the server; below 0 it is late",
      ({ slackMs }) => `${whole(slackMs)} ms`,
    ],
    [
      "late",
      "late",
      "commands of yours that came after their tick",
      ({ latePerSecond }) => `${tenths(latePerSecond)} /s`,
    ],
    [
      "assumed",
      "assumed",
      "commands that did not come in time, so the server took it that the same keys were held",
      ({ assumedPerSecond }) => `${tenths(assumedPerSecond)} /s`,
    ],
    [
      "rollbacks",
      "rollbacks",
      "predictions that turned out wrong and were simulated again: how often, how many ticks, how long it took",
      (figures) =>
        `${tenths(figures.rollbacksPerSecond)} /s · ${tenths(figures.rollbackTicks)} ticks · ${
          tenths(figures.rollbackMs)
        } ms`,
    ],
    [
      "foreknown",
      "foreknown",
      "bots' commands that were here before their tick was simulated: those need no rollback",
      ({ foreknownShare }) => `${whole(foreknownShare * 100)} %`,
    ],
    [
      "bytes",
      "bytes /s",
      "down: ticks, whole states, pings; up: all",
      ({ bytes }) =>
        `${whole(bytes.ticks)} + ${whole(bytes.states)} + ${whole(bytes.pings)} ↓ ${
          whole(bytes.up)
        } ↑`,
    ],
    [
      "transport",
      "transport",
      "what carries your commands and the ticks, and why: datagrams where stalls cost too much",
    ],
    [
      "losses",
      "datagrams lost",
      "the share of datagrams that did not arrive: to the server, and to this page",
    ],
    [
      "repeats",
      "repeats",
      "datagrams that came again, and what came by a repeat alone: your commands, and ticks",
    ],
    [
      "tick-ms",
      "tick",
      "how long this machine takes for one of the twenty ticks in a second",
      ({ stepMs }) => `${stepMs.toFixed(2)} ms`,
    ],
    [
      "pictures",
      "pictures",
      "drawn by this page, and how much they leave out, 0 to 4, because the device is slow",
    ],
    [
      "corrections",
      "corrections",
      "bodies that were moved by more than 5 cm in the last five seconds, because a prediction was wrong: yours, others",
    ],
    [
      "offset",
      "error offset",
      "how far from its simulated place a body is drawn now: yours, and the farthest",
    ],
    [
      "taken-back",
      "taken back",
      "effects that were shown and taken back in the last five seconds; and outcomes that were predicted, not shown, " +
      "and never happened, such as deaths and points",
    ],
    [
      "in-step",
      "in step",
      "whether this page's state is the server's, bit by bit, or on the state stream: told where bodies are, each tick",
      ({ inStep, streams, desyncs }) => {
        if (streams) return "on the state stream";
        return inStep ? desyncs === 0 ? "yes" : `yes, healed ${desyncs}×` : "no";
      },
    ],
  ];

export interface PanelOptions {
  /** Lanes and rows for the last half minute. */
  readonly flight: HTMLElement;
  /** What planck makes of the match; undefined without `--check-planck`. */
  readonly planck: HTMLElement | undefined;
  /** Rows with the parts of a tick. */
  readonly stepTimes: HTMLElement;
  /** Whether bodies are drawn above the game, which the player then switches on and off. */
  readonly hasPicture: boolean;
  readonly conditions: NetworkConditions;
  /** Called by the button "Save the figures". */
  readonly saveTrace: () => void;
  readonly close: () => void;
}

export class Panel {
  /** Idle until the first verdict on a match, so that in the lobby it covers nothing. */
  readonly element = make("aside", { id: "debug", className: "idle" });
  /** Where the curves go. */
  readonly graphs = make("div", { className: "graphs" });
  readonly #verdict = make("strong", { id: "debug-verdict" });
  readonly #why = make("span", { id: "debug-why" });
  readonly #values = new Map<string, HTMLElement>();
  readonly #bars: HTMLElement[] = [];
  readonly #authoritativeBodies = checkbox("show-ghosts", "definitive positions");
  readonly #contacts = checkbox("show-contacts", "contacts");
  readonly #saveButton = make("button", { type: "button", id: "felt" });

  constructor(
    { flight, planck, stepTimes, hasPicture, conditions, saveTrace, close }: PanelOptions,
  ) {
    this.element.setAttribute("aria-label", "What the netcode does");

    // The buttons
    const saveButton = this.#saveButton;
    this.setSaving(false);
    saveButton.title = "Saves the last 30 seconds as a file";
    saveButton.addEventListener("click", () => {
      saveButton.blur();
      saveTrace();
    });

    const closeButton = make("button", { type: "button", id: "debug-close", textContent: "Close" });
    closeButton.addEventListener("click", close);

    this.element.append(
      closeButton,
      make("p", { className: "verdict" }, this.#verdict, this.#why),
      saveButton,
      ...planck === undefined ? [] : [planck],
      flight,
      this.#explainButton(),
      this.#figureRows(),
      make("p", { className: "heading", textContent: "where a tick's time goes" }),
      stepTimes,
      this.#histogram(),
      this.graphs,
      ...networkControls(conditions),
      ...hasPicture ? [make("p", {}, this.#authoritativeBodies.label, this.#contacts.label)] : [],
    );
  }

  /** Sets the label, because the file is complete only a moment after the press. */
  setSaving(isSaving: boolean): void {
    setText(this.#saveButton, isSaving ? "Saving…" : "Save the figures");
  }

  get shown(): { authoritativeBodies: boolean; contacts: boolean } {
    return {
      authoritativeBodies: this.#authoritativeBodies.input.checked,
      contacts: this.#contacts.input.checked,
    };
  }

  /**
   * Shows the log's figures.
   * @param offsets the own body's and the farthest body's error offsets, metres
   */
  showFlight(
    { own, others, largestMetres, takenBack, notShown }: FlightFigures,
    offsets: { readonly own: number; readonly farthest: number },
  ): void {
    const cm = (metres: number) => `${whole(100 * metres)} cm`;
    const values = this.#values;
    const largest = own + others === 0 ? "" : ` · up to ${cm(largestMetres)}`;
    setText(values.get("corrections")!, `${own} + ${others}${largest}`);
    setText(values.get("offset")!, `${cm(offsets.own)} · ${cm(offsets.farthest)}`);
    setText(values.get("taken-back")!, `${takenBack} shown · ${notShown} not shown`);
  }

  showTransport({ transport, losses, repeats }: TransportWords): void {
    setText(this.#values.get("transport")!, transport);
    setText(this.#values.get("losses")!, losses);
    setText(this.#values.get("repeats")!, repeats);
  }

  /**
   * Shows figures and verdict.
   * @param pictures.rung the quality ladder's; undefined on a page without one
   */
  show(
    figures: Figures | undefined,
    { word, why }: NetworkVerdict,
    { framesPerSecond, rung }: { framesPerSecond: number; rung: number | undefined },
  ): void {
    this.element.classList.toggle("idle", word === "idle");
    setText(this.#verdict, word);
    this.#verdict.dataset.word = word;
    setText(this.#why, why);
    setText(
      this.#values.get("pictures")!,
      framesPerSecond < Infinity
        ? [`${whole(framesPerSecond)} /s`, ...rung === undefined ? [] : [rung]].join(" · ")
        : "",
    );
    if (figures === undefined) return;
    for (const [id, , , format] of FIGURE_ROWS) {
      if (format !== undefined) setText(this.#values.get(id)!, format(figures));
    }
    const most = Math.max(1, ...figures.slackBins);
    figures.slackBins.forEach((count, i) => this.#bars[i]!.style.height = `${100 * count / most}%`);
  }

  /** Makes the button that shows the meanings without a mouse, for touch screens and keyboards. */
  #explainButton(): HTMLElement {
    const button = make("button", {
      type: "button",
      id: "explain",
      textContent: "What do these mean?",
    });
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => {
      const isExplained = this.element.classList.toggle("explained");
      button.setAttribute("aria-expanded", String(isExplained));
      button.blur();
    });
    return button;
  }

  #figureRows(): HTMLElement {
    const list = make("dl", {});
    for (const [id, label, meaning] of FIGURE_ROWS) {
      const value = make("dd", { id: `debug-${id}` });
      this.#values.set(id, value);
      const row = make(
        "div",
        { title: meaning },
        make("dt", { textContent: label }),
        value,
        make("dd", { className: "meaning", textContent: meaning }),
      );
      list.append(row);
    }
    return list;
  }

  #histogram(): HTMLElement {
    const bars = make("div", { className: "bars" });
    for (let i = 0; i < SLACK_BINS; i++) {
      const bar = make("i", {});
      bar.className = SLACK_FROM_MS + i * SLACK_BIN_MS < 0 ? "late" : "";
      this.#bars.push(bar);
      bars.append(bar);
    }
    const to = SLACK_FROM_MS + SLACK_BINS * SLACK_BIN_MS;
    return make(
      "figure",
      {},
      bars,
      make("figcaption", { textContent: `slack, from ${SLACK_FROM_MS} (late) to ${to} ms` }),
    );
  }
}

function checkbox(id: string, text: string): { input: HTMLInputElement; label: HTMLElement } {
  const input = make("input", { type: "checkbox", id, checked: true });
  // Give the keyboard back to the game.
  input.addEventListener("change", () => input.blur());
  return { input, label: make("label", {}, input, ` ${text}`) };
}
