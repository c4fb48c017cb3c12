/**
 * A node's crash, and all that follows from it. Every other node in its cluster notices the
 * silence, computes its rank for each match, waits accordingly and fences the match; the first
 * record wins. The players ask a living node, which answers once the match goes on, and connect.
 */
import { candidatesFor, rankDelayMs } from "../../../server/nodes/rendezvous.ts";
import {
  HEARTBEAT_MS,
  MissedHeartbeats,
  SILENCE_MS,
} from "../../../server/bus/missed_heartbeats.ts";
import { ASSUMPTIONS } from "./assumptions.ts";
import type { Node, Player, Room, ScaledWorld } from "./scaled_world.ts";

const { appendMs, beatLagMs, checkMs, fenceMs, loadEachMs, loadMs, lookMs, restartSeconds } =
  ASSUMPTIONS;
const { stallMs, stallShare, tickMs } = ASSUMPTIONS;
/**
 * How many heartbeats before a crash are heard again, because the one before the last may be the
 * last that arrived.
 */
const BEATS_BEFORE = 3;
/** How long the survivors' heartbeats are heard: none takes longer to notice the silence. */
const WATCH_MS = SILENCE_MS + 1000;

/** When a node would take a match over. */
interface Take {
  readonly node: Node;
  readonly beginsAtMs: number;
  readonly fencedAtMs: number;
}

export class TakeOvers {
  readonly #world: ScaledWorld;

  constructor(world: ScaledWorld) {
    this.#world = world;
  }

  /** Ends a node without a word. After some seconds it is back, empty. */
  crash(node: Node): void {
    const { figures, queue, view } = this.#world;
    const crashedAtMs = queue.nowMs;
    if (!node.isUp || node.isDraining) return;
    figures.crashes++;
    node.isUp = false;
    node.crashedAtMs = crashedAtMs;
    const silentAtMs = this.#silenceFound(node);
    const others = [...silentAtMs.keys()];
    const taken = new Map(others.map((other) => [other, 0]));

    for (const room of node.rooms.values()) {
      room.isAway = true;
      const take = this.#takeOf(room, silentAtMs);
      if (take === undefined) continue;
      taken.set(take.node, taken.get(take.node)! + 1);
      queue.at(take.fencedAtMs, () => this.#read(room, { by: take.node, crashedAtMs }));
    }

    figures.matchesTaken.push(...taken.values());
    queue.after(WATCH_MS, () => view.removeNode(node.name));
    queue.after(restartSeconds.value * 1000, () => this.#restart(node));
  }

  #restart(node: Node): void {
    node.isUp = true;
    node.isNew = true;
    // The cluster's only node goes on with its matches itself.
    const isAlone = node.cluster.nodes.every((other) => other === node || !other.isUp);
    if (isAlone) {
      for (const room of node.rooms.values()) if (room.isAway) this.#goOn(room, node.crashedAtMs);
    }
    this.#world.publish(node);
    this.#world.startBeats(node);
  }

  /**
   * When each living node in the cluster notices that `lost` is silent. It looks every few ms, and
   * sometimes late.
   */
  #silenceFound(lost: Node): Map<Node, number> {
    const { chance } = this.#world;
    const found = new Map<Node, number>();

    for (const watcher of lost.cluster.nodes) {
      if (!watcher.isUp || watcher.isDraining) continue;
      const missed = new MissedHeartbeats();
      let lookAtMs = lost.crashedAtMs + chance.draw() * checkMs.value;
      for (const { atMs, node } of this.#beatsHeard(lost)) {
        while (lookAtMs <= atMs && !((missed.silenceMs(lost.name, lookAtMs) ?? 0) >= SILENCE_MS)) {
          lookAtMs += checkMs.value;
        }
        if (lookAtMs <= atMs) break;
        missed.hear(node.name, atMs);
      }
      found.set(
        watcher,
        lookAtMs + (chance.draw() < stallShare.value ? chance.from(stallMs.value) : 0),
      );
    }

    return found;
  }

