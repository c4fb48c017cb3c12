/** Simulates one setting from one seed, and reports. */
import { ASSUMPTIONS } from "./assumptions.ts";
import { startFailures } from "./failures.ts";
import { type Figures, meanOf, type Quantiles, quantilesOf, rounded } from "./figures.ts";
import { Players } from "./players.ts";
import { quantileOf } from "../bench/median.ts";
import { RollingDeploy } from "./rolling_deploy.ts";
import { ScaledWorld } from "./scaled_world.ts";
import type { Setting } from "./setting.ts";
import { TakeOvers } from "./take_over.ts";

const SAMPLE_MS = 60_000;
/** How often each node looks through the newest records of all matches. */
const SEARCH_MS = 10_000;

/** The object that `--json` prints, without the three nodes. */
export interface ScaleReport {
  readonly nodes: number;
  readonly clusters: number;
  readonly simulatedMinutes: number;
  readonly playersAtEnd: number;
  readonly matchesAtEnd: number;
  readonly timeToSeatMs: Quantiles;
  /**
   * The shares of all requests for a place that were answered with "wait", and that the named node
   * refused.
   */
  readonly waitShare: number;
  readonly refusedShare: number;
  /** Players who gave up because they had waited too long. */
  readonly gaveUp: number;
  /** To the room that the player got, and to the player's nearest region. */
  readonly roundTripMs: { readonly got: Quantiles; readonly best: Quantiles };
  /** Loads of all nodes, once a minute; a full node has 0.6. */
  readonly load: Readonly<Record<"p5" | "p50" | "p95" | "max", number>>;
  /**
   * The share of occupied rooms with less than half of their seats taken, and their mean number of
   * players.
   */
  readonly rooms: { readonly halfEmptyShare: number; readonly playersMean: number };
  readonly crashes: number;
  readonly takeOverMs: Quantiles;
  readonly takeOvers: number;
  readonly takeOversInElection: number;
  readonly lostRaces: number;
  readonly playingAgainMs: Quantiles;
  /** How many of a lost node's matches each other node in its cluster takes. */
  readonly matchesTaken: { readonly mean: number; readonly max: number };
  readonly elections: number;
  readonly unconfirmedMatchSeconds: number;
  readonly handOvers: number;
  /** Hand-overs divided by the number of matches when the deploy begins. */
  readonly movesPerMatch: number;
  readonly handOverGapMs: Quantiles;
  /** All clusters together. */
  readonly messagesPerSecond: Readonly<
    Record<"beats" | "beatDeliveries" | "appends" | "asks" | "searchReads", number>
  >;
  readonly events: number;
}

/** @param options.onProgress called with ms of virtual time, 200 times */
export function simulate(
  setting: Setting,
  { seed, onProgress }: { seed: number; onProgress?: (nowMs: number) => void },
): ScaleReport {
  const world = new ScaledWorld(setting, seed);
  const { figures, nodes, queue } = world;
  new Players(world).start();
  startFailures(world, new TakeOvers(world));
  let matchesAtDeploy = 0;

  if (setting.deploys) {
    queue.at(queue.endMs / 2, () => {
      matchesAtDeploy = world.rooms.size;
      new RollingDeploy(world).start();
    });
  }

  const search = () => {
    for (const { nodes } of world.clusters) {
      figures.searchReads += nodes.length * nodes.reduce((sum, { rooms }) => sum + rooms.size, 0);
    }
    queue.after(SEARCH_MS, search);
  };
  queue.at(0, search);
  const sample = () => {
    for (const node of nodes) if (node.isUp) figures.loads.push(world.loadOf(node));
    for (const { players } of world.rooms.values()) {
      if (players.length > 0) figures.roomPlayers.push(players.length);
    }
    queue.after(SAMPLE_MS, sample);
  };
  queue.at(0, sample);
  queue.run(onProgress);
  return reportOf(world, matchesAtDeploy);
}

function reportOf(
  { clusters, figures, nodes, queue, rooms, setting }: ScaledWorld,
  matchesAtDeploy: number,
): ScaleReport {
  const seconds = queue.endMs / 1000;
  const played = [...rooms.values()].filter(({ players }) => players.length > 0);
  const { asks, beatDeliveries, beats, roomPlayers, searchReads, waits, refusals } = figures;
  const perSecond = (count: number) => Math.round(count / seconds);
  return {
    nodes: nodes.length,
    clusters: clusters.length,
    simulatedMinutes: setting.minutes,
    playersAtEnd: played.reduce((sum, { players }) => sum + players.length, 0),
    matchesAtEnd: played.length,
    timeToSeatMs: quantilesOf(figures.timesToSeatMs),
    waitShare: rounded(waits / Math.max(1, asks), 4),
    refusedShare: rounded(refusals / Math.max(1, asks), 4),
    gaveUp: figures.gaveUp,
    roundTripMs: {
      got: quantilesOf(figures.roundTripsMs),
      best: quantilesOf(figures.bestRoundTripsMs),
    },
    load: loadsOf(figures),
    rooms: {
      halfEmptyShare: rounded(
        meanOf(roomPlayers.map((count) => 2 * count < ASSUMPTIONS.seats.value ? 1 : 0)),
        3,
      ),
      playersMean: rounded(meanOf(roomPlayers), 1),
    },
    ...takeOversOf(figures),
    elections: figures.elections,
    unconfirmedMatchSeconds: Math.round(figures.unconfirmedMatchSeconds),
    handOvers: figures.handOvers,
    movesPerMatch: rounded(figures.handOvers / Math.max(1, matchesAtDeploy), 2),
    handOverGapMs: quantilesOf(figures.handOverGapsMs),
    messagesPerSecond: {
      beats: perSecond(beats),
      beatDeliveries: perSecond(beatDeliveries),
      appends: Math.round(played.length * 1000 / ASSUMPTIONS.tickMs.value),
      asks: perSecond(asks),
      searchReads: perSecond(searchReads),
    },
    events: queue.added,
  };
}

function loadsOf({ loads }: Figures): ScaleReport["load"] {
  const at = (share: number) => rounded(quantileOf(loads, share), 3);
  return { p5: at(0.05), p50: at(0.5), p95: at(0.95), max: at(1) };
}

function takeOversOf(
  { crashes, lostRaces, matchesTaken, playingAgainMs, takeOversInElection, takeOversMs }: Figures,
) {
  return {
    crashes,
    takeOverMs: quantilesOf(takeOversMs),
    takeOvers: takeOversMs.length,
    takeOversInElection,
    lostRaces,
    playingAgainMs: quantilesOf(playingAgainMs),
    matchesTaken: {
      mean: rounded(meanOf(matchesTaken), 2),
      max: matchesTaken.reduce((most, count) => Math.max(most, count), 0),
    },
  };
}
