/**
 * The simulation's state: nodes in clusters, rooms on nodes, players in rooms, and what the
 * matchmaker knows from heartbeats. Players, failures and deploys change it.
 */
import { OpenRooms } from "../../../server/nodes/open_rooms.ts";
import { HEARTBEAT_MS } from "../../../server/bus/missed_heartbeats.ts";
import { ASSUMPTIONS } from "./assumptions.ts";
import { Chance } from "./chance.ts";
import { EventQueue } from "./event_queue.ts";
import { Figures } from "./figures.ts";
import { cableRoundTripsMs } from "./regions.ts";
import type { Setting } from "./setting.ts";

const { loadMax, loadPeak, playerCostMs, roomCostMs, seats, streams, tickMs } = ASSUMPTIONS;
const MINUTE_MS = 60_000;

/** Nodes of one region that hear each other, and the log servers that they share. */
export interface Cluster {
  readonly nodes: Node[];
  /** By stream: when its election ends, ms; 0 before the first. */
  readonly electingUntilMs: number[];
  /** By stream: which of the three servers leads it. */
  readonly leaders: number[];
}

/** A process that runs matches on one core. */
export interface Node {
  readonly name: string;
  readonly cluster: Cluster;
  /** Its index in the setting. */
  readonly region: number;
  readonly beatPhaseMs: number;
  /** By code. */
  readonly rooms: Map<string, Room>;
  /** Rooms that have changed since its last heartbeat. */
  readonly changed: Set<Room>;
  /** A tick's mean processor time. */
  tickMs: number;
  isUp: boolean;
  isDraining: boolean;
  /** Whether the deploy has restarted it. */
  isNew: boolean;
  crashedAtMs: number;
  /** When it will have read the matches that it took over, ms. */
  readsUntilMs: number;
}

export interface Room {
  readonly code: string;
  readonly stream: number;
  readonly players: Player[];
  /** Players who hold a ticket and have not arrived yet. */
  onTheirWay: number;
  node: Node;
  isOpen: boolean;
  /** Whether its node is gone and no other has gone on with it yet. */
  isAway: boolean;
  moves: number;
}

export interface Player {
  /** Round trips to all regions, ms, by name. */
  readonly roundTripsMs: ReadonlyMap<string, number>;
  room: Room | undefined;
}

export class ScaledWorld {
  readonly setting: Setting;
  readonly queue: EventQueue;
  readonly chance: Chance;
  readonly figures = new Figures();
  /**
   * What the matchmaker knows. A heartbeat reaches it at once, so its view is at most
   * `HEARTBEAT_MS` old.
   */
  readonly view = new OpenRooms();
  readonly nodes: Node[] = [];
  readonly clusters: Cluster[] = [];
  readonly rooms = new Map<string, Room>();
  readonly #cablesMs: readonly (readonly number[])[];
  #opened = 0;

  constructor(setting: Setting, seed: number) {
    this.setting = setting;
    this.queue = new EventQueue(setting.minutes * MINUTE_MS);
    this.chance = new Chance(seed);
    this.#cablesMs = cableRoundTripsMs(setting.regions);
    let share = 0;
    setting.regions.forEach((region, i) => {
      const before = Math.round(share * setting.nodes);
      this.#addNodes(Math.round((share += region.share) * setting.nodes) - before, i);
    });
  }

