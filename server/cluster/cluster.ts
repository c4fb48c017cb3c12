/**
 * Several machines share the matches (DESIGN 18). This is one node's part: its connection to the
 * log's servers, the logs of its matches, the heartbeats of all nodes, and the matches that it
 * takes over.
 */
import type { Clock, DatagramOffer } from "../../shared/netcode/link.ts";
import type { PlaceSources } from "../http/static_files.ts";
import { messageOf } from "../log.ts";
import type { Fault } from "../supervision/faults.ts";
import { SWEEP_EVERY_MS } from "../match_log/log_archive.ts";
import { NatsClient } from "../match_log/nats/nats_client.ts";
import { RecordStore } from "../match_log/nats/record_store.ts";
import type { ClusterReadings } from "../metrics/process_metrics.ts";
import type { Rooms } from "../rooms.ts";
import { randomHex, type ServerSecret } from "../server_secret.ts";
import type { Scheduler } from "../ticker.ts";
import type { Trials } from "../trial/trials.ts";
import { ClusterEntrance, ticketsOf } from "./cluster_entrance.ts";
import { ClusterLogs } from "./cluster_logs.ts";
import { handOverAll, onTakeAsked, takeSubject } from "./hand_over.ts";
import { faultSubject, KnownFaults } from "./known_faults.ts";
import { ListedRooms, listSubject } from "./listed_rooms.ts";
import { Matchmaker, openSubject } from "./matchmaker.ts";
import { Nodes } from "./nodes.ts";
import { Places } from "./places.ts";
import { roomsSubject } from "./advertised_rooms.ts";
import { SeatReservations, seatSubject } from "./seat_reservations.ts";
import { clockWords, SignedChannel } from "./signed_channel.ts";
import { SharedResults, type SharedResultsOptions } from "./results/shared_results.ts";
import { TakeOvers } from "./take_overs.ts";

/** How often this node checks whether others are silent, ms. */
const CHECK_MS = 20;
const CHECKS_PER_SWEEP = SWEEP_EVERY_MS / CHECK_MS;
/**
 * How often a node tells which of its rooms are open: once a second, and whenever it has given a
 * seat.
 */
const CHECKS_PER_ROOMS = 1_000 / CHECK_MS;
/** How long the last records may take after all links are closed, ms. */
const CLOSE_MS_MAX = 1_000;

export interface ClusterOptions extends SharedResultsOptions {
  /** Each as nats://host:port. */
  readonly servers: readonly string[];
  /** This node's region. */
  readonly region: string;
  /** The load above which this node refuses newcomers. */
  readonly loadMax: number;
  /** As for `SignedChannel`. */
  readonly takesUnsigned: boolean;
  readonly wallClock: Clock;
  readonly scheduler: Scheduler;
}

/** Parts of the server that are made after its cluster. */
export interface ClusterParts {
  readonly rooms: Rooms<unknown>;
  readonly secret: ServerSecret;
  /** Where this node takes datagrams; undefined if it takes none. */
  readonly datagrams: () => DatagramOffer | undefined;
  /** The origin under which players reach this node. */
  readonly url: string;
  /** Tries the matches that this node takes over. */
  readonly trials: Trials;
  /** Matches that stopped the previous process. */
  readonly faults?: readonly Fault[] | undefined;
}

export class Cluster {
  readonly #options: ClusterOptions;
  /** The connection to the servers, which carries the logs. */
  readonly #client: NatsClient;
  /** The same connection for what nodes say to each other: it signs their messages. */
  #signed: SignedChannel | undefined;
  readonly #store: RecordStore;
  readonly #node = randomHex(8);
  readonly logs: ClusterLogs;
  /** The results and logs of all nodes. */
  readonly results: SharedResults;
  #nodes: Nodes | undefined;
  #matchmaker: Matchmaker | undefined;
  #listed: ListedRooms | undefined;
  #rooms: Rooms<unknown> | undefined;
  #isLeaving = false;
  #advance = (): void => {};
  #checks = 0;
  #cancelCheck: (() => void) | undefined;

