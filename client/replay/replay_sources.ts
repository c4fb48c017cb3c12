/**
 * Offers logs: from the server's list of finished matches, from a file, or from a file dropped on
 * the page.
 */
import { findElement, make, setHidden, setText } from "../ui/dom.ts";
import { hostedName, serverUrl } from "../ui/home.ts";
import { LOG_BYTES_MAX } from "./log_player.ts";
import { momentText } from "../ui/moment_text.ts";
import { formatReplayUrl } from "./replay_url.ts";

/** One match in the answer to `GET /api/matches`. */
interface Listing {
  readonly id: string;
  readonly room: string;
  /** s since 1970. */
  readonly startedAt: number;
  readonly ticks: number;
  readonly tickHz: number;
  readonly players: number;
  /** The rules that played it, if this page has others, so that it cannot replay the match. */
  readonly otherRules?: string;
}

/** A log, or one sentence about why it could not be opened. */
export type OpenedLog = { readonly bytes: Uint8Array } | { readonly refusal: string };

/** Fetches a match's log from this page's server, without what a replay makes itself. */
export async function fetchLog(id: string): Promise<OpenedLog> {
  try {
    const answer = await fetch(serverUrl(`/api/matches/${encodeURIComponent(id)}/log`));
    if (!answer.ok) return { refusal: (await answer.text()).trim() };
    return { bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch {
    return { refusal: "The server does not answer." };
  }
}

export async function readFile(file: File): Promise<OpenedLog> {
  if (file.size > LOG_BYTES_MAX) {
    return { refusal: `${file.name} is longer than any log that this page plays.` };
  }
  try {
    return { bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    return { refusal: `${file.name} cannot be read.` };
  }
}

/** The sheet that offers logs. */
export class ReplaySources {
  readonly #sheet: HTMLElement;
  readonly #list: HTMLElement;
  readonly #matchesNotice: HTMLElement;
  readonly #notice: HTMLElement;

  /**
   * @param root holds the markup of replay.html
   * @param onFile called with each file that a person gives the page
   */
  constructor(root: Document, onFile: (file: File) => void) {
    this.#sheet = findElement(root, "#open");
    this.#list = findElement(root, "#match-list");
    this.#matchesNotice = findElement(root, "#matches-notice");
    this.#notice = findElement(root, "#open-notice");
    const input = findElement<HTMLInputElement>(root, "#file");
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      input.value = ""; // so that the same file can be chosen again
      if (file !== undefined) onFile(file);
    });
    const setDropping = (isDropping: boolean) => root.body.classList.toggle("dropping", isDropping);
    root.addEventListener("dragover", (event) => {
      event.preventDefault();
      setDropping(true);
    });
    root.addEventListener("dragleave", () => setDropping(false));
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      setDropping(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) onFile(file);
    });
  }

  /**
   * Shows the sheet, and requests the list.
   * @param notice one sentence about why no log is shown, or empty
   */
  show(notice: string): void {
    setText(this.#notice, notice);
    setHidden(this.#sheet, false);
    void this.#refresh();
  }

  hide(): void {
    setHidden(this.#sheet, true);
  }

  async #refresh(): Promise<void> {
    const game = hostedName();
    const query = game === "" ? "" : `?game=${encodeURIComponent(game)}`;
    try {
      const answer = await fetch(serverUrl(`/api/matches${query}`));
      if (!answer.ok) return this.#showList([], (await answer.text()).trim());
      const { matches } = await answer.json() as { matches: Listing[] };
      this.#showList(
        matches,
        matches.length === 0 ? "No match is over yet. A match is over when its room is empty." : "",
      );
    } catch {
      this.#showList([], "The server does not answer. A log from a file plays without it.");
    }
  }

  #showList(listings: readonly Listing[], notice: string): void {
    this.#list.replaceChildren(...listings.map(itemOf));
    setText(this.#matchesNotice, notice);
  }
}

function itemOf(listing: Listing): HTMLElement {
  const { id, room, startedAt, ticks, tickHz, players, otherRules } = listing;
  const began = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
    .format(
      startedAt * 1000,
    );
  const about = `${momentText(ticks / tickHz)} · ${players} ${
    players === 1 ? "player" : "players"
  } · ${began}`;
  const code = make("span", { className: "code", textContent: room });
  if (otherRules !== undefined) {
    const textContent = `${about} · older rules (${otherRules}), which this page cannot replay`;
    return make("li", {}, make("p", {}, code, make("span", { className: "about", textContent })));
  }
  const link = make(
    "a",
    { href: formatReplayUrl({ id, tick: undefined }) },
    code,
    make("span", { className: "about", textContent: about }),
  );
  return make("li", {}, link);
}
