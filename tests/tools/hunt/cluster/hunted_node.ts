/**
 * A node of the hunted cluster: the real rooms, logs, take-overs and entrance, over the model of
 * the servers. It can be paused, partitioned, killed, and stopped as an operator stops it.
 */
import { LogOwners } from "../../../../server/nodes/log_owners.ts";
import { NodeEntrance } from "../../../../server/nodes/node_entrance.ts";
import { OwnRooms } from "../../../../server/nodes/own_rooms.ts";
import { ClusterLogs } from "../../../../server/nodes/cluster_logs.ts";
import { handOverAll, onTakeAsked, takeSubject } from "../../../../server/nodes/hand_over.ts";
import { type NodeHeartbeat, Nodes } from "../../../../server/nodes/nodes.ts";
import { NatsBus } from "../../../../server/bus/nats_bus.ts";
import { faultSubject, KnownFaults } from "../../../../server/nodes/known_faults.ts";
import { TakeOvers } from "../../../../server/nodes/take_overs.ts";
import type { Log } from "../../../../server/ground/log.ts";
import type { ClusterLog, OwnFile } from "../../../../server/match_log/nats/cluster_log.ts";
import { RecordStore } from "../../../../server/match_log/nats/record_store.ts";
import { Rooms } from "../../../../server/rooms/rooms.ts";
import { ServerSecret } from "../../../../server/ground/server_secret.ts";
import { STEP_MS_MAX } from "../../../../server/trial/tried_match.ts";
import { hostedGameOf, OwnTrials, type Trials } from "../../../../server/trial/trials.ts";
import { type Scheduler, Ticker } from "../../../../server/ground/ticker.ts";
import type { Game, Tick } from "../../../../shared/netcode/game.ts";
import type { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import type { ResumeToken } from "../../../../shared/netcode/wire/messages.ts";
import { seededSecret } from "../../../support/seeded_secret.ts";
import type { VirtualTime } from "../../../support/virtual_time.ts";
import type { ModelChannel, ModelServers } from "./model_servers.ts";

/** How long a trial of ten seconds of play takes on a thread of its own, ms. */
const TRIAL_MS = 120;
/** How many ticks' due times are remembered: longer than any tick waits for the log. */
const DUE_TICKS = 256;

/** How often it looks for silent nodes, ms, which is as often as the server does. */
const CHECK_MS = 20;

export interface HuntedNodeOptions<Command> {
  readonly name: string;
  readonly time: VirtualTime;
  readonly servers: ModelServers;
  readonly game: Game<Command>;
  /** The hunted room's code. */
  readonly room: string;
  readonly seed: number;
  readonly npcs: number;
  readonly newToken: () => ResumeToken;
  readonly log: Log;
  /** @returns the tick at which a trial that begins now takes too long; undefined if it does not */
  readonly trialHangs: () => Tick | undefined;
}

export class HuntedNode<Command> {
  readonly name: string;
  readonly url: string;
  readonly channel: ModelChannel;
  /** Signs what it says to other nodes, over `channel`. */
  readonly #signed: NatsBus;
  readonly rooms: Rooms<Command>;
  readonly logs: ClusterLogs;
  readonly entrance: NodeEntrance;
  state: "up" | "paused" | "dead" = "up";
  /** When it was last away, ms. */
  troubleMs = -Infinity;
  /** The server ends of its clients' links. */
  readonly links = new Set<LocalLink>();
  readonly #options: HuntedNodeOptions<Command>;
  readonly #scheduler: Scheduler;
  readonly #nodes: Nodes;
  readonly #takeOvers: TakeOvers;
  #isLeaving = false;
  /**
   * What reaches the node while it is paused: due timers, and what its channel and its clients
   * bring.
   */
  #held: { timers: (() => void)[]; arrivals: (() => void)[] } = { timers: [], arrivals: [] };
  /** When the match's newest ticks were due, ms. */
  readonly #dueMs = new Map<Tick, number>();

  constructor(options: HuntedNodeOptions<Command>) {
    const { name, time, servers, game, seed, npcs, newToken, log } = this.#options = options;
    this.name = name;
    this.url = `http://node-${name}`;
    const clock = { now: () => time.now() };
    const scheduler = this.#scheduler = {
      now: clock.now,
      after: (ms, action) => this.#after(ms, action),
    };
    const wait = (ms: number) => new Promise<void>((resolve) => scheduler.after(ms, resolve));
    const channel = this.channel = servers.connect((action) => this.reach(action));
    const store = new RecordStore(channel);
    const onEnded = ({ subject, sequence }: { subject: string; sequence: number }) => {
      void store.purge(subject, sequence);
    };
    const files = {
      begin: newFile(name),
      adopt: (id: string, { epoch }: { epoch: number }) => fileOf(id, epoch),
    };
    const logs = this.logs = new ClusterLogs({
      node: name,
      store,
      files,
      scheduler,
      clock,
      log,
      onEnded,
    });
    this.rooms = new Rooms<Command>({
      games: { [game.id]: game },
      clock,
      npcs,
      secret: seededSecret(seed),
      stream: "commands",
      logs,
      unixClock: clock,
      newToken,
      log,
      mayOpen: logs.mayEnter,
    });
    const rooms = this.rooms as unknown as Rooms<unknown>;
    logs.attach(rooms);
    const secret = secretOf(seed);
    const self = () => this.#heartbeat(rooms);
    const isStopping = () => this.#isLeaving;
    const signed = this.#signed = new NatsBus({
      client: channel,
      node: name,
      secret,
      takesUnsigned: false,
      clock,
      wallClock: clock,
      log,
    });
    const nodes = this.#nodes = new Nodes({ self, bus: signed, clock });
    const faults = new KnownFaults({
      node: name,
      bus: signed,
      onSetAside: (match) => rooms.refuseSetAside(match),
    });
    signed.subscribe(faultSubject("*"), (bytes) => faults.hear(bytes));
    const trials = trialsOf(game as Game<unknown>, { wait, hangs: this.#options.trialHangs });
    const takeOvers = this.#takeOvers = new TakeOvers({
      node: name,
      store,
      nodes,
      logs,
      rooms,
      trials,
      faults,
      isStopping,
      onEnded,
      clock,
      wait,
      log,
      files: { keepBad() {} },
    });
    signed.subscribe(
      takeSubject(name),
      (bytes) => onTakeAsked(bytes, { store, takeOvers, isStopping }),
    );
    const { url } = this;
    this.entrance = new NodeEntrance({
      home: new OwnRooms({
        node: name,
        rooms,
        logs,
        store,
        nodes,
        url,
        datagrams: () => undefined,
      }),
      others: { owners: new LogOwners({ store, nodes, clock, wait }), nodes, url },
      secret,
      wallClock: clock,
      clock,
    });
    const ticker = new Ticker({
      hz: game.tickHz,
      scheduler,
      onTick: (dueMs) => this.#tick(dueMs),
      onMidTick: () => this.rooms.announceEarly(),
      onDropped: () => {},
    });
    ticker.start();
    this.#check();
  }

  /** Lets something arrive at this node: now, after its pause, or never. */
  reach(action: () => void): void {
    if (this.state === "up") action();
    else if (this.state === "paused") this.#held.arrivals.push(action);
  }

  pause(): void {
    if (this.state !== "up") return;
    this.state = "paused";
    for (const link of this.links) link.pause();
  }

  /** Goes on as an event loop does: due timers fire first, and then the sockets are read. */
  goOn(): void {
    if (this.state !== "paused") return;
    this.state = "up";
    this.troubleMs = this.#options.time.now();
    const { timers, arrivals } = this.#held;
    for (const fire of timers.splice(0)) fire();
    for (const link of this.links) link.resume();
    for (const action of arrivals.splice(0)) this.reach(action);
  }

  kill(): void {
    if (this.state === "dead") return;
    this.state = "dead";
    this.#held = { timers: [], arrivals: [] };
    this.channel.isOver = true;
    void this.channel.close();
    for (const link of this.links) link.close(1006, "killed");
    this.links.clear();
  }

  /** Hands its matches over to others, and ends. */
  async stop(): Promise<void> {
    this.#isLeaving = true;
    this.#nodes.sendHeartbeat();
    const { name: node, logs, rooms } = this;
    const { log } = this.#options;
    const nodes = this.#nodes;
    const bus = this.#signed;
    const wait = (ms: number) => new Promise<void>((resolve) => this.#scheduler.after(ms, resolve));
    await handOverAll({ node, nodes, logs, rooms, staysOpen: false, wait, log, bus });
    this.kill();
  }

  /** Whether it writes a match's log. */
  hasMatch(gameId: string, room: string): boolean {
    return this.state !== "dead" && this.logOf(gameId, room) !== undefined;
  }

  /** The log of a room's match, if this node writes it. */
  logOf(gameId: string, room: string): ClusterLog | undefined {
    return this.logs.owned.find((each) => each.gameId === gameId && each.room === room)?.log;
  }

  #heartbeat(rooms: Rooms<unknown>): NodeHeartbeat {
    const { name: node, url } = this;
    const matches = this.logs.owned.length;
    return {
      node,
      url,
      leaves: this.#isLeaving,
      matches,
      load: rooms.tickLoad,
      loadMax: 1,
      region: "one",
    };
  }

  #check(): void {
    this.#nodes.advance();
    this.logs.advance();
    this.#takeOvers.advance();
    this.#scheduler.after(CHECK_MS, () => this.#check());
  }

  /** When one of the match's ticks was due, ms; undefined if it did not run here, or long ago. */
  dueMsOf(tick: Tick): number | undefined {
    return this.#dueMs.get(tick);
  }

  #tick(dueMs: number): void {
    this.rooms.tick(dueMs);
    const tick = this.rooms.matchOf(this.#options.room)?.tick;
    if (tick === undefined || this.#dueMs.has(tick)) return;
    this.#dueMs.set(tick, dueMs);
    this.#dueMs.delete(tick - DUE_TICKS);
  }

  /** One of the node's timers, which waits while the node is paused. */
  #after(ms: number, action: () => void): () => void {
    let isCancelled = false;
    const fire = () => {
      if (isCancelled || this.state === "dead") return;
      if (this.state === "paused") this.#held.timers.push(fire);
      else action();
    };
    const cancel = this.#options.time.after(ms, fire);
    return () => {
      isCancelled = true;
      cancel();
    };
  }
}

