/**
 * Three nats-servers, three nodes and eight bots on lines of 160 ms: kills, pauses, races, cuts and
 * a rolling restart. No confirmed tick may be lost or changed.
 *
 *     deno task chaos cluster [--kills] [--workers] [--authority] [--seed] [--untimed] [--busy] [--only] [--json]
 */
import { type FlagValues, present, someOf, wholeNumber } from "../../../shared/flags.ts";
import { FLAGS as CRASH_FLAGS } from "../crash/main.ts";
import { BusyMachine } from "../../support/busy/busy_machine.ts";
import { runTool } from "../../support/tool.ts";
import { type ClusterReport, delaysOf, faultsOf, PARTS, runCluster } from "./run_cluster.ts";

const { authority, seed, untimed, json } = CRASH_FLAGS;

const FLAGS = {
  authority,
  seed,
  untimed,
  json,
  kills: {
    schema: wholeNumber(1_000, 1).default(20),
    about: "how often the owner of the match is killed; of pauses there are half as many [20]",
    allowed: "a whole number 1 to 1000",
  },
  workers: {
    schema: wholeNumber(16, 1).default(1),
    about:
      "match processes of each node; with several, processes and whole machines are also killed in turn [1]",
    allowed: "a whole number 1 to 16",
  },
  busy: {
    schema: present(),
    about: "ten loops take every processor for 3 s of every 4: times are not judged then",
    allowed: "",
    switch: true,
  },
  only: {
    schema: someOf(PARTS).default([...PARTS]),
    about: "only these faults [all]",
    allowed: `some of ${PARTS.join(",")}, or all`,
  },
} as const;

/** @returns 0 if nothing was lost or changed, and all were back in time, else 1 */
async function cluster(
  { kills, seed, only, authority, workers, untimed, busy, json }: FlagValues<typeof FLAGS>,
): Promise<number> {
  await using _busyMachine = busy ? BusyMachine.start() : undefined;
  const log = (line: string) => console.error(line);
  const report = await runCluster({ kills, seed, only, authority, workers, log });
  const faults = [...faultsOf(report), ...untimed || busy ? [] : delaysOf(report)];
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  console.log(JSON.stringify(printed(report), undefined, json ? 0 : 2));
  return faults.length === 0 ? 0 : 1;
}

/** The report under the keys that others read. */
function printed({ partition, ...report }: ClusterReport): Record<string, unknown> {
  if (partition === undefined) return report;
  const { discardedTicks, ...cut } = partition;
  return { ...report, partition: { ["toldVoid"]: discardedTicks, ...cut } };
}

if (import.meta.main) Deno.exit(await runTool("chaos cluster", { flags: FLAGS, run: cluster }));
