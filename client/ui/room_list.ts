/**
 * The open rooms, as the server tells them every few seconds while the lobby is shown, and how far away it is. One server hosts
 * them all, so there is one ping, measured by the very question.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { findElement, make, setHidden, setText } from "./dom.ts";

/** How old the list may be, ms. */
const PERIOD_MS = 3000;
/** The first answer competes with the page's own beginning: it is no measure, and the second comes soon, ms. */
const WARM_UP_MS = 700;
/** Who waits to play does not wait longer than this for a list, ms; it is also the bound of questions under way, with the period. */
const TIMEOUT_MS = 2000;
/** The fullest; a longer list is no choice. */
const ROOMS_SHOWN_MAX = 6;
/** Play now joins no room with more players than this: the arena is made for two to eight. */
const BEST_ROOM_PLAYERS_MAX = 8;

/** What `GET /api/rooms` says of one. */
export interface Listing {
  readonly code: string;
  readonly players: number;
  readonly seats: number;
  readonly watchers: number;
}

/** Where a newcomer has most company and still room to fly; undefined where only a new room will do. */
export function bestRoom(listings: readonly Listing[]): string | undefined {
  const open = listings.filter(({ players, seats }) => players > 0 && players < Math.min(seats, BEST_ROOM_PLAYERS_MAX));
  return open.reduce<Listing | undefined>((best, each) => best && best.players >= each.players ? best : each, undefined)
    ?.code;
}

/** Who is in a room, in words. */
export function occupancyText({ players, seats, watchers }: Listing): string {
  const playing = `${players} ${players === 1 ? "player" : "players"}${players >= seats ? ": full" : ""}`;
  return watchers === 0 ? playing : `${playing} · ${watchers} watching`;
}

/** How long the newest answer took on its way, as the browser measured it: not how busy this page was meanwhile, ms. */
function responseMsOf(url: string): number {
  const entries = performance.getEntriesByName(url) as PerformanceResourceTiming[];
  performance.clearResourceTimings(); // the browser keeps 250 and then no more
  const newest = entries.at(-1);
  return newest === undefined || newest.responseStart === 0 ? Infinity : newest.responseStart - newest.requestStart;
}

type Choice = (code: string, how: { spectate: boolean }) => void;

interface Row {
  readonly item: HTMLElement;
  readonly code: HTMLElement;
  readonly crowd: HTMLElement;
  readonly play: HTMLButtonElement;
  readonly watch: HTMLButtonElement;
}

export class RoomList {
  readonly #clock: Clock;
  readonly #list: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #ping: HTMLElement;
  readonly #rows: Row[] = [];
  #listings: readonly Listing[] = [];
  #refreshAtMs = -Infinity;
  #pingMs = Infinity;
  #isWarm = false;
  #onChoice: Choice = () => {};

  /** @param root holds the markup of index.html. @throws Error where a part is missing */
  constructor(root: ParentNode, clock: Clock) {
    this.#clock = clock;
    this.#list = findElement(root, "#room-list");
    this.#empty = findElement(root, "#no-rooms");
    this.#ping = findElement(root, "#server-ping");
  }

  onChoice(listener: Choice): void {
    this.#onChoice = listener;
  }

  /** Asks again where it is time. Call it while the lobby is shown. */
  advance(): void {
    if (this.#clock.now() >= this.#refreshAtMs) void this.refresh();
  }

  /** Asks now. @returns what is open, also where the server does not answer: then nothing */
  async refresh(): Promise<readonly Listing[]> {
    const askedMs = this.#clock.now();
    this.#refreshAtMs = askedMs + (this.#isWarm ? PERIOD_MS : WARM_UP_MS);
    let isKnown = true;
    try {
      const answer = await fetch("/api/rooms", { signal: AbortSignal.timeout(TIMEOUT_MS) });
      this.#listings = (await answer.json() as { rooms: Listing[] }).rooms;
      const pingMs = responseMsOf(answer.url);
      if (this.#isWarm) this.#pingMs = Math.min(this.#pingMs, pingMs);
      this.#isWarm = true;
    } catch {
      isKnown = false;
      this.#listings = [];
      this.#pingMs = Infinity;
    }
    this.#show(isKnown);
    return this.#listings;
  }

  #show(isKnown: boolean): void {
    const shown = this.#listings.slice(0, ROOMS_SHOWN_MAX);
    setHidden(this.#empty, !isKnown || shown.length > 0);
    setText(this.#ping, this.#pingMs < Infinity ? `${Math.round(this.#pingMs)} ms from you` : "");
    shown.forEach((listing, i) => fill(this.#rows[i] ??= this.#add(), listing));
    for (let i = shown.length; i < this.#rows.length; i++) setHidden(this.#rows[i]!.item, true);
  }

  #add(): Row {
    const code = make("span", { className: "code" }), crowd = make("span", { className: "crowd" });
    const entryButton = (textContent: string, how: { spectate: boolean }) => {
      const button = make("button", { type: "button", className: "small", textContent });
      button.addEventListener("click", () => this.#onChoice(code.textContent, how));
      return button;
    };
    const play = entryButton("Play", { spectate: false }), watch = entryButton("Watch", { spectate: true });
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
