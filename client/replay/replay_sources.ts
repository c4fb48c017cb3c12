/**
 * Offers logs: from the server's list of finished matches, from a file, or from a file dropped on
 * the page.
 */
import { findElement, make, setHidden, setText } from "../ui/dom.ts";
import { hostedName, serverUrl } from "../ui/home.ts";
import { playedIn } from "../ui/played_matches.ts";
import type { OpenedLog } from "./fetch_log.ts";
import { LOG_BYTES_MAX } from "./log_player.ts";
import { momentText } from "../ui/moment_text.ts";
import { formatReplayUrl } from "./replay_url.ts";

/**
 * A match is a stump if nobody played in it, or if it was over after this time, s: somebody looked
 * in, and nothing happened that one would want to see again.
 */
const STUMP_SECONDS_MAX = 10;
/** As many as the server gives at once, which is more than the list of matches holds. */
const RESULTS_MAX = 100;

/** One match in the answer to `GET /api/matches`. */
export interface Listing {
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

/** One match in the answer to `GET /api/results/matches`. */
export interface MatchResult {
  /** The match's id, as in the other list. */
  readonly match: string;
  readonly rounds: number;
  /** Rounds won, by the players' names; NPCs are not counted. */
  readonly wins: Readonly<Record<string, number>>;
}

/** Whether the list hides a match unless it is asked for. */
export function isStump({ players, ticks, tickHz }: Listing): boolean {
  return players === 0 || ticks < STUMP_SECONDS_MAX * tickHz;
}

/** Says who won a match: "Ash won 3 of 5 rounds". Empty for a match without a finished round. */
export function winnerText({ rounds, wins }: MatchResult): string {
  if (rounds === 0) return "";
  const most = Math.max(0, ...Object.values(wins));
  if (most === 0) return "No player won";
  const names = Object.keys(wins).filter((name) => wins[name] === most);
  const last = names.pop()!;
  const all = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  const share = rounds === 1 ? "" : ` ${most} of ${rounds} rounds`;
  return `${all} won${share}${names.length === 0 || rounds === 1 ? "" : " each"}`;
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
  readonly #showShort: HTMLButtonElement;

  /**
   * @param root holds the markup of replay.html
   * @param onFile called with each file that a person gives the page
   */
  constructor(root: Document, onFile: (file: File) => void) {
    this.#sheet = findElement(root, "#open");
    this.#list = findElement(root, "#match-list");
    this.#matchesNotice = findElement(root, "#matches-notice");
    this.#notice = findElement(root, "#open-notice");
    this.#showShort = findElement(root, "#show-short");
    this.#showShort.addEventListener("click", () => this.#showStumps());
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
      const [{ matches }, results] = await Promise.all([
        answer.json() as Promise<{ matches: Listing[] }>,
        fetchResults(game),
      ]);
      this.#showList(
        matches.map((listing) => ({ listing, result: results.get(listing.id) })),
        matches.length === 0 ? "No match is over yet. A match is over when its room is empty." : "",
      );
    } catch {
      const why = navigator.onLine ? "The server does not answer." : "You are offline.";
      this.#showList([], `${why} A log from a file plays all the same.`);
    }
  }

  #showList(matches: readonly ListedMatch[], notice: string): void {
    const items = matches.map(itemOf);
    this.#list.replaceChildren(...items);
    setText(this.#matchesNotice, notice);

    // Stumps alone are better than an empty list.
    const stumps = items.filter((_, i) => isStump(matches[i]!.listing));
    const hides = stumps.length > 0 && stumps.length < items.length;
    setHidden(this.#showShort, !hides);
    if (!hides) return;
    for (const item of stumps) item.hidden = true;
    setText(
      this.#showShort,
      stumps.length === 1 ? "Show a short one" : `Show ${stumps.length} short ones`,
    );
  }

  #showStumps(): void {
    const items = [...this.#list.children] as HTMLElement[];
    const first = items.find(({ hidden }) => hidden);
    for (const item of items) item.hidden = false;
    // The button goes, so the focus goes on to what it has shown.
    setHidden(this.#showShort, true);
    first?.querySelector("a")?.focus();
  }
}

/** A match, and its result if a round of it is over. */
interface ListedMatch {
  readonly listing: Listing;
  readonly result: MatchResult | undefined;
}

/** Fetches the results by match. Without an answer the list only lacks who won. */
async function fetchResults(game: string): Promise<ReadonlyMap<string, MatchResult>> {
  const query = new URLSearchParams({ limit: String(RESULTS_MAX), ...game !== "" && { game } });
  try {
    const answer = await fetch(serverUrl(`/api/results/matches?${query}`));
    const { matches } = await answer.json() as { matches: MatchResult[] };
    return new Map(matches.map((result) => [result.match, result]));
  } catch {
    return new Map();
  }
}

function itemOf({ listing, result }: ListedMatch): HTMLElement {
  const { id, room, startedAt, ticks, tickHz, players, otherRules } = listing;
  const began = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
    .format(
      startedAt * 1000,
    );
  const about = `${momentText(ticks / tickHz)} · ${players} ${
    players === 1 ? "player" : "players"
  } · ${began}`;
  const won = result === undefined ? "" : winnerText(result);
  const heading = [
    ...won === "" ? [] : [make("strong", { className: "won", textContent: won })],
    make("span", { className: "code", textContent: room }),
    ...playedIn({ room, startedAt, seconds: ticks / tickHz })
      ? [make("span", { className: "yours", textContent: "yours" })]
      : [],
  ];
  if (otherRules !== undefined) {
    const textContent = `${about} · older rules (${otherRules}), which this page cannot replay`;
    return make(
      "li",
      {},
      make("p", {}, ...heading, make("span", { className: "about", textContent })),
    );
  }
  const link = make(
    "a",
    { href: formatReplayUrl({ id, tick: undefined }) },
    ...heading,
    make("span", { className: "about", textContent: about }),
  );
  return make("li", {}, link);
}
