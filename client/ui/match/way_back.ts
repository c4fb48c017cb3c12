/**
 * The browser's way back from a match. It leads into the lobby, after a question, and only from
 * there out of the page; the way forward leads into the room again, or into another practice match.
 *
 *     before the page  ⇄  lobby  ⇄  match
 *
 * A match is an entry of its own in the browser's history, above the lobby's. Reloading keeps both.
 */
import { ask } from "../question.ts";

/** What the two entries have as their state. An address that somebody typed has none. */
const LOBBY = "wyvern lobby";
const MATCH = "wyvern match";
const PRACTICE = "wyvern practice";
const isOfMatch = () => history.state === MATCH || history.state === PRACTICE;

export interface WayBackOptions {
  /** Whether the page shows a match. */
  readonly isInMatch: () => boolean;
  /** Leaves the match, because the player wants to go back; calls `leaveMatch`. */
  readonly leave: () => void;
  /** Enters the room that the address names now, because the player goes forward. */
  readonly enter: () => void;
  /** Begins another practice match, because the player goes forward to one. */
  readonly practise: () => void;
  /** Called when the lobby's address has changed. */
  readonly onLobbyAddress: () => void;
}

export class WayBack {
  readonly #options: WayBackOptions;
  /** The lobby's address, while the browser is on its way back to the lobby's entry. */
  #lobbyUrl: string | undefined;

  constructor(options: WayBackOptions) {
    this.#options = options;
    addEventListener("popstate", () => this.#onMove());
  }

  /** Call it when the player is in a match. @param url names its room; undefined for practice */
  enterMatch(url: string | undefined): void {
    const state = url === undefined ? PRACTICE : MATCH;
    if (isOfMatch()) return history.replaceState(state, "", url);
    history.replaceState(LOBBY, "", location.href);
    history.pushState(state, "", url);
  }

  /** Call it when the player left the match. @param lobbyUrl names no room */
  leaveMatch(lobbyUrl: string): void {
    if (history.state === LOBBY) return history.replaceState(LOBBY, "", lobbyUrl);
    if (!isOfMatch()) return; // the address is where the player wanted to go

    // At once, because the way back to the lobby's entry takes the browser a moment.
    history.replaceState(null, "", lobbyUrl);
    this.#lobbyUrl = lobbyUrl;
    history.back();
  }

  #onMove(): void {
    const { isInMatch, enter, practise, leave, onLobbyAddress } = this.#options;
    if (this.#lobbyUrl !== undefined) {
      history.replaceState(LOBBY, "", this.#lobbyUrl);
      this.#lobbyUrl = undefined;
      return onLobbyAddress();
    }
    if (isOfMatch() && !isInMatch()) return history.state === MATCH ? enter() : practise();
    if (isOfMatch() || !isInMatch()) return;

    // The address has changed already, so staying means to undo that.
    const isBack = history.state === LOBBY;
    ask("Leave the match, and go back to the lobby?", {
      "Stay": () => isBack ? history.forward() : history.back(),
      "Leave the match": leave,
    });
  }
}
