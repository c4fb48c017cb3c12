/**
 * "How it works": what is special about this page, in a drawing and four sentences, and where to see
 * it. The page fetches this script when a player first asks for it.
 */
import type { Proof } from "../../presentation/match_presenter.ts";
import { make, setHidden, setText } from "../dom.ts";
import { pageHome, serverUrl } from "../home.ts";
import { proofText } from "../match/proof_words.ts";
import { drawing } from "./drawing.ts";

export interface HowItWorksOptions {
  /** What this match's hash checks have found; undefined outside of a match. */
  readonly proof: () => Proof | undefined;
  /** Opens the debug overlay, as F3 does. */
  readonly openOverlay: () => void;
}

/** The idea in order, each with what it means. */
const STEPS = [
  [
    "Your keys act at once.",
    "This page simulates the whole world itself, a little ahead of the server.",
  ],
  ["It guesses the others.", "Their keys are still on the way, so it assumes the likeliest ones."],
  [
    "A wrong guess is undone.",
    "The page rolls the world back, simulates to the present again, and eases the difference.",
  ],
  [
    "Every tick is proven.",
    "The server sends a hash of its world. Yours must be the same, bit by bit.",
  ],
] as const;

/** Pages of this server beside the games. A server may have been built without them. */
const FURTHER_PAGES = [
  ["/lab", "The lab: other techniques beside this one, over a bad network"],
  ["/same-bits", "The same bits: let your device prove it"],
  ["/docs/", "The documentation"],
] as const;

/** How long to wait for an answer about a page, ms. A page that comes later is not named. */
const ANSWER_MS_MAX = 5_000;

export class HowItWorks {
  readonly #dialog = make("dialog", { id: "how" });
  readonly #proof = make("p", { id: "how-proof", hidden: true });
  readonly #pages = make("ul", { id: "how-pages", hidden: true });
  readonly #options: HowItWorksOptions;

  constructor(options: HowItWorksOptions) {
    this.#options = options;
    const dialog = this.#dialog;
    dialog.setAttribute("aria-labelledby", "how-title");

    // The idea
    const title = make("h2", { id: "how-title", textContent: "How it works" });
    const steps = STEPS.map(([what, meaning]) =>
      make("li", {}, make("strong", { textContent: what }), ` ${meaning}`)
    );
    const figure = make("figure", {});
    figure.append(drawing());

    // Where to see it
    const overlay = make("button", {
      type: "button",
      id: "how-overlay",
      className: "small",
      textContent: "Open the overlay (F3)",
    });
    overlay.addEventListener("click", () => {
      dialog.close();
      this.#options.openOverlay();
    });
    const close = make("button", {
      type: "button",
      id: "close-how",
      className: "small",
      textContent: "Done",
    });
    close.addEventListener("click", () => dialog.close());

    dialog.append(
      title,
      figure,
      make("ol", {}, ...steps),
      this.#proof,
      make(
        "p",
        { className: "aside" },
        key("F3"),
        " shows what was guessed and corrected, and why. ",
        key("F8"),
        " saves your last minute, so that you can see each correction again.",
      ),
      this.#pages,
      make("p", { className: "buttons" }, overlay, close),
    );
    document.body.append(dialog);
    void this.#offerPages();
  }

  open(): void {
    const proof = this.#options.proof();
    setHidden(this.#proof, proof === undefined || proof.ticks === 0);
    if (proof !== undefined) setText(this.#proof, `In this match: ${proofText(proof)}.`);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Names the further pages that this server has. A page on another site cannot ask it. */
  async #offerPages(): Promise<void> {
    if (pageHome().isElsewhere) return;
    const found = await Promise.all(FURTHER_PAGES.map(([path]) => isThere(serverUrl(path))));
    const items = FURTHER_PAGES.filter((_, i) => found[i]).map(([path, textContent]) =>
      make("li", {}, make("a", { href: serverUrl(path), target: "_blank", textContent }))
    );
    this.#pages.append(...items);
    setHidden(this.#pages, items.length === 0);
  }
}

async function isThere(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const { ok, headers } = await fetch(url, { method: "HEAD", signal });
    return ok && headers.get("Content-Type")?.startsWith("text/html") === true;
  } catch {
    return false;
  }
}

function key(textContent: string): HTMLElement {
  return make("kbd", { textContent });
}