  /** A player in a region, with a connection of their own. */
  newPlayer(region: number): Player {
    const accessMs = this.setting.roundTripMs ?? this.chance.from(ASSUMPTIONS.accessMs.value);
    const trips = this.setting.regions.map(({ name }, to) =>
      [name, accessMs + this.#cablesMs[region]![to]!] as const
    );
    return { roundTripsMs: new Map(trips), room: undefined };
  }

  roundTripMs({ roundTripsMs }: Player, node: Node): number {
    return roundTripsMs.get(this.setting.regions[node.region]!.name)!;
  }

  /** The load as the server measures it. */
  loadOf(node: Node): number {
    return node.tickMs * loadPeak.value / tickMs.value;
  }

  takesPlayers(node: Node): boolean {
    return node.isUp && !node.isDraining && this.loadOf(node) <= loadMax.value;
  }

  openRoom(node: Node): Room {
    const code = codeOf(this.#opened++);
    const stream = this.chance.below(streams.value);
    const room: Room = {
      code,
      stream,
      players: [],
      onTheirWay: 0,
      node,
      isOpen: true,
      isAway: false,
      moves: 0,
    };
    node.rooms.set(code, room);
    this.rooms.set(code, room);
    return room;
  }

  enter(player: Player, room: Room): void {
    this.#changePlayers(room, () => room.players.push(player));
    player.room = room;
  }

  /** An empty room stays for a minute. */
  leave(player: Player): void {
    const room = player.room;
    if (room === undefined) return;
    player.room = undefined;
    this.#changePlayers(room, () => room.players.splice(room.players.indexOf(player), 1));
    if (room.players.length === 0) {
      this.queue.after(ASSUMPTIONS.emptySeconds.value * 1000, () => this.closeIfEmpty(room));
    }
  }

  /** Moves a room to another owner. */
  moveRoom(room: Room, to: Node): void {
    const costMs = tickMsOf(room);
    const from = room.node;
    from.rooms.delete(room.code);
    from.changed.delete(room);
    from.tickMs -= costMs;
    to.rooms.set(room.code, room);
    to.changed.add(room);
    to.tickMs += costMs;
    room.node = to;
    room.moves++;
  }

  /** Shows a node's state to the matchmaker, as a heartbeat does. */
  publish(node: Node): void {
    const { isDraining, changed, name } = node;
    const region = this.setting.regions[node.region]!.name;
    this.view.setNode(name, {
      region,
      load: this.loadOf(node),
      loadMax: loadMax.value,
      isDraining,
    });
    for (const { code, isOpen, players } of changed) {
      if (isOpen) {
        this.view.setRoom(code, { node: name, players: players.length, seats: seats.value });
      } else this.view.removeRoom(code);
    }
    changed.clear();
  }

  /** Begins a node's heartbeats. They end when it goes down. */
  startBeats(node: Node): void {
    const { nowMs } = this.queue;
    const sinceMs = (nowMs - node.beatPhaseMs + HEARTBEAT_MS) % HEARTBEAT_MS;
    this.queue.after(HEARTBEAT_MS - sinceMs, () => this.#heartbeat(node));
  }

  #heartbeat(node: Node): void {
    if (!node.isUp) return;
    this.figures.beats++;
    this.figures.beatDeliveries += node.cluster.nodes.length;
    this.publish(node);
    this.queue.after(HEARTBEAT_MS, () => this.#heartbeat(node));
  }

  /** Removes an empty room. A room that is away is checked when it goes on. */
  closeIfEmpty(room: Room): void {
    if (!room.isOpen || room.players.length > 0 || room.onTheirWay > 0 || room.isAway) return;
    room.isOpen = false;
    this.rooms.delete(room.code);
    room.node.rooms.delete(room.code);
    room.node.changed.add(room);
  }

  #changePlayers(room: Room, change: () => void): void {
    const beforeMs = tickMsOf(room);
    change();
    room.node.tickMs += tickMsOf(room) - beforeMs;
    room.node.changed.add(room);
  }

  /** Adds a region's nodes, in clusters of equal size. */
  #addNodes(count: number, region: number): void {
    const clusterCount = Math.ceil(count / this.setting.clusterNodes);
    const clusters = Array.from({ length: clusterCount }, (): Cluster => ({
      nodes: [],
      electingUntilMs: Array.from({ length: streams.value }, () => 0),
      leaders: Array.from({ length: streams.value }, (_, i) => i % LOG_SERVERS),
    }));
    this.clusters.push(...clusters);

    for (let i = 0; i < count; i++) {
      const cluster = clusters[i % clusterCount]!;
      const node: Node = {
        name: `${this.setting.regions[region]!.name}-${i}`,
        cluster,
        region,
        tickMs: 0,
        beatPhaseMs: this.chance.draw() * HEARTBEAT_MS,
        rooms: new Map(),
        changed: new Set(),
        isUp: true,
        isDraining: false,
        isNew: false,
        crashedAtMs: -Infinity,
        readsUntilMs: 0,
      };
      cluster.nodes.push(node);
      this.nodes.push(node);
    }
  }
}

/** Each cluster's log servers. */
export const LOG_SERVERS = 3;

/** A room's mean processor time per tick. A room without players does not tick. */
function tickMsOf({ players: { length } }: Room): number {
  return length === 0 ? 0 : roomCostMs.value + playerCostMs.value * length;
}

/** Room codes: AAAA, AAAB, … */
function codeOf(number: number): string {
  let code = "";
  for (let rest = number; code.length < 4 || rest > 0; rest = Math.floor(rest / 26)) {
    code = String.fromCharCode(65 + rest % 26) + code;
  }
  return code;
}
