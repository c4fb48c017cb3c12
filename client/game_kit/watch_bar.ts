/**
 * The HUD's part of a kit game: teams, clock and banner, and for a page that watches two buttons
 * that switch to another player, as the arrow keys do. A replay hides these: it has a list of
 * players, and its arrow keys go from tick to tick.
 */
import type { GameStatus, HudPart } from "../presentation/view.ts";
import { findElement, make, setHidden, setText } from "../ui/dom.ts";
import { MatchBoard } from "../ui/match/match_board.ts";
import type { Watcher } from "./watcher.ts";

export class WatchBar implements HudPart {
  readonly #watcher: Watcher;
  readonly #board: MatchBoard;
  readonly #bar: HTMLElement;
  readonly #name = make("span", {});

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, watcher: Watcher) {
    this.#watcher = watcher;
    this.#board = new MatchBoard(root);
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
  }

  show(status: GameStatus): void {
    this.#board.show(status);
    const { isWatching, label } = this.#watcher;
    setHidden(this.#bar, !isWatching);
    setText(this.#name, label === "" ? "Everybody" : label);
  }

  hide(): void {
    this.#board.hide();
    this.#watcher.end();
    setHidden(this.#bar, true);
  }

  #button(textContent: string, ariaLabel: string, by: 1 | -1): HTMLElement {
    const button = make("button", { type: "button", textContent, ariaLabel });
    button.addEventListener("click", () => this.#watcher.step(by));
    return button;
  }

  #onKey({ code }: KeyboardEvent): void {
    if (!this.#bar.checkVisibility() || document.querySelector("dialog[open]") !== null) return;
    if (code === "ArrowRight") this.#watcher.step(1);
    if (code === "ArrowLeft") this.#watcher.step(-1);
  }
}
