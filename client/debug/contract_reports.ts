/**
 * Reports breaches of the contract between game and netcode on a page of `deno task dev` (SPEC
 * 1.20, 4.16). Every half second it fetches the faults that the server's twin found. When the
 * page's state differs from the server's, it compares the two, and the server names the field.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { differingWords } from "../../shared/netcode/state_difference.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/**
 * How often to compare. Without a limit, a page that always differs would fetch a state with every
 * resync.
 */
const COMPARISONS_MAX = 8;
/** How many faults to keep: as many as a developer reads. */
const FAULTS_MAX = 64;

/** A breach of contract that a page showed its developer. */
export interface PageFault {
  /** On the page's clock. */
  readonly atMs: number;
  readonly text: string;
}

/** What is watched in a session. */
export interface WatchedSession {
  onDesync: ((tick: Tick) => void) | undefined;
  copyState(tick: Tick, into: Snapshot): boolean;
}

/** The match that a page plays. */
export interface WatchedMatch {
  readonly room: string;
  readonly session: WatchedSession;
}

export interface ContractReportsOptions {
  /** The match that the page plays; undefined in the lobby. */
  readonly match: () => WatchedMatch | undefined;
  /**
   * Fetches JSON from a path below the game's page.
   * @returns undefined if the server offers nothing there
   */
  readonly get: (path: string) => Promise<unknown>;
  /** Shows a sentence to the developer. */
  readonly show: (text: string) => void;
  /** The page's clock, ms. */
  readonly now: () => number;
}

/** One page's reports. */
export class ContractReports {
  readonly #options: ContractReportsOptions;
  /** The first faults, for the overlay's log. */
  readonly faults: PageFault[] = [];
  #session: WatchedSession | undefined;
  #shown = 0;
  #comparisons = 0;

  constructor(options: ContractReportsOptions) {
    this.#options = options;
  }

  /** Watches the present match and shows its new faults. Call it about twice a second. */
  async advance(): Promise<void> {
    const { match, get } = this.#options;
    const playing = match();
    if (playing === undefined) return;
    const { room, session } = playing;
    if (session !== this.#session) {
      this.#session = session;
      this.#shown = this.#comparisons = 0;
      session.onDesync = (tick) => void this.#compare(room, tick, session);
    }
    const { faults = [] } =
      await get(`dev/${room}/faults`) as { faults?: { tick: Tick; text: string }[] } ?? {};
    for (const { tick, text } of faults.slice(this.#shown)) this.#show(`tick ${tick}: ${text}`);
    this.#shown = faults.length;
  }

  async #compare(room: string, tick: Tick, session: WatchedSession): Promise<void> {
    const own = new Snapshot();
    const { get } = this.#options;
    if (this.#comparisons++ >= COMPARISONS_MAX || !session.copyState(tick, own)) return;
    const answer = await get(`dev/${room}/states/${tick}`) as { words: number[] } | undefined;
    if (answer === undefined) return;
    const server = new Snapshot();
    server.setBytes(new Uint8Array(Uint32Array.from(answer.words).buffer));
    const words = differingWords(server, own);
    if (words.length === 0) return;
    const list = words.map((word) => `${word}:${word < own.length ? own.words[word] : "-"}`).join(
      ",",
    );
    const named = await get(`dev/${room}/differences/${tick}/${list}`) as
      | { text: string }
      | undefined;
    if (named !== undefined) this.#show(named.text);
  }

  #show(text: string): void {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ atMs: this.#options.now(), text });
    this.#options.show(text);
  }
}
