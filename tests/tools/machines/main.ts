/**
 * Three machines as network namespaces, each with a nats-server, a gateway and two match processes.
 * A page in Chromium plays while the process that has its match is killed, and then the whole
 * machine.
 *
 *     deno task chaos machines [--shots] [--untimed] [--json]
 */
import * as z from "zod";
import type { FlagValues } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { FLAGS as CRASH_FLAGS } from "../crash/main.ts";
import { faultsOf, runMachines } from "./run_machines.ts";

const { untimed, json } = CRASH_FLAGS;

export const FLAGS = {
  shots: {
    schema: z.string().min(1).optional(),
    about: "a folder for pictures of the page and of the operators' page at each step [none]",
    allowed: "a path",
  },
  untimed,
  json,
} as const;

/** @returns 0 if the page played on in its seat, else 1 */
async function machines({ shots, untimed, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const report = await runMachines({ shots, log: (line) => console.error(line) });
  const faults = faultsOf(report, { isTimed: !untimed });
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (json) console.log(JSON.stringify({ ...report, faults }));
  else console.log(`${report.kills.length} kills, ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos machines", { flags: FLAGS, run: machines }));
