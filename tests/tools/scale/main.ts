/**
 * Simulates many nodes: places for players, crashes, lost log servers, a deploy, and the messages
 * that all this takes. It follows the server's rules (`server/nodes`). docs/scale.md lists the
 * assumptions.
 *
 *     deno task bench scale [--nodes] [--cluster-nodes] [--minutes] [--players] [--crashes-per-hour] [--log-crashes-per-hour]
 *                     [--seed] [--json]
 */
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { NODES_MAX } from "../../../server/bus/missed_heartbeats.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";
import { WORLD_REGIONS } from "./regions.ts";
import type { Setting } from "./setting.ts";
import { type ScaleReport, simulate } from "./simulate.ts";
import { killThreeNodes } from "./three_nodes.ts";

const KILLS = 20;
/** Added to the seed to give the first kill's, while the world draws from the seed itself. */
const KILL_SEED = 1000;

export const FLAGS = {
  nodes: {
    schema: wholeNumber(1000, 8).default(1000),
    about: "nodes in all regions [1000]",
    allowed: "a whole number 8 to 1000",
  },
  "cluster-nodes": {
    schema: wholeNumber(NODES_MAX, 2).default(NODES_MAX),
    about: `nodes that hear each other and share a log [${NODES_MAX}]`,
    allowed: `a whole number 2 to ${NODES_MAX}`,
  },
  minutes: {
    schema: wholeNumber(60, 1).default(10),
    about: "simulated minutes [10]",
    allowed: "a whole number 1 to 60",
  },
  players: {
    schema: wholeNumber(1000, 1).default(500),
    about: "players per node in the mean [500]",
    allowed: "a whole number 1 to 1000",
  },
  "crashes-per-hour": {
    schema: wholeNumber(60).default(1),
    about: "crashes of a node an hour, far more than real ones have [1]",
    allowed: "a whole number 0 to 60",
  },
  "log-crashes-per-hour": {
    schema: wholeNumber(60).default(1),
    about: "crashes of a server of the log an hour [1]",
    allowed: "a whole number 0 to 60",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "the seed of all chance [1]",
    allowed: "a whole number",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

function run(flags: FlagValues<typeof FLAGS>): void {
  const beganMs = performance.now();
  const { minutes, seed, json } = flags;
  const progress = new Progress(minutes * 60, "simulated seconds");
  const setting: Setting = {
    regions: WORLD_REGIONS,
    nodes: flags.nodes,
    clusterNodes: flags["cluster-nodes"],
    minutes,
    playersPerNode: flags.players,
    crashesPerHour: flags["crashes-per-hour"],
    logCrashesPerHour: flags["log-crashes-per-hour"],
    deploys: true,
  };
  const scale: ScaleReport = simulate(setting, {
    seed,
    onProgress: (nowMs) => progress.show(nowMs / 1000),
  });
  progress.end();
  const threeNodes = killThreeNodes({ kills: KILLS, seed: seed + KILL_SEED });
  const report = {
    ...scale,
    threeNodes,
    seed,
    seconds: Number(((performance.now() - beganMs) / 1000).toFixed(1)),
  };
  if (json) console.log(JSON.stringify(report));
  else {for (const [key, value] of Object.entries(report)) {
      console.log(key.padEnd(24), JSON.stringify(value));
    }}
}

if (import.meta.main) Deno.exit(await runTool("bench scale", { flags: FLAGS, run }));
