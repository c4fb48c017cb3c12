/**
 * Several machines share the matches (DESIGN 17). This is one process's part: its connection to the
 * log's servers, what it hears of all nodes, and, if it runs matches itself, their logs and those
 * that it takes over.
 *
 *     a node     runs matches: logs, heartbeats, seats, take-overs, hand-over
 *     a gateway  leads players to nodes: it hears all of them, and says only what its processes cannot
 */
import type { Clock, DatagramOffer } from "../../shared/netcode/link.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { Ban, Bans } from "../bans/bans.ts";
import { clockWords, NatsBus } from "../bus/nats_bus.ts";
import type { PlaceSources } from "../http/static_files.ts";
import { messageOf } from "../ground/log.ts";
import type { Fault } from "../supervision/faults.ts";
import { SWEEP_EVERY_MS } from "../match_log/log_archive.ts";
import { NatsClient } from "../match_log/nats/nats_client.ts";
import { RecordStore } from "../match_log/nats/record_store.ts";
import type { ClusterReadings } from "../metrics/process_metrics.ts";
import { type AnsweringNode, answerOperators } from "../ops/asked_nodes.ts";
import { SharedResults, type SharedResultsOptions } from "../results/shared/shared_results.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { DerivedKeys } from "../ground/server_secret.ts";
import type { Scheduler } from "../ground/ticker.ts";
import type { Trials } from "../trial/trials.ts";
import { ClusterLogs } from "./cluster_logs.ts";
import { freeSeatsByRegion } from "./free_seats.ts";
import { handOverAll, onTakeAsked, takeSubject } from "./hand_over.ts";
import { faultSubject, KnownFaults } from "./known_faults.ts";
import { LIST_KEPT_MS, listAnswer, ListedRooms, listSubject } from "./listed_rooms.ts";
import { LogOwners } from "./log_owners.ts";
import { Matchmaker, openSubject } from "./matchmaker.ts";
import { type NodeHealth, type NodeHeartbeat, Nodes, ticketsAt } from "./nodes.ts";
import { OwnRooms } from "./own_rooms.ts";
import { Places } from "./places.ts";
import { roomsSubject } from "./advertised_rooms.ts";
import { SeatReservations, seatSubject } from "./seat_reservations.ts";
import { fetchBans, shareBans } from "./shared_bans.ts";
import { TakeOvers } from "./take_overs.ts";

/** How often this process checks whether others are silent, ms. */
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
  /** This process's name among all; 16 hexadecimal digits. */
  readonly node: string;
  /** Each as nats://host:port. */
  readonly servers: readonly string[];
  /** This machine's region. */
  readonly region: string;
  /** The secret that all nodes share, or what `NatsBus` needs of it. */
  readonly secret: DerivedKeys;
  /** As for `NatsBus`. */
  readonly takesUnsigned: boolean;
  /** As for `NatsBus`; undefined for a machine with one process. */
  readonly isOwnMachine?: ((node: string) => boolean) | undefined;
  /** The hosted games, by name. */
  readonly games: Readonly<Record<string, Game<unknown>>>;
  readonly wallClock: Clock;
  readonly scheduler: Scheduler;
}

/** What a node has beside its logs. These parts are made after them. */
export interface NodeParts {
  readonly rooms: Rooms<unknown>;
  /** Where this process takes datagrams; undefined if it takes none. */
  readonly datagrams: () => DatagramOffer | undefined;
  /** The origin under which players reach this process. */
  readonly url: string;
  /** Where its players get tickets; undefined if it gives them itself. */
  readonly gateway: string | undefined;
  /** Its number on its machine; undefined if it is the only process. */
  readonly process: number | undefined;
  /** The load above which it refuses newcomers. */
  readonly loadMax: number;
  readonly health: () => NodeHealth;
  readonly families: AnsweringNode["families"];
  readonly bans: Bans;
  /** Tries the matches that it takes over. */
  readonly trials: Trials;
  /** Matches that stopped the previous process. */
  readonly faults?: readonly Fault[] | undefined;
}

export class Cluster {
  readonly #options: ClusterOptions;
  /** The connection to the servers, which carries the logs. */
  readonly #client: NatsClient;
  /** The same connection for what processes say to each other: it signs their messages. */
  readonly bus: NatsBus;
  readonly #store: RecordStore;
  readonly nodes: Nodes;
  /** The logs of this process's matches; undefined for a gateway. */
  readonly logs: ClusterLogs | undefined;
  /** The results and logs of all nodes. */
  readonly results: SharedResults;
  readonly owners: LogOwners;
  /** Matches that hung anywhere, as far as this process has heard. */
  readonly faults: KnownFaults;
  #node: { readonly heartbeat: () => NodeHeartbeat; readonly rooms: Rooms<unknown> } | undefined;
  #isLeaving = false;
  #fetchBans = (): void => {};
  /** `Nodes.hearsSinceMs` when the bans of others were fetched last. */
  #bansOfMs: number | undefined;
  #advance = (): void => this.nodes.advance();
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
    const { node, files, clock, wait, log } = options;
    this.#options = options;
    this.#client = client;
    this.#store = store;
    this.results = results;

