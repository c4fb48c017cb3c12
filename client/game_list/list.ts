/**
 * The script for the list of games, which shows how many people play each game now. Without an
 * answer from the server, the list lacks these numbers and says why.
 */
import { runPadFocus } from "../input/pad_focus.ts";
import { findElement, setText } from "../ui/dom.ts";

/** The time between two requests, ms. */
const PERIOD_MS = 3000;
/** Shorter than the period, so that requests cannot pile up. */
const TIMEOUT_MS = 2000;

/** One room in a server's answer to `GET /api/rooms`, with several games. */
interface GameRoom {
  readonly game: string;
  readonly players: number;
}

/** "3 players now" */
function playersText(players: number): string {
  return players === 0
    ? "Nobody plays now"
    : `${players} ${players === 1 ? "player" : "players"} now`;
}

async function refresh(list: HTMLElement): Promise<void> {
  try {
    const answer = await fetch("/api/rooms", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { rooms } = await answer.json() as { rooms: readonly GameRoom[] };
    for (const element of list.querySelectorAll<HTMLElement>("[data-game]")) {
      const players = rooms.filter(({ game }) => game === element.dataset["game"])
        .reduce((sum, room) => sum + room.players, 0);
      setText(element, playersText(players));
      element.classList.toggle("some", players > 0);
    }
    setText(notice, "");
  } catch {
    setText(
      notice,
      navigator.onLine
        ? "The server does not answer at the moment."
        : "You are offline. A game that you opened before lets you practise alone.",
    );
    for (const element of list.querySelectorAll<HTMLElement>("[data-game]")) setText(element, "");
  }
}

const list = findElement(document, "#games");
const notice = findElement(document, "#list-notice");
void refresh(list);
for (const change of ["offline", "online"]) addEventListener(change, () => void refresh(list));
runPadFocus();
setInterval(() => void refresh(list), PERIOD_MS);
