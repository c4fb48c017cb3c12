/**
 * The HUD's part of a kit game: teams, clock and banner, and what a page that watches needs, which
 * it loads then.
 */
import type { GameStatus, HudPart } from "../presentation/view.ts";
import { MatchBoard } from "../ui/match/match_board.ts";
import { askedPart, scriptLoader } from "../ui/script_loader.ts";
import type { Watching, WatchingOptions } from "./watching/watching.ts";

const SCRIPT = "watchingScript";
const loadWatching = scriptLoader<typeof import("./watching/watching.ts")>(SCRIPT);

export class KitHud implements HudPart {
  readonly #root: ParentNode;
  readonly #options: WatchingOptions;
  readonly #board: MatchBoard;
  #watching: Watching | undefined;
  /** Whether this match asked for the script, which may not come. */
  #isAsked = false;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, options: WatchingOptions) {
    this.#root = root;
    this.#options = options;
    this.#board = new MatchBoard(root);
  }

  show(status: GameStatus): void {
    this.#board.show(status);
    this.#watching?.show();
    if (this.#isAsked || !this.#options.watcher.isWatching) return;
    this.#isAsked = true;
    void this.#load();
  }

  hide(): void {
    this.#board.hide();
    this.#options.watcher.end();
    this.#watching?.hide();
    this.#isAsked = false;
  }

  async #load(): Promise<void> {
    const part = await askedPart(loadWatching, SCRIPT);
    if (part !== undefined) this.#watching ??= new part.Watching(this.#root, this.#options);
  }
}
