/**
 * Crashes nodes and log servers, each at random and at its own rate, and computes what it costs
 * when a stream loses its leader.
 */
import { ASSUMPTIONS } from "./assumptions.ts";
import { type Cluster, LOG_SERVERS, type ScaledWorld } from "./scaled_world.ts";
import type { TakeOvers } from "./take_over.ts";

const HOUR_MS = 3_600_000;

/** Lets failures happen until the end. */
export function startFailures(world: ScaledWorld, takeOvers: TakeOvers): void {
  const { chance, clusters, nodes, setting } = world;
  repeat(world, HOUR_MS / (setting.crashesPerHour * nodes.length), () => {
    takeOvers.crash(nodes[chance.below(nodes.length)]!);
  });
  repeat(world, HOUR_MS / (setting.logCrashesPerHour * clusters.length * LOG_SERVERS), () => {
    loseLogServer(world, clusters[chance.below(clusters.length)]!);
  });
}

/** @param meanMs between two events, Infinity for never */
function repeat({ chance, queue }: ScaledWorld, meanMs: number, happen: () => void): void {
  const next = () => {
    happen();
    queue.after(chance.wait(meanMs), next);
  };
  queue.after(chance.wait(meanMs), next);
}

/**
 * Each stream that the server led elects another leader. Until then its matches go on unconfirmed,
 * and none of them can be taken over.
 */
export function loseLogServer(world: ScaledWorld, cluster: Cluster): void {
  const { chance, figures, queue } = world;
  const server = chance.below(LOG_SERVERS);
  for (const [stream, leader] of cluster.leaders.entries()) {
    if (leader !== server) continue;
    const lastsMs = chance.from(ASSUMPTIONS.electionMs.value);
    cluster.leaders[stream] = (server + 1 + chance.below(LOG_SERVERS - 1)) % LOG_SERVERS;
    cluster.electingUntilMs[stream] = queue.nowMs + lastsMs;
    figures.elections++;
    let matches = 0;
    for (const node of cluster.nodes) {
      for (const room of node.rooms.values()) if (room.stream === stream) matches++;
    }
    figures.unconfirmedMatchSeconds += matches * lastsMs / 1000;
  }
}
