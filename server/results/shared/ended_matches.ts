/**
 * Archives the log of each finished match, and records the match's end among the results. The owner
 * does this or, if the owner is gone, the node that finds the match's last record. Each step may
 * safely be repeated, so a node may die between any two:
 *
 *     whole log → compact, pack → archive, under its hash → the end among the results → the servers forget the match
 *
 * The owner's file is the whole log if the match began there and its disk took everything.
 * Otherwise the log is read from the servers.
 */
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { headerOf } from "../../../shared/netcode/match_log/replayed_log.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { type Log, messageOf } from "../../ground/log.ts";
import { readUpTo } from "../../match_log/bounded_file.ts";
import type { FileLogs } from "../../match_log/file_logs.ts";
import type { LogArchive } from "../../match_log/log_archive.ts";
import type { HostedGames } from "../../match_log/match_archive.ts";
import { matchOfSubject, type RecordStore } from "../../match_log/nats/record_store.ts";
import {
  countsOf,
  isPrivate,
  LOG_BYTES_MAX,
  type LogCounts,
  packedLogOf,
  type Pause,
} from "../../match_log/served_log.ts";
import type { SharedEnd, SharedRules } from "../result_message.ts";
import { wholeLog } from "../../match_log/nats/assembled_log.ts";

/** How many finished matches may wait. The next search, which any node makes, finds the others. */
const WAITING_MAX = 1_000;
/**
 * How often a log is read or archived before giving up: for ten seconds, longer than an election
 * takes.
 */
const TRIES = 20;
/** The wait between two tries, ms. */
const AGAIN_MS = 500;

/** A match with its last record on the servers. */
export interface EndedMatch {
  readonly subject: string;
  /** The sequence of its last record. */
  readonly sequence: number;
  /**
   * The match's name, if this node keeps a file of it, and whether that file holds the whole log.
   */
  readonly file?: { readonly id: string; readonly isWhole: boolean };
  /** Why it is over, if the log does not say. */
  readonly reason?: string;
}

interface CountedLog {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined if the records cannot be decoded. */
  readonly counts: LogCounts | undefined;
}

export interface EndedMatchesOptions {
  readonly store: Pick<RecordStore, "readMatch" | "lastOnce" | "purge">;
  readonly files: Pick<FileLogs, "pathOf" | "complete">;
  /** Undefined for nodes that archive nothing. */
  readonly archive: Pick<LogArchive, "put"> | undefined;
  readonly results: { append(message: SharedEnd | SharedRules): Promise<boolean> };
  readonly games: HostedGames;
  readonly unixClock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly pause: Pause;
  readonly log: Log;
}

export class EndedMatches {
  readonly #options: EndedMatchesOptions;
  /** Matches under way, by subject and sequence. */
  readonly #under = new Set<string>();
  #turn: Promise<void> = Promise.resolve();
  /**
   * Whether the last attempt to archive succeeded. While it did not, matches do not wait for the
   * archive.
   */
  #isArchiveWell = true;
  /** Logs that could not be archived although there is an archive. */
  notArchived = 0;

  constructor(options: EndedMatchesOptions) {
    this.#options = options;
  }

  /** Resolves when nothing waits. */
  get idle(): Promise<void> {
    return this.#turn;
  }

