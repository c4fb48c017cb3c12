/** The words over the picture: who has how many points, what the connection does, and how well. */
import type { MatchPlayer, MatchStats, MatchStatus } from "wyvern/session";

/** Scores change seldom, so the page writes them this often, ms. */
const WRITE_EVERY_MS = 250;
/** The list has so many lines. */
const LINES_MAX = 6;

/** A player's points and colour. */
export interface Score {
  readonly seat: number;
  readonly score: number;
}

/** NPCs have no colour that tells one from another, so these pages give them some. */
const NPC_COLOURS = ["#f2a65a", "#e56b6f", "#9d8df1", "#6fcf97", "#f4d35e", "#5bc0de"] as const;

/** The colour of a player's or an NPC's thing, as CSS. */
export function colourOf(
  { npc, seat, colour }: { readonly npc: boolean; readonly seat: number; readonly colour: string },
): string {
  return npc ? NPC_COLOURS[seat % NPC_COLOURS.length]! : colour;
}

/** What the words need of a match. */
interface Played {
  readonly room: string;
  readonly players: readonly MatchPlayer[];
  readonly stats: MatchStats;
}

export class Hud {
  readonly #scores = element("scores");
  readonly #status = element("status");
  readonly #network = element("network");
  #writtenMs = 0;

  /** Says what the connection does, in one sentence; nothing while all is well. */
  readonly showStatus = ({ phase, text }: Pick<MatchStatus, "phase" | "text">): void => {
    this.#status.textContent = phase === "joining" && text === "" ? "Joining a match…" : text;
  };

  /** Says that there is no match. @param error what `joinMatch` threw */
  showError(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#status.textContent = `${reason} Reload the page to try again.`;
  }

  /**
   * Writes the points and the network's figures.
   * @param colours CSS colours by seat
   */
  showMatch(
    { room, players, stats }: Played,
    scores: readonly Score[],
    colours: ReadonlyMap<number, string>,
  ): void {
    const nowMs = performance.now();
    if (nowMs - this.#writtenMs < WRITE_EVERY_MS) return;
    this.#writtenMs = nowMs;

    const best = scores.toSorted((a, b) => b.score - a.score).slice(0, LINES_MAX);
    this.#scores.replaceChildren(...best.map(({ seat, score }) => {
      const player = players.find((each) => each.seat === seat);
      const line = document.createElement("li");
      line.style.setProperty("--colour", colours.get(seat) ?? "white");
      if (player?.own) line.className = "own";
      line.append(player?.own ? "You" : player?.name ?? "…", ` ${score}`);
      return line;
    }));
    this.#network.textContent = `Room ${room} · ${Math.round(stats.pingMs)} ms · ` +
      `${stats.rollbacks} rollbacks · ${stats.desyncs} desyncs`;
  }
}

function element(id: string): HTMLElement {
  return document.getElementById(id)!;
}
