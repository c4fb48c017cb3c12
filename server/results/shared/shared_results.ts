/**
 * The results and logs that all nodes share. This node reports its own results, reads everyone's
 * into its file, and archives the logs of finished matches.
 */
import type { Clock } from "../../../shared/netcode/link.ts";
import type { Log } from "../../ground/log.ts";
import type { FileLogs } from "../../match_log/file_logs.ts";
import { LogArchive } from "../../match_log/log_archive.ts";
import { type HostedGames, MatchArchive } from "../../match_log/match_archive.ts";
import type { NatsClient } from "../../match_log/nats/nats_client.ts";
import type { RecordStore } from "../../match_log/nats/record_store.ts";
import type { RoundOver } from "../../match/round_watch.ts";
import type { ResultMatch, ServerResults } from "../../match/result_sink.ts";
import type { Results } from "../results.ts";
import { type EndedMatch, EndedMatches } from "./ended_matches.ts";
import { ResultsReader } from "./results_reader.ts";
import { ResultsStream } from "./results_stream.ts";
import { SharedMatches } from "./shared_matches.ts";

export interface SharedResultsOptions {
  /** The files of this process's matches; undefined for a gateway, which runs none. */
  readonly files: FileLogs | undefined;
  /** The folders with the logs of this machine's matches. */
  readonly folders: readonly string[];
  /** Where logs are archived; undefined for nodes that archive nothing. */
  readonly archive: { readonly folder: string; readonly bytesMax: number } | undefined;
  /** This node's own file; undefined if it cannot be opened. */
  readonly results: Results | undefined;
  readonly games: HostedGames;
  readonly clock: Clock;
  readonly unixClock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class SharedResults implements ServerResults {
  readonly #stream: ResultsStream;
  readonly #reader: ResultsReader | undefined;
  readonly #archive: LogArchive | undefined;
  readonly #ended: EndedMatches | undefined;
  readonly #unixClock: Clock;
  /** The matches of all nodes, for pages. */
  readonly matches: SharedMatches;

  /**
   * @param parts.servers how many servers there are
   * @throws UsageError if the servers refuse the stream, or the archive cannot be written
   */
  static async open(
    { client, store, servers }: { client: NatsClient; store: RecordStore; servers: number },
    options: SharedResultsOptions,
  ): Promise<SharedResults> {
    const stream = new ResultsStream({ client, ...options });
    await stream.make(servers);
    return new SharedResults({ stream, store }, options);
  }

  private constructor(
    { stream, store }: { stream: ResultsStream; store: RecordStore },
    options: SharedResultsOptions,
  ) {
    const { files, folders, unixClock, results, log, games, wait } = options;
    const pause = () => wait(0);
    const archive = options.archive &&
      LogArchive.open({ ...options.archive, clock: unixClock, log });
    this.#stream = stream;
    this.#archive = archive;
    this.#unixClock = unixClock;
    this.#reader = results && new ResultsReader({ ...options, stream, results });
    this.#ended = files &&
      new EndedMatches({ ...options, files, store, archive, results: stream, pause });
    const own = new MatchArchive({ folders, games, pause });
    this.matches = new SharedMatches({ ...options, index: results, archive, store, own, pause });
  }

  addRound({ id, game, room }: ResultMatch & { readonly game: string }, round: RoundOver): void {
    const at = Math.floor(this.#unixClock.now() / 1000);
    void this.#stream.append({ kind: "round", match: id, game, room, at, round });
  }

  /** Does nothing: the end follows from the match's log, even if this process dies here. */
  endMatch(): void {}

  /** Does nothing: other nodes continue the matches that are not here, and end them. */
  endOthers(): void {}

  /** Archives and ends a match after its last record has reached the servers. */
  readonly finish = (ended: EndedMatch): void => this.#ended?.finish(ended);

  /** Begins to read. */
  start(): void {
    void this.#reader?.run();
  }

  /** Removes what the archive no longer keeps. Call it every `SWEEP_EVERY_MS`. */
  sweep(): void {
    void this.#archive?.sweepNext();
  }

  /** Figures since the start, for the metrics. */
  get counts(): {
    resultsWaiting: number;
    resultsLost: number;
    resultsRefused: number;
    notArchived: number;
  } {
    const { waiting: resultsWaiting, lost: resultsLost } = this.#stream;
    return {
      resultsWaiting,
      resultsLost,
      resultsRefused: this.#reader?.refused ?? 0,
      notArchived: this.#ended?.notArchived ?? 0,
    };
  }

  /** Resolves when the finished matches, and the results so far, are on the servers. */
  async idle(): Promise<void> {
    await this.#ended?.idle;
    await this.#stream.idle();
  }

  close(): void {
    this.#reader?.close();
    this.#stream.close();
  }
}
