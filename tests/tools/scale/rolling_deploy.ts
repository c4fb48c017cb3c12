/**
 * Deploys a version: in each cluster a few nodes at a time stop, hand their matches over one after
 * the other, and restart; then the next few do. A match goes to the least busy node, and moves
 * again if that node has not been restarted yet.
 */
import { leastBusy } from "../../../server/nodes/placement.ts";
import { ASSUMPTIONS } from "./assumptions.ts";
import type { Cluster, Node, Room, ScaledWorld } from "./scaled_world.ts";

/**
 * A sixteenth of a cluster, and at least one node, stops at a time, because the others must take
 * its matches.
 */
const PARTS = 16;

export class RollingDeploy {
  readonly #world: ScaledWorld;

  constructor(world: ScaledWorld) {
    this.#world = world;
  }

  start(): void {
    for (const cluster of this.#world.clusters) this.#stopNext(cluster);
  }

  #stopNext(cluster: Cluster): void {
    const old = cluster.nodes.filter(({ isNew, isUp, isDraining }) =>
      isUp && !isNew && !isDraining
    );
    const count = Math.ceil(cluster.nodes.length / PARTS);
    let left = Math.min(count, old.length);
    for (const node of old.slice(0, count)) {
      node.isDraining = true;
      this.#world.publish(node);
      this.#handOver(node, () => {
        if (--left === 0) this.#stopNext(cluster);
      });
    }
  }

  /** Hands the next match over, and restarts the node after the last one. */
  #handOver(node: Node, onBack: () => void): void {
    const { chance, queue } = this.#world;
    const [room] = node.rooms.values();
    const to = room && this.#takerOf(room);
    // The cluster's only node goes on with its matches itself.
    if (room === undefined || to === undefined) return this.#restart(node, onBack);
    const lastsMs = chance.from(ASSUMPTIONS.handOverMs.value);
    this.#count(room, lastsMs);
    this.#world.moveRoom(room, to);
    queue.after(lastsMs, () => this.#handOver(node, onBack));
  }

  #count(room: Room, lastsMs: number): void {
    const { figures, setting } = this.#world;
    figures.handOvers++;
    for (const player of room.players) {
      const trips = setting.connectRoundTrips ?? ASSUMPTIONS.connectRoundTrips.value;
      figures.handOverGapsMs.push(
        Math.max(lastsMs, trips * this.#world.roundTripMs(player, room.node)),
      );
    }
  }

  #restart(node: Node, onBack: () => void): void {
    const { queue, view } = this.#world;
    node.isUp = false;
    view.removeNode(node.name);
    queue.after(ASSUMPTIONS.restartSeconds.value * 1000, () => {
      node.isUp = node.isNew = true;
      node.isDraining = false;
      this.#world.publish(node);
      this.#world.startBeats(node);
      onBack();
    });
  }

  #takerOf({ node: { cluster } }: Room): Node | undefined {
    const living = cluster.nodes.filter(({ isUp, isDraining }) => isUp && !isDraining);
    const takers = living.map((node) => ({ node, load: this.#world.loadOf(node), matches: 0 }));
    return leastBusy(takers, { equalLoad: 0 })?.node;
  }
}
