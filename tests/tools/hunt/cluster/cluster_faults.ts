/** The hunted cluster's faults, by their names in a schedule. */
import { pausesOf } from "../../lab/stalls/pauses.ts";
import type { DrawnKind, Fault } from "../schedule.ts";

/** What faults can reach of the cluster. */
export interface FaultyCluster {
  /**
   * Kills a node; another one starts in its place.
   * @param which 0: the match's owner; otherwise any node
   * @param ms until then
   */
  kill(which: number, ms: number): void;
  pause(which: number, ms: number): void;
  /**
   * Lets other work take the processors: every node stalls again and again, and the servers' disks
   * are slow.
   */
  busy(ms: number, draw: number): void;
  later(ms: number, act: () => void): void;
  /** Partitions a node from the servers. */
  partitioned(which: number, ms: number): void;
  /** A node's requests arrive, but it gets no answers. */
  loseAnswers(which: number, ms: number): void;
  /** Makes the servers' answers late by up to this much. */
  slowLog(ms: number, lateMs: number): void;
  noLeader(ms: number): void;
  /** Asks all other nodes at the same moment to take the match. */
  askAllToTake(): void;
  /** Stops the owner as an operator does; another node starts in its place. */
  stop(ms: number): void;
  partitionedPlayer(who: number): void;
  /** Makes all players close their pages, which ends the match, and come again at once. */
  leaveAll(): void;
  /** Makes the match's next trials take too long, wherever they run. */
  hangTrials(times: number): void;
}

interface ClusterFaultKind {
  readonly weight: number;
  begin(cluster: FaultyCluster, fault: Fault): void;
}

/** A node that is paused for longer is as good as dead, ms. */
const PAUSE_MS_MAX = 5_000;
/**
 * How many trials hang for a match that always hangs, and for one that hangs once and goes on at
 * the second attempt.
 */
const HANGS_ALWAYS = 6;
const HANGS_ONCE = 1;
const LATE_MS_MIN = 50;
const LATE_MS_RANGE = 500;

const CLUSTER_FAULTS: Readonly<Record<string, ClusterFaultKind>> = {
  "node crash": { weight: 2, begin: (cluster, { ms, draw }) => cluster.kill(draw % 3, ms) },
  "node pause": {
    weight: 2,
    begin: (cluster, { ms, draw }) => cluster.pause(draw % 3, Math.min(ms, PAUSE_MS_MAX)),
  },
  "busy machine": { weight: 1, begin: (cluster, { ms, draw }) => cluster.busy(ms, draw) },
  "short pauses of a node": {
    weight: 1,
    begin(cluster, fault) {
      for (const { atMs, ms } of pausesOf(fault)) {
        cluster.later(atMs, () => cluster.pause(fault.draw % 2, ms));
      }
    },
  },
  "partition": { weight: 2, begin: (cluster, { ms, draw }) => cluster.partitioned(draw % 3, ms) },
  "lost acknowledgement": {
    weight: 2,
    begin: (cluster, { ms, draw }) => cluster.loseAnswers(draw % 2, ms),
  },
  "slow log": {
    weight: 1,
    begin: (cluster, { ms, draw }) => cluster.slowLog(ms, LATE_MS_MIN + draw % LATE_MS_RANGE),
  },
  "no leader": { weight: 1, begin: (cluster, { ms }) => cluster.noLeader(ms) },
  "two takers": { weight: 1, begin: (cluster) => cluster.askAllToTake() },
  "two takers of a paused node": {
    weight: 1,
    begin(cluster, { ms }) {
      cluster.pause(0, Math.min(ms, PAUSE_MS_MAX));
      cluster.askAllToTake();
    },
  },
  "node stop": { weight: 1, begin: (cluster, { ms }) => cluster.stop(ms) },
  "all players leave": {
    weight: 1,
    begin(cluster, { ms, draw }) {
      cluster.slowLog(ms, LATE_MS_MIN + draw % LATE_MS_RANGE);
      cluster.leaveAll();
    },
  },
  "trial that hangs": {
    weight: 1,
    begin(cluster, { ms, draw }) {
      cluster.hangTrials(draw % 2 === 0 ? HANGS_ALWAYS : HANGS_ONCE);
      cluster.kill(0, ms);
    },
  },
  "cut line of a player": {
    weight: 1,
    begin: (cluster, { who }) => cluster.partitionedPlayer(who),
  },
};

/** The kinds, as a schedule draws them. */
export const CLUSTER_KINDS: readonly DrawnKind[] = Object.entries(CLUSTER_FAULTS).map((
  [kind, { weight }],
) => (
  { kind, weight }
));

/** @throws RangeError for an unknown kind */
export function beginClusterFault(cluster: FaultyCluster, fault: Fault): void {
  const kind = CLUSTER_FAULTS[fault.kind];
  if (kind === undefined) throw new RangeError(`no kind of fault is called ${fault.kind}`);
  kind.begin(cluster, fault);
}
