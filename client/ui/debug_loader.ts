/**
 * Opens and closes the debug overlay, with F3 or `?debug`. The overlay's script and style are
 * separate files, which the page fetches when a player first opens the overlay, so most players
 * never load them. F4 marks a moment, even before the overlay is opened. F8 saves the last minute.
 */
import type { DebugHost, DebugOverlay } from "./debug_host.ts";
import { askedPart, styledLoader } from "./script_loader.ts";

/** How many marks from one match a player can look at afterwards. */
const MARKS_MAX = 64;

type OverlayModule = typeof import("../debug/overlay.ts");

const load = styledLoader<OverlayModule>({ script: "overlayScript", style: "overlayStyle" });

export class DebugLoader {
  readonly #host: DebugHost;
  readonly #marks: number[] = [];
  #isWanted = false;
  #overlay: DebugOverlay | undefined;

  constructor(host: Omit<DebugHost, "close" | "marks">) {
    const marks = this.#marks;
    this.#host = { ...host, marks, close: () => this.#toggle() };
    addEventListener("keydown", (event) => {
      if (!/^F[348]$/.test(event.code) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault(); // F3 would open the browser's search
      if (event.repeat) return;
      if (event.code === "F3") this.#toggle();
      else if (event.code === "F8") void this.saveLag();
      else if (marks.push(host.clock.now()) > MARKS_MAX) marks.shift();
    });
    if (new URLSearchParams(location.search).has("debug")) this.#toggle();
  }

  draw(): void {
    this.#overlay?.draw();
  }

  /** Opens the overlay, if it is not open. */
  open(): void {
    if (!this.#isWanted) this.#toggle();
  }

  /** Offers the last minute to the player as a file, by the overlay's script. */
  async saveLag(): Promise<void> {
    (await askedPart(load, "overlayScript"))?.saveLag(this.#host);
  }

  #toggle(): void {
    this.#isWanted = !this.#isWanted;
    if (this.#isWanted) return void this.#show();
    this.#overlay?.close();
    this.#overlay = undefined;
  }

  async #show(): Promise<void> {
    const part = await askedPart(load, "overlayScript");
    if (part === undefined) this.#isWanted = false;
    else if (this.#isWanted && this.#overlay === undefined) {
      this.#overlay = part.openOverlay(this.#host);
    }
  }
}