    // What all processes say, and whom it leaves silent
    this.bus = new NatsBus({
      ...options,
      client,
      machineOf: (each) => {
        const heartbeat = this.nodes.get(each);
        return heartbeat === undefined ? each : ticketsAt(heartbeat);
      },
    });
    this.nodes = new Nodes({
      self: files && (() => this.#node!.heartbeat()),
      bus: this.bus,
      clock,
    });
    this.faults = new KnownFaults({
      node,
      bus: this.bus,
      onSetAside: (match) => this.#node?.rooms.refuseSetAside(match),
    });
    this.bus.subscribe(faultSubject("*"), (bytes) => this.faults.hear(bytes));

    // Who has which match, and the logs of this process's own
    this.owners = new LogOwners({ store, nodes: this.nodes, clock, wait });
    if (files !== undefined) {
      const { scheduler } = options;
      const onEnded = results.finish;
      this.logs = new ClusterLogs({ node, store, files, scheduler, clock, log, onEnded });
      files.leaveUnfinished();
    }
  }

  /**
   * Makes this process a node: its rooms are those that other nodes lead players to, and it takes
   * matches over.
   * @returns the rooms as the home of players, and "Play now" for them
   */
  run(parts: NodeParts): { readonly home: OwnRooms; readonly matchmaker: Matchmaker } {
    const { node, region, clock, wait, log, files, takesUnsigned } = this.#options;
    const { rooms, datagrams, url, gateway, process, loadMax, health, families, trials } = parts;
    const { bans } = parts;
    const { bus, nodes, faults } = this;
    const store = this.#store;
    const logs = this.logs!;
    const isStopping = () => this.#isLeaving || rooms.isCordoned;
    log("node", { node, url, ...takesUnsigned && { takesUnsigned } });
    logs.attach(rooms);

    // What it tells the others about itself
    const heartbeat = (): NodeHeartbeat => ({
      node,
      region,
      url,
      datagrams: datagrams(),
      leaves: this.#isLeaving,
      matches: logs.owned.length,
      load: rooms.tickLoad,
      loadMax,
      gateway,
      process,
      ...rooms.isCordoned && { cordoned: true },
      health: health(),
    });
    this.#node = { heartbeat, rooms };

    // A gateway has told the others already, and a failure that is told twice counts twice.
    for (const fault of parts.faults ?? []) {
      if (gateway === undefined) faults.failed(fault);
      else faults.note(fault);
    }

    // Matches of nodes that are gone, or that hand theirs over
    const takeOvers = new TakeOvers({
      node,
      store,
      nodes,
      rooms,
      trials,
      faults,
      logs,
      files: files!,
      onEnded: this.results.finish,
      isStopping,
      clock,
      wait,
      log,
    });
    bus.subscribe(
      takeSubject(node),
      (bytes) => onTakeAsked(bytes, { store, takeOvers, isStopping }),
    );

    // Its rooms: seats for "Play now", the lobby's list, and what operators ask
    const say = () => bus.publish(roomsSubject(node), JSON.stringify(seats.advertised()));
    const seats = new SeatReservations({ node, rooms, logs, clock, newCode, onGiven: say });
    const matchmaker = this.matchmaker(seats);
    bus.subscribe(seatSubject(node), (bytes) => seats.answer(bytes));
    bus.subscribe(openSubject(node), (bytes) => matchmaker.answer(bytes));
    bus.subscribe(listSubject(node), () => Promise.resolve(listAnswer(rooms)));
    answerOperators(bus, {
      node,
      rooms,
      bans,
      families,
      cordon: async ({ isCordoned, handsOver }) => {
        this.#cordon(isCordoned);
        return handsOver ? await this.#handOver({ staysOpen: true }) : 0;
      },
    });

    this.#advance = () => {
      logs.advance();
      nodes.advance();
      if (this.#checks % CHECKS_PER_ROOMS === 0) say();
      if (++this.#checks % CHECKS_PER_SWEEP === 0 && gateway === undefined) this.results.sweep();
      takeOvers.advance();
    };
    const home = new OwnRooms({ node, rooms, logs, store, nodes, url, datagrams });
    return { home, matchmaker };
  }

  /**
   * "Play now" over all nodes. A gateway's asks nodes for everything.
   * @param seats this process's own; undefined for a gateway
   */
  matchmaker(seats?: SeatReservations): Matchmaker {
    const { node, region, clock, games } = this.#options;
    const { nodes, bus } = this;
    const places = new Places({ nodes, bus, games: Object.values(games) });
    return new Matchmaker({ node, region, games, nodes, places, seats, bus, clock, draw });
  }

  /**
   * Shares the list of bans with all processes, now and whenever this one hears the others again.
   * @param onNews called with each entry that came from elsewhere
   */
  shareBans(bans: Bans, onNews?: (ban: Ban) => void): void {
    const { node } = this.#options;
    const { bus, nodes } = this;
    shareBans(bans, { bus, node, ...onNews && { onNews } });
    this.#fetchBans = () => {
      const others = nodes.living.map((each) => each.node).filter((each) => each !== node);
      void fetchBans(bans, { bus, nodes: others, onNews });
    };
  }

