/**
 * Opens and closes the debug overlay, with F3 or `?debug`. The overlay's script and style are files of their own. The
 * page fetches them when a player first opens the overlay, so most players never load them. F4 marks a moment, also
 * before the overlay is opened.
 */
import { make } from "./dom.ts";
import type { DebugHost, DebugOverlay, OpenDebugOverlay } from "./debug_host.ts";

/** Marks of one match that a player may look at afterwards. */
const MARKS_MAX = 64;

type OverlayModule = typeof import("../debug/overlay.ts");

export class DebugLoader {
  readonly #host: DebugHost;
  readonly #marks: number[] = [];
  #isWanted = false;
  #openOverlay: OpenDebugOverlay | undefined;
  #overlay: DebugOverlay | undefined;

  constructor(host: Omit<DebugHost, "close" | "marks">) {
    const marks = this.#marks;
    this.#host = { ...host, marks, close: () => this.#toggle() };
    addEventListener("keydown", (event) => {
      if (!/^F[34]$/.test(event.code) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault(); // F3 would open the browser's search
      if (event.code === "F3") this.#toggle();
      else if (!event.repeat && marks.push(host.clock.now()) > MARKS_MAX) marks.shift();
    });
    if (new URLSearchParams(location.search).has("debug")) this.#toggle();
  }

  draw(): void {
    this.#overlay?.draw();
  }

  #toggle(): void {
    this.#isWanted = !this.#isWanted;
    if (this.#isWanted) return void this.#show();
    this.#overlay?.close();
    this.#overlay = undefined;
  }

  async #show(): Promise<void> {
    this.#openOverlay ??= await load();
    if (this.#isWanted && this.#overlay === undefined) this.#overlay = this.#openOverlay(this.#host);
  }
}

/** The build writes the names of both files into the data attributes of index.html. */
async function load(): Promise<OpenDebugOverlay> {
  const { overlayScript, overlayStyle } = document.body.dataset;
  const style = make("link", { rel: "stylesheet", href: overlayStyle! });
  const styled = new Promise((resolve) => style.onload = style.onerror = resolve);
  document.head.append(style);
  const [{ openOverlay }] = await Promise.all([
    import(new URL(overlayScript!, import.meta.url).href) as Promise<OverlayModule>,
    styled,
  ]);
  return openOverlay;
}
