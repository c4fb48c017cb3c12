/**
 * The finished matches, for pages: their list, and each match's log, compacted and packed. Pages
 * that ask for the list at the same time share one, so many requests cost no more than one. Ticks
 * run between a file's records.
 */
import { withoutVersion } from "../../shared/game_names.ts";
import { LogError } from "../../shared/netcode/match_log/records.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import { readUpTo, sizeOf } from "./bounded_file.ts";
import { LOG_ID } from "./file_logs.ts";
import { countsOf, isPrivate, LOG_BYTES_MAX, packedLogOf, type Pause } from "./served_log.ts";

/** How many matches the list holds: more than a person looks through. */
export const LISTED_MAX = 50;

/** One finished match. */
export interface MatchListing {
  readonly id: string;
  /** Its name among the hosted games. */
  readonly game: string;
  readonly room: string;
  /** s since 1970. */
  readonly startedAt: number;
  readonly ticks: number;
  readonly tickHz: number;
  /** How many seats players had. */
  readonly players: number;
  /** The id of the rules that played it, if the game has others now: no program here replays it. */
  readonly otherRules?: string;
}

/** Why there is no answer; 500 for a log that was changed. */
export interface Refusal {
  readonly status: 404 | 500 | 503;
  readonly reason: string;
}

export type ServedList =
  | { readonly status: 200; readonly matches: readonly MatchListing[] }
  | Refusal;

/** A log for a page. */
export type ServedLog =
  | {
    readonly status: 200;
    readonly bytes: Uint8Array;
    /** Whether the match goes on, so that its log grows and no cache may keep this one. */
    readonly isGrowing?: boolean;
    /** Call it once, after the bytes were sent, because the bytes may be freed then. */
    readonly release?: () => void;
  }
  | Refusal;

/** A log that is being sent, or may be wanted again. */
interface HeldLog {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many answers with it are being sent. */
  users: number;
}

/** The hosted games, by name. */
export type HostedGames = Readonly<
  Record<string, { readonly id: string; readonly tickHz: number }>
>;

export interface MatchArchiveOptions {
  /** The folders of log files: one for each process that runs matches. */
  readonly folders: readonly string[];
  readonly games: HostedGames;
  readonly pause: Pause;
}

export const NO_MATCH = "There is no such match.";

export class MatchArchive {
  readonly #options: MatchArchiveOptions;
  /** The list's entries, by id; undefined for a log that cannot be shown. */
  readonly #listings = new Map<string, MatchListing | undefined>();
  /** The log that was served last, because people tend to open the same one. */
  #newest: HeldLog | undefined;
  /** The list that is being made. */
  #listing: Promise<MatchListing[]> | undefined;

  constructor(options: MatchArchiveOptions) {
    this.#options = options;
  }

