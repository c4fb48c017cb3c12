/**
 * A cluster that grows and shrinks with its players: bots double, and docs/deploy/scale_local.sh
 * starts a second machine; half of them leave, and it is drained.
 *
 *     deno task chaos demand [--json]
 */
import type { FlagValues } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { FLAGS as CRASH_FLAGS } from "../crash/main.ts";
import { faultsOf, runDemand } from "./run_demand.ts";

export const FLAGS = { json: CRASH_FLAGS.json } as const;

/** @returns 0 if a machine came and went, and nobody lost their seat, else 1 */
async function demand({ json }: FlagValues<typeof FLAGS>): Promise<number> {
  const report = await runDemand((line) => console.error(line));
  const faults = faultsOf(report);
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (json) console.log(JSON.stringify({ ...report, faults }));
  else console.log(`${report.asked.map(({ what }) => what).join(", ")}: ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos demand", { flags: FLAGS, run: demand }));