  /** The lobby's list over all nodes. */
  listedRooms(): ListedRooms {
    const { node, clock, games } = this.#options;
    return new ListedRooms({
      own: this.#node && { node, rooms: this.#node.rooms },
      nodes: () => this.nodes.living,
      games,
      bus: this.bus,
      keptMs: LIST_KEPT_MS,
      clock,
    });
  }

  get readings(): ClusterReadings {
    const { isConnected } = this.#client;
    return {
      nodes: this.nodes.living.length,
      freeSeats: freeSeatsByRegion(this.nodes.living),
      isConnected,
      isInDoubt: this.bus.isInDoubt,
      fault: this.fault,
      dropped: this.bus.dropped,
      clocks: this.bus.clocks,
      ...this.logs?.counts ?? { fenced: 0, takeOvers: 0, late: 0 },
      ...this.results.counts,
    };
  }

  /**
   * Why this process may be the one at fault, in words for the operator; undefined if nothing
   * suggests it. It may be if it can believe no other machine (`NatsBus`), or if most other clocks
   * differ from its own.
   */
  get fault(): string | undefined {
    const { doubt, clocks: { isWrong, aheadMs } } = this.bus;
    if (doubt !== undefined) return `no other node can be believed: ${doubt}`;
    return isWrong ? clockWords(aheadMs) : undefined;
  }

  /** The origins of all nodes and gateways, because their pages may play here. */
  readonly origins = (): readonly string[] => this.nodes.origins;

  /**
   * The addresses, by node, where pages ask for tickets and open sockets and datagram sessions.
   * Nodes of this region come first, because "Play now" leads there while it can.
   */
  readonly connectSources = (): PlaceSources => {
    const { region } = this.#options;
    const nearFirst = this.nodes.living.toSorted((a, b) =>
      Number(b.region === region) - Number(a.region === region)
    );
    return nearFirst.map((heartbeat) => {
      const { url, datagrams } = heartbeat;
      const udp = datagrams === undefined
        ? []
        : [`https://${new URL(url).hostname}:${datagrams.port}`];
      return [ticketsAt(heartbeat), url.replace("http", "ws"), ...udp];
    });
  };

  /** Starts heartbeats and checks. Call it after `run`, if this process runs matches. */
  start(): void {
    this.results.start();
    this.#check();
  }

  /** Hands this node's matches over to others. From now on new clients go there too. */
  readonly leave = async (): Promise<void> => {
    this.#isLeaving = true;
    await this.#handOver({ staysOpen: false });
  };

  /** Closes this node to newcomers, or opens it again. */
  #cordon(isCordoned: boolean): void {
    this.#node!.rooms.cordon(isCordoned);
    this.nodes.sendHeartbeat();
  }

  /** @returns how many matches another node has taken */
  async #handOver({ staysOpen }: { staysOpen: boolean }): Promise<number> {
    const { node, wait, log } = this.#options;
    const { nodes, bus, logs } = this;
    const { rooms } = this.#node!;
    nodes.sendHeartbeat();
    return await handOverAll({ node, nodes, logs: logs!, rooms, staysOpen, wait, log, bus });
  }

  /** Closes the connection once the last records are on the servers, or after a second. */
  async close(): Promise<void> {
    const durable = Promise.all((this.logs?.owned ?? []).map(({ log }) => log.durable()));
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
      if (this.nodes.hasHeardAll && this.#bansOfMs !== this.nodes.hearsSinceMs) {
        this.#bansOfMs = this.nodes.hearsSinceMs;
        this.#fetchBans();
      }
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