  /**
   * Lists finished matches, the newest first.
   * @param game only those of this game
   */
  async list(game?: string): Promise<ServedList> {
    if (game !== undefined && !Object.hasOwn(this.#options.games, game)) {
      return { status: 404, reason: "There is no such game." };
    }
    const all = await (this.#listing ??= this.#list().finally(() => this.#listing = undefined));
    return { status: 200, matches: all.filter((each) => game === undefined || each.game === game) };
  }

  /** Reads a log; `Downloads` asks for one at a time. @param id as in the list */
  async log(id: string): Promise<ServedLog> {
    if (!LOG_ID.test(id)) return { status: 404, reason: NO_MATCH };
    return await this.#log(id);
  }

  async #list(): Promise<MatchListing[]> {
    const newest = (await this.#ids()).sort().reverse().slice(0, LISTED_MAX);
    for (const id of this.#listings.keys()) if (!newest.includes(id)) this.#listings.delete(id);
    for (const id of newest) {
      if (!this.#listings.has(id)) this.#listings.set(id, await this.#listingOf(id));
    }
    return newest.flatMap((id) => this.#listings.get(id) ?? []);
  }

  /** Lists the ids. They begin with the time, so they sort in the order of the matches. */
  async #ids(): Promise<string[]> {
    const all = this.#options.folders.map((folder) =>
      Array.fromAsync(Deno.readDir(folder), ({ name }) => name)
    );
    const names = (await Promise.all(all)).flat();
    const ids = names.filter((name) => name.endsWith(".log")).map((name) => name.slice(0, -4));
    return ids.filter((id) => LOG_ID.test(id));
  }

  async #listingOf(id: string): Promise<MatchListing | undefined> {
    const log = await this.#read(id, "log");
    if (log === undefined) return undefined;
    try {
      const { gameId, room, key, startedAt } = headerOf(log);
      const hosted = hostedGame(this.#options.games, gameId);
      if (hosted === undefined || key !== undefined) return undefined;
      const [game, { id: ownId, tickHz }] = hosted;
      const { ticks, players } = await countsOf(log, this.#options.pause);
      const listing = { id, game, room, startedAt, ticks, tickHz, players };
      return gameId === ownId ? listing : { ...listing, otherRules: gameId };
    } catch (error) {
      if (error instanceof LogError) return undefined;
      throw error;
    }
  }

  async #log(id: string): Promise<ServedLog> {
    if (this.#newest?.id === id) return this.#serve(this.#newest);
    const log = await this.#read(id, "log");
    if (log === undefined) return await this.#openLog(id);
    if (isPrivate(log)) return { status: 404, reason: NO_MATCH };

    // It replaces the previous log.
    const held: HeldLog = { id, bytes: await packedLogOf(log, this.#options.pause), users: 0 };
    const before = this.#newest;
    this.#newest = held;
    if (before !== undefined) this.#free(before);
    return this.#serve(held);
  }

  /** The log of a match that goes on, up to now. Nothing of it is kept, because it grows. */
  async #openLog(id: string): Promise<ServedLog> {
    const log = await this.#read(id, "open");
    if (log === undefined) return { status: 404, reason: await this.#reasonFor(id) };
    if (isPrivate(log)) return { status: 404, reason: NO_MATCH };
    const bytes = await packedLogOf(log, this.#options.pause);
    return {
      status: 200,
      bytes,
      isGrowing: true,
      release: () => void bytes.buffer.transfer(0),
    };
  }

  #serve(held: HeldLog): ServedLog {
    held.users++;
    const release = () => {
      held.users--;
      this.#free(held);
    };
    return { status: 200, bytes: held.bytes, release };
  }

  /**
   * Frees a log's memory as soon as it is not needed, because otherwise megabytes would wait for
   * the garbage collector, one log after another.
   */
  #free(held: HeldLog): void {
    if (held.users === 0 && held !== this.#newest) held.bytes.buffer.transfer(0);
  }

  async #reasonFor(id: string): Promise<string> {
    const { size } = await this.#find(id, "log") ?? await this.#find(id, "open") ?? {};
    return size === undefined
      ? NO_MATCH
      : `This match has ${size} bytes, which are too many for a page.`;
  }

  /** @returns undefined for a log that is missing or too long */
  async #read(id: string, state: "log" | "open"): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const found = await this.#find(id, state);
    return found && await readUpTo(found.path, LOG_BYTES_MAX);
  }

  /** Finds a log's file, in whichever folder it is. */
  async #find(
    id: string,
    state: "log" | "open",
  ): Promise<{ path: string; size: number } | undefined> {
    for (const folder of this.#options.folders) {
      const path = `${folder}/${id}.${state}`;
      const size = await sizeOf(path);
      if (size !== undefined) return { path, size };
    }
    return undefined;
  }
}

/** Finds a log's game: the one with its id, or else the one whose rules have another version. */
function hostedGame(games: HostedGames, gameId: string) {
  const all = Object.entries(games);
  return all.find(([, { id }]) => id === gameId) ??
    all.find(([, { id }]) => withoutVersion(id) === withoutVersion(gameId));
}