  /** A cluster's heartbeats around a crash, as one of its nodes hears them. */
  #beatsHeard({ cluster, crashedAtMs }: Node): { readonly atMs: number; readonly node: Node }[] {
    const { chance } = this.#world;
    const heard: { atMs: number; node: Node }[] = [];
    const first = Math.floor(crashedAtMs / HEARTBEAT_MS) - BEATS_BEFORE;
    for (const node of cluster.nodes) {
      for (let heartbeat = first; heartbeat * HEARTBEAT_MS < crashedAtMs + WATCH_MS; heartbeat++) {
        const sentAtMs = heartbeat * HEARTBEAT_MS + node.beatPhaseMs;
        if (node.isUp || sentAtMs <= node.crashedAtMs) {
          heard.push({ atMs: sentAtMs + chance.from(beatLagMs.value), node });
        }
      }
    }
    return heard.sort((a, b) => a.atMs - b.atMs);
  }

  /**
   * Finds the node that is the first to fence a match. Every later node that begins before it can
   * see this fence loses a race.
   */
  #takeOf(room: Room, silentAtMs: ReadonlyMap<Node, number>): Take | undefined {
    const { chance, figures } = this.#world;
    const byName = new Map([...silentAtMs.keys()].map((node) => [node.name, node]));
    const electingUntilMs = room.node.cluster.electingUntilMs[room.stream]!;
    let first: Take | undefined;
    const begins: number[] = [];

    for (const [rank, name] of candidatesFor(room.code, byName.keys()).entries()) {
      const node = byName.get(name)!;
      const beginsAtMs = silentAtMs.get(node)! + rankDelayMs(rank);
      const take = {
        node,
        beginsAtMs,
        fencedAtMs: Math.max(beginsAtMs, electingUntilMs) + chance.from(fenceMs.value),
      };
      begins.push(beginsAtMs);
      if (first === undefined || beginsAtMs < first.beginsAtMs) first = take;
    }

    if (first === undefined) return undefined;
    const seenAtMs = first.fencedAtMs + chance.from(beatLagMs.value);
    figures.lostRaces += begins.filter((beginsAtMs) => beginsAtMs < seenAtMs).length - 1;
    if (electingUntilMs > first.beginsAtMs) figures.takeOversInElection++;
    return first;
  }

  /**
   * Lets the new owner read the match, one of many that it takes over at once, and go on at the
   * next tick.
   */
  #read(room: Room, { by, crashedAtMs }: { by: Node; crashedAtMs: number }): void {
    const { chance, queue } = this.#world;
    // If the new owner has crashed as well, the next candidate follows.
    const owner = by.isUp ? by : this.#nextAfter(room, by);
    if (owner === undefined) return;
    this.#world.moveRoom(room, owner);
    owner.readsUntilMs = Math.max(owner.readsUntilMs, queue.nowMs) + loadEachMs.value;
    const readAtMs = owner.readsUntilMs - loadEachMs.value + chance.from(loadMs.value);
    const goesOnAtMs = readAtMs + chance.draw() * tickMs.value + chance.from(appendMs.value);
    queue.at(goesOnAtMs, () => this.#goOn(room, crashedAtMs));
  }

  #nextAfter(room: Room, lost: Node): Node | undefined {
    const living = lost.cluster.nodes.filter(({ isUp, isDraining }) => isUp && !isDraining);
    const [next] = candidatesFor(room.code, living.map(({ name }) => name));
    return living.find(({ name }) => name === next);
  }

  #goOn(room: Room, crashedAtMs: number): void {
    const { chance, figures, queue } = this.#world;
    room.isAway = false;
    room.node.changed.add(room);
    if (room.players.length === 0) return this.#world.closeIfEmpty(room);
    // The old owner's last tick was confirmed up to a tick before its end.
    figures.takeOversMs.push(queue.nowMs - crashedAtMs + chance.draw() * tickMs.value);
    const knownAtMs = queue.nowMs + chance.draw() * lookMs.value;
    for (const player of room.players) {
      figures.playingAgainMs.push(
        this.#playsAtMs(player, { room, crashedAtMs, knownAtMs }) - crashedAtMs,
      );
    }
  }

  /**
   * When a player is in the match again: the page notices that the connection closed, asks, and
   * connects.
   */
  #playsAtMs(
    player: Player,
    { room, crashedAtMs, knownAtMs }: { room: Room; crashedAtMs: number; knownAtMs: number },
  ): number {
    const { setting } = this.#world;
    const tripMs = this.#world.roundTripMs(player, room.node);
    const askMs = (setting.askRoundTrips ?? ASSUMPTIONS.askRoundTrips.value) * tripMs;
    const connectMs = (setting.connectRoundTrips ?? ASSUMPTIONS.connectRoundTrips.value) * tripMs;
    return Math.max(crashedAtMs + (tripMs + askMs) / 2, knownAtMs) + askMs / 2 + connectMs;
  }
}
