/** The table of the best players, from `GET /api/results/best`. It is hidden while empty. */
import type { Clock } from "../../../shared/netcode/link.ts";
import { findElement, make, setHidden } from "../dom.ts";
import type { HostedGame } from "../../net/rooms.ts";

/** The age at which the page requests the table again, ms, because a round takes longer. */
const PERIOD_MS = 30_000;
/** How long to wait for an answer, ms. */
const TIMEOUT_MS = 5_000;
/** How many rows to show; more would push the rooms off a small screen. */
const ROWS = 5;

/** One row in the answer. */
export interface BestPlayer {
  readonly name: string;
  /** Won rounds. */
  readonly wins: number;
  readonly rounds: number;
  /** The best score in a round. */
  readonly best: number;
}

export class BestList {
  readonly #clock: Clock;
  readonly #game: HostedGame;
  readonly #section: HTMLElement;
  readonly #rows: HTMLElement;
  #refreshAtMs = -Infinity;

  /** @param root holds the markup of lobby.html. @throws Error if a part is missing */
  constructor(
    root: ParentNode,
    { clock, game }: { readonly clock: Clock; readonly game: HostedGame },
  ) {
    this.#clock = clock;
    this.#game = game;
    this.#section = findElement(root, "#best");
    this.#rows = findElement(root, "#best-rows");
  }

  /** Requests the table if it is due. Call it while the lobby is shown. */
  advance(): void {
    if (this.#clock.now() >= this.#refreshAtMs) void this.refresh();
  }

  async refresh(): Promise<void> {
    this.#refreshAtMs = this.#clock.now() + PERIOD_MS;
    try {
      const { origin, name } = this.#game;
      const query = `?limit=${ROWS}${name === "" ? "" : `&game=${encodeURIComponent(name)}`}`;
      const answer = await fetch(`${origin}/api/results/best${query}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      this.show((await answer.json() as { players: BestPlayer[] }).players);
    } catch {
      // The server is away, as the room list shows, so the old table stays.
    }
  }

  show(players: readonly BestPlayer[]): void {
    setHidden(this.#section, players.length === 0);
    this.#rows.replaceChildren(...players.slice(0, ROWS).map(rowOf));
  }
}

/** Makes a row, with the name as text, whatever is in it. */
function rowOf({ name, wins, rounds, best }: BestPlayer): HTMLElement {
  const cells = [wins, rounds, best].map((value) => make("td", { textContent: String(value) }));
  return make("tr", {}, make("th", { scope: "row", textContent: name }), ...cells);
}
