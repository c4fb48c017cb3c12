/**
 * What a page loads when it begins to watch: the director, two buttons and two keys that switch to
 * another player, and clicks on the picture that choose one. A replay's arrow keys go from tick to
 * tick instead.
 */
import type { Camera } from "../../presentation/view.ts";
import { findElement, make, setHidden, setText } from "../../ui/dom.ts";
import type { Watcher } from "../watcher.ts";
import { Director, type DirectorOptions } from "./director.ts";

/** How far from a player a click may be, CSS pixels: fingers are not exact. */
const CLICK_REACH = 60;

export interface WatchingOptions extends DirectorOptions {
  readonly watcher: Watcher;
  /** Of the newest frame. */
  readonly camera: () => Camera;
}

export class Watching {
  readonly #watcher: Watcher;
  readonly #camera: () => Camera;
  readonly #bar: HTMLElement;
  readonly #name = make("span", {});

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, { watcher, camera, ...directing }: WatchingOptions) {
    this.#watcher = watcher;
    this.#camera = camera;
    watcher.director = new Director(directing);

    this.#name.role = "status";
    this.#bar = make(
      "p",
      { id: "watched", hidden: true },
      this.#button("◀", "Follow the player before", -1),
      this.#button("▶", "Follow the next player", 1),
      this.#name,
    );
    findElement(root, "#watching").after(this.#bar);
    addEventListener("keydown", (event) => this.#onKey(event));
    const arena = findElement<HTMLCanvasElement>(root, "#arena");
    arena.addEventListener("click", (event) => this.#onClick(event, arena));
  }

  show(): void {
    const { isWatching, isDirected, label } = this.#watcher;
    setHidden(this.#bar, !isWatching);
    const name = label === "" ? "Everybody" : label;
    setText(this.#name, isDirected ? `Director: ${name}` : name);
  }

  hide(): void {
    setHidden(this.#bar, true);
  }

  #button(textContent: string, ariaLabel: string, by: 1 | -1): HTMLElement {
    const button = make("button", { type: "button", textContent, ariaLabel });
    button.addEventListener("click", ({ detail }) => {
      this.#watcher.step(by);
      // After a press by a pointer, keys are the page's again; a keyboard's user stays at the button.
      if (detail > 0) button.blur();
    });
    return button;
  }

  #onKey({ code }: KeyboardEvent): void {
    if (!this.#bar.checkVisibility() || document.querySelector("dialog[open]") !== null) return;
    if (document.body.classList.contains("replay")) return;
    if (code === "ArrowRight") this.#watcher.step(1);
    if (code === "ArrowLeft") this.#watcher.step(-1);
  }

  /** Follows the nearest player, if one is near. */
  #onClick({ offsetX, offsetY }: MouseEvent, arena: HTMLCanvasElement): void {
    const { isWatching, players } = this.#watcher;
    if (!isWatching) return;
    const camera = this.#camera();
    const pixelRatio = arena.width / arena.clientWidth;
    let nearest = -1;
    let least = CLICK_REACH;
    for (const { x, y, seat } of players) {
      const distance = Math.hypot(
        camera.xPx(x) / pixelRatio - offsetX,
        camera.yPx(y) / pixelRatio - offsetY,
      );
      if (distance >= least) continue;
      nearest = seat;
      least = distance;
    }
    if (nearest >= 0) this.#watcher.follow(nearest);
  }
}
