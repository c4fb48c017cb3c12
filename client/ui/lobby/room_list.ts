/**
 * The list of open rooms, and the ping. The page requests the list every few seconds while the
 * lobby is shown. One server hosts all rooms, so one ping serves them all: that request's response
 * time.
 */
import type { Clock } from "../../../shared/netcode/link.ts";
import { fetchRooms, type HostedGame, type Listing } from "../../net/rooms.ts";
import { findElement, make, setHidden, setText } from "../dom.ts";

/** The age at which the page requests the list again, ms. */
const PERIOD_MS = 3000;
/**
 * When the second request follows, ms: soon, because the first one competes with the page's start
 * and cannot measure the ping.
 */
const WARM_UP_MS = 700;
/** How many rooms to show, the fullest ones, because a longer list is hard to choose from. */
const ROOMS_SHOWN_MAX = 6;

/** Words how many players and spectators are there, and the room's options. */
export function occupancyText({ players, seats, watchers, options = {} }: Listing): string {
  const playing = `${players} ${players === 1 ? "player" : "players"}${
    players >= seats ? ": full" : ""
  }`;
  const watching = watchers === 0 ? [] : [`${watchers} watching`];
  return [playing, ...watching, ...Object.entries(options).map((option) => option.join(" "))].join(
    " · ",
  );
}

/**
 * Returns the newest answer's response time as the browser measured it, ms, without the page's own
 * work.
 */
function responseMsOf(url: string): number {
  const entries = performance.getEntriesByName(url) as PerformanceResourceTiming[];
  const newest = entries.at(-1);
  return newest === undefined || newest.responseStart === 0
    ? Infinity
    : newest.responseStart - newest.requestStart;
}

type Choice = (code: string, how: { spectate: boolean }) => void;

interface Row {
  readonly item: HTMLElement;
  readonly code: HTMLElement;
  readonly crowd: HTMLElement;
  readonly play: HTMLButtonElement;
  readonly watch: HTMLButtonElement;
}

export interface RoomListOptions {
  readonly clock: Clock;
  readonly game: HostedGame;
  /**
   * Whether to forget the browser's timings of earlier requests, because it keeps only the first
   * 250. On a page of somebody else they are not ours to forget, so there the ping stays as it was
   * first measured.
   */
  readonly forgetsTimings: boolean;
}

export class RoomList {
  readonly #clock: Clock;
  readonly #game: HostedGame;
  readonly #forgetsTimings: boolean;
  readonly #list: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #ping: HTMLElement;
  readonly #rows: Row[] = [];
  #listings: readonly Listing[] = [];
  #refreshAtMs = -Infinity;
  #pingMs = Infinity;
  #isWarm = false;
  /** Whether the server answered the newest request; undefined before the first answer. */
  #isKnown: boolean | undefined;
  #onChoice: Choice = () => {};

  /** @param root holds the markup of lobby.html. @throws Error if a part is missing */
  constructor(root: ParentNode, { clock, game, forgetsTimings }: RoomListOptions) {
    this.#clock = clock;
    this.#game = game;
    this.#forgetsTimings = forgetsTimings;
    this.#list = findElement(root, "#room-list");
    this.#empty = findElement(root, "#no-rooms");
    this.#ping = findElement(root, "#server-ping");
  }

  /** Whether the server did not answer the newest request. */
  get isUnanswered(): boolean {
    return this.#isKnown === false;
  }

  /**
   * Finds an open room, which is one that has clients. A private one is in no list.
   * @returns null if there is none; undefined while the list is not known
   */
  find(room: string): Listing | null | undefined {
    if (!this.#isKnown) return undefined;
    return this.#listings.find(({ code }) => code === room) ?? null;
  }

  onChoice(listener: Choice): void {
    this.#onChoice = listener;
  }

  /** Requests the list if it is due. Call it while the lobby is shown. */
  advance(): void {
    if (this.#clock.now() >= this.#refreshAtMs) void this.refresh();
  }

  /** Requests the list now. @returns the open rooms; none if the server does not answer */
  async refresh(): Promise<readonly Listing[]> {
    const askedMs = this.#clock.now();
    this.#refreshAtMs = askedMs + (this.#isWarm ? PERIOD_MS : WARM_UP_MS);
    try {
      const { rooms, url } = await fetchRooms(this.#game);
      this.#listings = rooms;
      const pingMs = responseMsOf(url);
      if (this.#forgetsTimings) performance.clearResourceTimings();
      if (this.#isWarm) this.#pingMs = Math.min(this.#pingMs, pingMs);
      this.#isWarm = true;
      this.#isKnown = true;
    } catch {
      this.#isKnown = false;
      this.#listings = [];
      this.#pingMs = Infinity;
    }

    this.#show();
    return this.#listings;
  }

  #show(): void {
    const shown = this.#listings.slice(0, ROOMS_SHOWN_MAX);
    setHidden(this.#empty, !this.#isKnown || shown.length > 0);
    setText(this.#ping, this.#pingMs < Infinity ? `${Math.round(this.#pingMs)} ms from you` : "");
    shown.forEach((listing, i) => fill(this.#rows[i] ??= this.#add(), listing));
    for (let i = shown.length; i < this.#rows.length; i++) setHidden(this.#rows[i]!.item, true);
  }

  #add(): Row {
    const code = make("span", { className: "code" });
    const crowd = make("span", { className: "crowd" });
    const entryButton = (textContent: string, how: { spectate: boolean }) => {
      const button = make("button", { type: "button", className: "small", textContent });
      button.addEventListener("click", () => this.#onChoice(code.textContent, how));
      return button;
    };
    const play = entryButton("Play", { spectate: false });
    const watch = entryButton("Watch", { spectate: true });
    const item = make("li", {}, code, crowd, play, watch);
    this.#list.append(item);
    return { item, code, crowd, play, watch };
  }
}

function fill(row: Row, listing: Listing): void {
  setHidden(row.item, false);
  setText(row.code, listing.code);
  setText(row.crowd, occupancyText(listing));
  row.play.setAttribute("aria-label", `Play in ${listing.code}`);
  row.watch.setAttribute("aria-label", `Watch ${listing.code}`);
  setHidden(row.play, listing.players >= listing.seats);
}
