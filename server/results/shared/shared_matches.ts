/**
 * The matches of all nodes, for any node's pages. Finished matches come from the archive, and
 * running ones from the records on the servers. A running match's log ends with its newest durable
 * tick.
 */
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { LOG_ID } from "../../match_log/file_logs.ts";
import { type LogArchive, SpoiltLogError } from "../../match_log/log_archive.ts";
import {
  type HostedGames,
  LISTED_MAX,
  type MatchArchive,
  NO_MATCH,
  type Refusal,
  type ServedList,
  type ServedLog,
} from "../../match_log/match_archive.ts";
import {
  type RecordStore,
  type StoredMessage,
  subjectOf,
} from "../../match_log/nats/record_store.ts";
import { isPrivate, packedLogOf, type Pause } from "../../match_log/served_log.ts";
import type { StoredLog } from "../results_file.ts";
import { wholeLog } from "../../match_log/nats/assembled_log.ts";

/**
 * The longest running match that is served: messages, half an hour at 20 Hz, and bytes. Reading
 * that much takes half a second of this process, between ticks.
 */
const GOING_ON_MAX = { messagesMax: 40_000, bytesMax: 1 << 23 };
/**
 * How long a running match's log is served again, ms, so that requests cannot make this node read
 * it all the time.
 */
const OLD_MS_MAX = 10_000;
/**
 * How long this node rests after reading a match from the servers, as a multiple of the reading
 * time.
 */
const REST = 3;

/** A replica may lag behind: how often it is asked again, and the pause between, ms. */
const READ_TRIES = 4;
const READ_AGAIN_MS = 50;

const AWAY: Refusal = { status: 503, reason: "The record of the matches is away. Try again." };

/** The index of all finished matches, in this node's own file. */
export interface MatchIndex {
  log(id: string): StoredLog | undefined;
  logs(game: string | undefined, limit: number): readonly StoredLog[];
}

export interface SharedMatchesOptions {
  /** Undefined for a node without results, which lists nothing. */
  readonly index: MatchIndex | undefined;
  readonly archive: Pick<LogArchive, "get"> | undefined;
  readonly store: Pick<RecordStore, "lastOnce" | "readMatch">;
  /** The matches that ended on this node. */
  readonly own: Pick<MatchArchive, "log">;
  readonly games: HostedGames;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly pause: Pause;
}

export class SharedMatches {
  readonly #options: SharedMatchesOptions;
  /** Resolves when the servers may be asked for a whole match again. */
  #rested: Promise<void> = Promise.resolve();
  /** The log that was last read from the servers. */
  #newest: { readonly id: string; readonly log: ServedLog; readonly readMs: number } | undefined;

  constructor(options: SharedMatchesOptions) {
    this.#options = options;
  }

  /** Lists finished matches, the newest first. @param game only those of this game */
  list(game?: string): Promise<ServedList> {
    const { games, index } = this.#options;
    if (game !== undefined && !Object.hasOwn(games, game)) {
      return Promise.resolve({ status: 404, reason: "There is no such game." });
    }
    const matches = (index?.logs(game, LISTED_MAX) ?? []).flatMap(({ hash: _, gameId, ...log }) => {
      if (!Object.hasOwn(games, log.game)) return [];
      const { id, tickHz } = games[log.game]!;
      const isOlder = gameId !== null && gameId !== id;
      return [{ ...log, tickHz, ...isOlder && { otherRules: gameId } }];
    });
    return Promise.resolve({ status: 200, matches });
  }

  /** @param id as in the list, or a running match's */
  async log(id: string): Promise<ServedLog> {
    if (!LOG_ID.test(id)) return { status: 404, reason: NO_MATCH };
    const ended = this.#options.index?.log(id);
    if (ended !== undefined) return await this.#ended(ended);

    // A running match, read after a rest
    const { clock, wait } = this.#options;
    await this.#rested;
    const beganMs = clock.now();
    const goingOn = await this.#goingOn(id).finally(() =>
      this.#rested = wait(REST * (clock.now() - beganMs))
    );

    // A match that ended before this node joined others
    return goingOn.status === 404 ? await this.#options.own.log(id) : goingOn;
  }

  async #ended({ id, hash }: StoredLog): Promise<ServedLog> {
    const { archive, own } = this.#options;
    try {
      const bytes = hash === null ? undefined : await archive?.get(hash);
      if (bytes !== undefined) return { status: 200, bytes };
    } catch (error) {
      if (!(error instanceof SpoiltLogError)) throw error;
      return {
        status: 500,
        reason: "The archived log of this match was changed: its hash does not fit.",
      };
    }
    const log = await own.log(id);
    return log.status === 404
      ? { status: 404, reason: "The log of this match is not in the archive." }
      : log;
  }

  async #goingOn(id: string): Promise<ServedLog> {
    const nowMs = this.#options.clock.now();
    if (this.#newest?.id === id && nowMs - this.#newest.readMs <= OLD_MS_MAX) {
      return this.#newest.log;
    }
    const log = await this.#readGoingOn(id);
    if (log.status === 200) this.#newest = { id, log, readMs: nowMs };
    return log;
  }

  async #readGoingOn(id: string): Promise<ServedLog> {
    const { games, pause } = this.#options;
    const room = id.split("-")[1]!;

    for (const { id: gameId } of Object.values(games)) {
      const messages = await this.#newestMatchOf(subjectOf(gameId, room));
      if (messages === undefined) return AWAY;
      if (messages === "too long") {
        return { status: 404, reason: "This match is not over yet, and too long for a page." };
      }

      const whole = wholeLog(messages);
      if (whole?.id !== id) continue;
      if (isPrivate(whole.bytes)) break;
      try {
        return {
          status: 200,
          bytes: await packedLogOf(whole.bytes, pause),
          isGrowing: true,
        };
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        return { status: 500, reason: "The log of this match is damaged." };
      }
    }

    return { status: 404, reason: NO_MATCH };
  }

  /** Reads all that the servers have of a room's newest match; undefined if they do not answer. */
  async #newestMatchOf(
    subject: string,
  ): Promise<readonly StoredMessage[] | "too long" | undefined> {
    const { store, wait } = this.#options;
    for (let tries = 0; tries < READ_TRIES; tries++) {
      const last = await store.lastOnce(subject);
      if (last === "none") return [];
      const messages = typeof last === "string"
        ? undefined
        : await store.readMatch(subject, { to: last.sequence, ...GOING_ON_MAX });
      if (messages !== undefined) return messages;
      await wait(READ_AGAIN_MS);
    }
    return undefined;
  }
}