  /** Finishes a match, after those before it. */
  finish(ended: EndedMatch): void {
    const key = `${ended.subject} ${ended.sequence}`;
    if (this.#under.has(key) || this.#under.size >= WAITING_MAX) return;
    this.#under.add(key);
    this.#turn = this.#turn
      .then(() => this.#finish(ended))
      .catch((error) => {
        const { subject } = ended;
        this.#options.log("match_not_finished", { subject, error: messageOf(error) });
      })
      .finally(() => this.#under.delete(key));
  }

  async #finish(ended: EndedMatch): Promise<void> {
    const { store, log } = this.#options;
    const { subject, sequence } = ended;
    const read = await this.#again(() => this.#read(ended), TRIES) ?? "not there";
    const isRead = typeof read === "object";
    if (read === "gone") return;
    if (!isRead) log("match_not_archived", { subject, error: `its log is ${read}` });
    const end = await this.#endOf(ended, isRead ? read : undefined);
    if (end === "not hosted") return;
    if (end !== undefined && !await this.#tell(end, matchOfSubject(subject))) return;
    await store.purge(subject, sequence);
  }

  /** Adds the end and the rules to the results. @returns whether the servers have both */
  async #tell(end: SharedEnd, { gameId }: { readonly gameId: string }): Promise<boolean> {
    const { results } = this.#options;
    const { match, game, room, at } = end;
    const rules: SharedRules = { kind: "rules", match, game, room, at, gameId };
    return await results.append(end) && await results.append(rules);
  }

  /**
   * Reads the match's whole log; "gone" if another node has finished the match; undefined if it
   * cannot be read at the moment.
   */
  async #read(
    { subject, sequence, file }: EndedMatch,
  ): Promise<CountedLog | "gone" | "too long" | undefined> {
    const { store, files } = this.#options;

    // This node's file, if it is whole
    const own = file?.isWhole
      ? await readUpTo(files.pathOf(file.id, "log"), LOG_BYTES_MAX)
      : undefined;
    const ownCounts = own && await this.#countsOf(own);
    if (file !== undefined && own !== undefined && ownCounts?.isIntact) {
      return { id: file.id, bytes: own, counts: ownCounts };
    }

    // All records on the servers
    const messages = await store.readMatch(subject, { to: sequence, bytesMax: LOG_BYTES_MAX });
    if (messages === undefined || messages === "too long") return messages;
    const whole = wholeLog(messages);
    if (whole !== undefined) {
      if (file !== undefined) await files.complete(file.id, whole.bytes);
      return { ...whole, counts: await this.#countsOf(whole.bytes) };
    }

    // A replica may lag behind, but the leader does not.
    const last = await store.lastOnce(subject);
    return last === "none" || (typeof last === "object" && last.sequence > sequence)
      ? "gone"
      : undefined;
  }

  /** Makes the end that all nodes get; undefined for a private match, or one without a name. */
  async #endOf(
    { subject, file, reason = "unknown" }: EndedMatch,
    whole: CountedLog | undefined,
  ): Promise<SharedEnd | "not hosted" | undefined> {
    const { gameId, room } = matchOfSubject(subject);
    const match = whole?.id ?? file?.id;
    const [game] = Object.entries(this.#options.games).find(([, { id }]) => id === gameId) ?? [];
    if (game === undefined) return "not hosted";
    if (match === undefined || (whole !== undefined && isPrivate(whole.bytes))) return undefined;

    return {
      kind: "end",
      match,
      game,
      room,
      at: Math.floor(this.#options.unixClock.now() / 1000),
      reason: whole?.counts?.endReason ?? reason,
      log: whole === undefined ? null : await this.#archive(whole),
    };
  }

  async #countsOf(bytes: Uint8Array): Promise<LogCounts | undefined> {
    try {
      return await countsOf(bytes, this.#options.pause);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#options.log("match_log_damaged", { error: error.message });
      return undefined;
    }
  }

  async #archive({ id, bytes, counts }: CountedLog): Promise<SharedEnd["log"]> {
    if (counts === undefined) return null;
    const { archive, pause } = this.#options;
    const { startedAt } = headerOf(bytes);
    const { ticks, players } = counts;

    // Packing needs as much memory as the bytes. After a failure the next log is tried only once.
    const packed = await packedLogOf(bytes, pause);
    const hash = archive &&
      await this.#again(() => this.#put(archive, { id, packed }), this.#isArchiveWell ? TRIES : 1);
    if (archive !== undefined) {
      this.#isArchiveWell = hash !== undefined;
      if (!this.#isArchiveWell) this.notArchived++;
    }

    return { startedAt, ticks, players, hash: hash ?? null };
  }

  async #put(
    archive: Pick<LogArchive, "put">,
    { id, packed }: { id: string; packed: Uint8Array<ArrayBuffer> },
  ): Promise<string | undefined> {
    try {
      return await archive.put(packed);
    } catch (error) {
      this.#options.log("match_not_archived", { id, error: messageOf(error) });
      return undefined;
    }
  }

  async #again<Result>(
    work: () => Promise<Result | undefined>,
    tries: number,
  ): Promise<Result | undefined> {
    for (let i = 0; i < tries; i++) {
      if (i > 0) await this.#options.wait(AGAIN_MS);
      const result = await work();
      if (result !== undefined) return result;
    }
    return undefined;
  }
}