  /** @throws UsageError for servers that do not answer, are too old, or refuse the streams */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const client = await NatsClient.open(options.servers);
    try {
      const store = new RecordStore(client);
      const servers = options.servers.length;
      await store.makeStreams(servers);
      const results = await SharedResults.open({ client, store, servers }, options);
      return new Cluster(options, { client, store, results });
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  private constructor(
    options: ClusterOptions,
    { client, store, results }: { client: NatsClient; store: RecordStore; results: SharedResults },
  ) {
    this.#options = options;
    this.#client = client;
    this.#store = store;
    this.results = results;
    const { files, scheduler, clock, log } = options;
    const onEnded = results.finish;
    this.logs = new ClusterLogs({ node: this.#node, store, files, scheduler, clock, log, onEnded });
    files.leaveUnfinished();
  }

  /** Takes the rooms over. @returns the entrance that knows which node runs each match */
  enter(
    { rooms, secret, datagrams, url, trials, faults: own = [] }: ClusterParts,
  ): ClusterEntrance {
    const { clock, wallClock, wait, log, files, region, loadMax, takesUnsigned } = this.#options;
    const node = this.#node;
    const store = this.#store;
    const { logs } = this;
    const isStopping = () => this.#isLeaving;

    // Nodes sign what they say to each other.
    const channel = new SignedChannel({
      client: this.#client,
      node,
      secret,
      takesUnsigned,
      clock,
      wallClock,
      log,
    });
    this.#signed = channel;
    log("node", { node, url, ...takesUnsigned && { takesUnsigned } });
    logs.attach(rooms);
    this.#rooms = rooms;

    // What this node tells the others about itself, and what it knows about them
    const self = () => ({
      node,
      region,
      url,
      datagrams: datagrams(),
      leaves: this.#isLeaving,
      matches: logs.owned.length,
      load: rooms.tickLoad,
      loadMax,
    });
    const nodes = new Nodes({ self, channel, clock });
    this.#nodes = nodes;

    // Matches that hung, here or at other nodes
    const faults = new KnownFaults({
      node,
      channel,
      onSetAside: (match) => rooms.refuseSetAside(match),
    });
    channel.subscribe(faultSubject("*"), (bytes) => faults.hear(bytes));
    for (const fault of own) faults.failed(fault);

    // Matches of nodes that are gone, or that hand theirs over
    const takeOvers = new TakeOvers({
      node,
      store,
      nodes,
      rooms,
      trials,
      faults,
      logs,
      files,
      onEnded: this.results.finish,
      isStopping,
      clock,
      wait,
      log,
    });
    channel.subscribe(
      takeSubject(node),
      (bytes) => onTakeAsked(bytes, { store, takeOvers, isStopping }),
    );

    // The rooms of all nodes, for "Play now" and for the lobby's list
    const sayRooms = this.#openMatchmaker({ nodes, rooms, channel });
    const listed = new ListedRooms({ node, nodes, rooms, channel, clock });
    this.#listed = listed;
    channel.subscribe(listSubject(node), async () => await listed.answer());

    this.#advance = () => {
      logs.advance();
      nodes.advance();
      if (this.#checks % CHECKS_PER_ROOMS === 0) sayRooms();
      if (++this.#checks % CHECKS_PER_SWEEP === 0) this.results.sweep();
      takeOvers.advance();
    };

    return new ClusterEntrance({
      node,
      rooms,
      store,
      nodes,
      logs,
      takeOvers,
      secret,
      self,
      tickets: ticketsOf(node, secret, { clock, wallClock }),
      wait,
      clock,
      wallClock,
    });
  }

  /**
   * Sets up "Play now" over all nodes.
   * @returns a function that tells the others which rooms are open here
   */
  #openMatchmaker(
    { nodes, rooms, channel }: { nodes: Nodes; rooms: Rooms<unknown>; channel: SignedChannel },
  ): () => void {
    const { region, clock } = this.#options;
    const { logs } = this;
    const node = this.#node;

    // This node's seats, for its own players and for those that other nodes send
    const say = () => channel.publish(roomsSubject(node), JSON.stringify(seats.advertised()));
    const seats = new SeatReservations({ node, rooms, logs, clock, newCode, onGiven: say });

    // The choice among all nodes, by what they say
    const games = [...rooms.byGame.values()].map(({ game }) => game);
    const places = new Places({ nodes, channel, games });
    const matchmaker = new Matchmaker({
      node,
      region,
      rooms,
      nodes,
      places,
      seats,
      channel,
      clock,
      draw,
    });

    channel.subscribe(seatSubject(node), (bytes) => seats.answer(bytes));
    channel.subscribe(openSubject(node), (bytes) => matchmaker.answer(bytes));
    this.#matchmaker = matchmaker;
    return say;
  }

  /** The rooms of all nodes; undefined before `enter`. */
  get listed(): ListedRooms | undefined {
    return this.#listed;
  }

  /** Answers "Play now"; undefined before `enter`. */
  get matchmaker(): Matchmaker | undefined {
    return this.#matchmaker;
  }

  get readings(): ClusterReadings {
    const { isConnected } = this.#client;
    return {
      nodes: this.#nodes?.living.length ?? 0,
      isConnected,
      isInDoubt: this.#signed?.isInDoubt ?? false,
      fault: this.fault,
      dropped: this.#signed?.dropped ?? {},
      clocks: this.#signed?.clocks ?? { apart: 0, aheadMs: 0 },
      ...this.logs.counts,
      ...this.results.counts,
    };
  }

  /**
   * Why this node may be the one at fault, in words for the operator; undefined if nothing suggests
   * it. It may be if it can believe no other node (`SignedChannel`), or if most other clocks differ
   * from its own.
   */
  get fault(): string | undefined {
    const signed = this.#signed;
    if (signed === undefined) return undefined;
    if (signed.doubt !== undefined) return `no other node can be believed: ${signed.doubt}`;
    const { isWrong, aheadMs } = signed.clocks;
    return isWrong ? clockWords(aheadMs) : undefined;
  }

  /** The origins of all nodes, because their pages may play here. */
  readonly origins = (): readonly string[] => this.#nodes?.origins ?? [];

  /**
   * The addresses, by node, where this node's pages ask for tickets and open sockets and datagram
   * sessions. Nodes of this region come first, because "Play now" leads there while it can.
   */
  readonly connectSources = (): PlaceSources => {
    const { region } = this.#options;
    const living = this.#nodes?.living ?? [];
    const nearFirst = living.toSorted((a, b) =>
      Number(b.region === region) - Number(a.region === region)
    );
    return nearFirst.map(({ url, datagrams }) => {
      const udp = datagrams === undefined
        ? []
        : [`https://${new URL(url).hostname}:${datagrams.port}`];
      return [url, url.replace("http", "ws"), ...udp];
    });
  };

  /** Starts heartbeats and checks. Call it after `enter`. */
  start(): void {
    this.results.start();
    this.#check();
  }

  /** Hands this node's matches over to others. From now on new clients go there too. */
  readonly leave = async (): Promise<void> => {
    const { wait, log } = this.#options;
    const channel = this.#signed!;
    this.#isLeaving = true;
    this.#nodes!.sendHeartbeat();
    await handOverAll({
      node: this.#node,
      nodes: this.#nodes!,
      logs: this.logs,
      rooms: this.#rooms!,
      wait,
      log,
      channel,
    });
  };

  /** Closes the connection once the last records are on the servers, or after a second. */
  async close(): Promise<void> {
    const durable = Promise.all(this.logs.owned.map(({ log }) => log.durable()));
    const idle = durable.then(() => this.results.idle());
    await Promise.race([idle, this.#options.wait(CLOSE_MS_MAX)]);
    this.#cancelCheck?.();
    this.results.close();
    await this.#client.close();
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

/** Draws a uniform number in [0, 1). */
function draw(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}

/** Draws a code for a new room. */
function newCode(): string {
  const letters = Array.from(
    { length: 4 },
    () => String.fromCharCode(65 + Math.floor(draw() * 26)),
  );
  return letters.join("");
}
