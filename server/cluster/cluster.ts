/**
 * Several machines share the matches (DESIGN 16). This node's part in it: its line to the servers of the log, the logs of
 * its matches, the beats of all nodes, and what it takes over.
 */
import { messageOf } from "../log.ts";
import { SWEEP_EVERY_MS } from "../match_log/log_archive.ts";
import { NatsLine } from "../match_log/nats/nats_line.ts";
import { RecordStore } from "../match_log/nats/record_store.ts";
import type { ClusterReadings } from "../metrics/process_metrics.ts";
import type { Rooms } from "../rooms.ts";
import { randomHex, type ServerSecret } from "../server_secret.ts";
import type { Scheduler } from "../ticker.ts";
import { ClusterDesk, ticketsOf } from "./cluster_desk.ts";
import { ClusterLogs } from "./cluster_logs.ts";
import { handOverAll, onTakeAsked, takeSubject } from "./hand_over.ts";
import { Nodes } from "./nodes.ts";
import { SharedResults, type SharedResultsOptions } from "./shared_results.ts";
import { BEAT_MS } from "./silence.ts";
import { TakeOvers } from "./take_overs.ts";

/** How often other nodes' silence is looked at, ms. */
const CHECK_MS = 50;
const CHECKS_PER_BEAT = BEAT_MS / CHECK_MS, CHECKS_PER_SWEEP = SWEEP_EVERY_MS / CHECK_MS;
/** The last records may take so long after all links are closed, ms. */
const CLOSE_MS_MAX = 1_000;

export interface ClusterOptions extends SharedResultsOptions {
  /** nats://host:port each. */
  readonly servers: readonly string[];
  readonly scheduler: Scheduler;
}

/** The parts of the server that exist later than its cluster. */
export interface ClusterParts {
  readonly rooms: Rooms<unknown>;
  readonly secret: ServerSecret;
}

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #line: NatsLine;
  readonly #store: RecordStore;
  readonly #node = randomHex(8);
  readonly logs: ClusterLogs;
  /** The results and logs of all nodes. */
  readonly results: SharedResults;
  #nodes: Nodes | undefined;
  #rooms: Rooms<unknown> | undefined;
  #isLeaving = false;
  #url = "";
  #advance = (): void => {};
  #checks = 0;
  #cancelCheck: (() => void) | undefined;

  /** @throws UsageError for servers that do not answer, are too old, or refuse the streams */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const line = await NatsLine.open(options.servers);
    try {
      const store = new RecordStore(line), servers = options.servers.length;
      await store.makeStreams(servers);
      const results = await SharedResults.open({ line, store, servers }, options);
      return new Cluster(options, { line, store, results });
    } catch (error) {
      await line.close();
      throw error;
    }
  }

  private constructor(
    options: ClusterOptions,
    { line, store, results }: { line: NatsLine; store: RecordStore; results: SharedResults },
  ) {
    this.#options = options;
    this.#line = line;
    this.#store = store;
    this.results = results;
    const { files, scheduler, clock, log } = options, onEnded = results.finish;
    this.logs = new ClusterLogs({ node: this.#node, store, files, scheduler, clock, log, onEnded });
    files.leaveUnfinished();
  }

  /** Takes the rooms. @returns the desk that knows where each match is */
  enter({ rooms, secret }: ClusterParts): ClusterDesk {
    const { clock, unixClock, wait, log, files } = this.#options, node = this.#node, store = this.#store;
    const isStopping = () => this.#isLeaving, line = this.#line, { logs } = this;
    logs.attach(rooms);
    this.#rooms = rooms;
    const nodes = this.#nodes = new Nodes({
      self: () => ({ node, url: this.#url, leaves: this.#isLeaving, matches: logs.owned.length, load: rooms.tickLoad }),
      line,
      clock,
    });
    const onEnded = this.results.finish;
    const takeOvers = new TakeOvers({ node, store, nodes, logs, files, rooms, isStopping, onEnded, clock, wait, log });
    line.subscribe(takeSubject(node), (bytes) => onTakeAsked(bytes, { store, takeOvers, isStopping }));
    this.#advance = () => {
      if (++this.#checks % CHECKS_PER_BEAT === 1) nodes.beat();
      if (this.#checks % CHECKS_PER_SWEEP === 0) this.results.sweep();
      takeOvers.advance();
    };
    const tickets = ticketsOf(node, secret, unixClock);
    return new ClusterDesk({
      ...{
        node,
        rooms,
        store,
        nodes,
        logs,
        takeOvers,
        secret,
        ownUrl: () => this.#url,
        tickets,
        unixClock,
        clock,
        wait,
      },
    });
  }

  get readings(): ClusterReadings {
    const { isConnected } = this.#line;
    return { nodes: this.origins().length, isConnected, ...this.logs.counts, ...this.results.counts };
  }

  /** The origins of all nodes that live. */
  readonly origins = (): readonly string[] => this.#nodes?.living.map(({ url }) => url) ?? [];

  /** The addresses at which a page of this node asks for tickets and opens sockets. */
  readonly connectSources = (): readonly string[] => {
    return this.origins().flatMap((origin) => [origin, origin.replace("http", "ws")]);
  };

  /** Begins to live among the nodes. @param url the origin under which players reach this one */
  start(url: string): void {
    this.#url = url;
    this.#options.log("node", { node: this.#node, url });
    this.results.start();
    this.#check();
  }

  /** Gives this node's matches to others. New clients go to others from now on. */
  readonly leave = async (): Promise<void> => {
    const { wait, log } = this.#options, line = this.#line;
    this.#isLeaving = true;
    this.#nodes!.beat();
    const ask = async (subject: string, body: string, timeoutMs: number) => {
      const answer = await line.request(subject, body, timeoutMs);
      return answer?.status === 0 ? new TextDecoder().decode(answer.bytes) : undefined;
    };
    await handOverAll({
      ...{ node: this.#node, nodes: this.#nodes!, logs: this.logs, rooms: this.#rooms!, wait, log },
      line: { ask },
    });
  };

  /** Ends the line when the last records are on the servers, or after a second. */
  async close(): Promise<void> {
    const idle = Promise.all(this.logs.owned.map(({ log }) => log.confirmed())).then(() => this.results.idle());
    await Promise.race([idle, this.#options.wait(CLOSE_MS_MAX)]);
    this.#cancelCheck?.();
    this.results.close();
    await this.#line.close();
  }

  #check(): void {
    const { scheduler, log } = this.#options;
    try {
      this.#advance();
    } catch (error) {
      log("cluster_check_failed", { error: messageOf(error) });
    }
    this.#cancelCheck = scheduler.after(CHECK_MS, () => this.#check());
  }
}