/** The secret of all nodes in one run. */
export function secretOf(seed: number): ServerSecret {
  return ServerSecret.ofText(`the cluster of seed ${seed}`);
}

/**
 * Trials in virtual time: they take some of it, and can fail as those of a hanging match do. They
 * have no real deadlines.
 */
function trialsOf(
  game: Game<unknown>,
  { wait, hangs }: { wait: (ms: number) => Promise<void>; hangs: () => Tick | undefined },
): Trials {
  const clock = { now: () => 0 };
  const within = <Result>(work: () => Result) => work();
  const own = new OwnTrials({ gameOf: hostedGameOf([game]), clock, within });
  return {
    lanes: 1,
    lost: new Promise<never>(() => {}),
    async try(log) {
      const tick = hangs();
      await wait(tick === undefined ? TRIAL_MS : STEP_MS_MAX);
      return tick === undefined
        ? await own.try(log)
        : { failure: { error: "it hangs", isSlow: true, tick } };
    },
    warm() {},
    close() {},
  };
}

/** This node's files. They keep nothing, because a dead node's disk is never read. */
function newFile(node: string): (room: string, epoch: number) => OwnFile {
  let made = 0;
  return (room, epoch) => fileOf(`${room}-${node}-${made++}`, epoch);
}

function fileOf(id: string, epoch: number): OwnFile {
  return { id, epoch, isOpen: true, append: () => undefined, end() {}, leave() {} };
}
