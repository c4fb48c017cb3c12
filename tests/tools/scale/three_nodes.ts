/**
 * The same setting as the real cluster test, so that both can be compared: three nodes, 60 matches,
 * bots over connections of 160 ms, and one node that is killed. The real test delays only messages,
 * so there a request and a new socket take no round trip, and the hello takes one.
 */
import { meanOf, quantilesOf } from "./figures.ts";
import { ScaledWorld } from "./scaled_world.ts";
import { TakeOvers } from "./take_over.ts";

const NODES = 3;
const MATCHES = 60;
const PLAYERS = 8;
const ROUND_TRIP_MS = 160;
const MINUTES = 1;

/** The figures that the real test reports, too. */
export interface ThreeNodesReport {
  readonly kills: number;
  readonly takeOverMsP50: number;
  readonly takeOverMsP95: number;
  readonly playingAgainMsP50: number;
  readonly playingAgainMsP95: number;
  /** A node's matches after the kill: the mean and the maximum over all kills. */
  readonly matchesAfterKillMean: number;
  readonly matchesAfterKillMax: number;
  readonly lostRaces: number;
}

/** Simulates each kill in a cluster of its own. */
export function killThreeNodes({ kills, seed }: { kills: number; seed: number }): ThreeNodesReport {
  const takeOversMs: number[] = [];
  const playingAgainMs: number[] = [];
  const matches: number[] = [];
  let lostRaces = 0;

  for (let i = 0; i < kills; i++) {
    const world = threeNodes(seed + i);
    const { figures, nodes, queue } = world;
    const takeOvers = new TakeOvers(world);
    queue.at(1000 + world.chance.draw() * 1000, () => takeOvers.crash(nodes[i % NODES]!));
    // By now all matches are taken over, and the killed node is not back yet.
    queue.at(
      6000,
      () => matches.push(...nodes.filter(({ isUp }) => isUp).map(({ rooms }) => rooms.size)),
    );
    queue.run();
    takeOversMs.push(...figures.takeOversMs);
    playingAgainMs.push(...figures.playingAgainMs);
    lostRaces += figures.lostRaces;
  }

  const takeOver = quantilesOf(takeOversMs);
  const playingAgain = quantilesOf(playingAgainMs);
  return {
    kills,
    takeOverMsP50: takeOver.p50,
    takeOverMsP95: takeOver.p95,
    playingAgainMsP50: playingAgain.p50,
    playingAgainMsP95: playingAgain.p95,
    matchesAfterKillMean: meanOf(matches),
    matchesAfterKillMax: Math.max(...matches),
    lostRaces,
  };
}

function threeNodes(seed: number): ScaledWorld {
  const world = new ScaledWorld({
    regions: [{ name: "here", latitude: 0, longitude: 0, share: 1 }],
    nodes: NODES,
    clusterNodes: NODES,
    playersPerNode: 0,
    minutes: MINUTES,
    crashesPerHour: 0,
    logCrashesPerHour: 0,
    deploys: false,
    roundTripMs: ROUND_TRIP_MS,
    askRoundTrips: 0,
    connectRoundTrips: 1,
  }, seed);
  for (let i = 0; i < MATCHES; i++) {
    const room = world.openRoom(world.nodes[i % NODES]!);
    for (let seat = 0; seat < PLAYERS; seat++) world.enter(world.newPlayer(0), room);
  }
  return world;
}
