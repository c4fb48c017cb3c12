/**
 * Loads, stalls, restarts and churns a real server, and looks at the players inside.
 *
 *     admission   rooms and players come until the server admits nobody more (SPEC 14.12)
 *     stall       the server is stopped for 1, 3, 13 and 35 s (SPEC 14.13)
 *     restart     200 players of one address come back after a restart
 *     churn       clients come and go for minutes; memory, descriptors and log keep their bounds
 *
 *     deno task soak server [--only] [--minutes] [--transport] [--arrivals] [--seed] [--json]
 *
 * Linux only: it reads `/proc`, stops processes, and uses all addresses of 127.0.0.0/8.
 */
import * as z from "zod";
import { type FlagValues, present, someOf, wholeNumber } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import { admissionFaults, type AdmissionFigures, soakAdmission } from "./server/admission.ts";
import { churnFaults, type ChurnFigures, soakChurn } from "./server/churn.ts";
import { restartFaults, type RestartFigures, soakRestart } from "./server/restart.ts";
import { soakStalls, stallFaults, type StallFigures } from "./server/stall.ts";

const PARTS = ["admission", "stall", "restart", "churn"] as const;

export const FLAGS = {
  only: {
    schema: someOf(PARTS).default([...PARTS]),
    about: "which parts, with commas between [all]",
    allowed: `all, or some of ${PARTS.join(", ")}`,
  },
  minutes: {
    schema: wholeNumber(1_440, 1).default(15),
    about: "minutes of churn [15]",
    allowed: "a whole number 1 to 1440",
  },
  transport: {
    schema: z.enum(["websocket", "webtransport"]).default("websocket"),
    about: "what carries the messages of churn [websocket]",
    allowed: "websocket or webtransport",
  },
  arrivals: {
    schema: wholeNumber(50, 1).default(10),
    about: "clients of churn that come in a second, and two fifths as many from others [10]",
    allowed: "a whole number 1 to 50",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).default(1),
    about: "what the clients and the rooms do by chance [1]",
    allowed: "a whole number 0 to 4294967295",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The object that `--json` prints. A part that was not asked for is left out. */
interface Report {
  admission?: AdmissionFigures;
  stall?: StallFigures[];
  restart?: RestartFigures;
  churn?: ChurnFigures;
  /** The names of the parts that missed a bar. */
  readonly failed: string[];
}

/** @returns 0 if every part met its bars, else 1 */
async function soakServer(
  { only, minutes, transport, arrivals, seed, json }: FlagValues<typeof FLAGS>,
): Promise<number> {
  const report: Report = { failed: [] };
  const log = (line: string) => console.error(line);
  const judge = (part: string, faults: readonly string[]) => {
    for (const fault of faults) log(`Wrong: ${part}: ${fault}`);
    if (faults.length > 0) report.failed.push(part);
  };
  if (only.includes("admission")) {
    judge("admission", admissionFaults(report.admission = await soakAdmission({ seed, log })));
  }
  if (only.includes("stall")) {
    judge("stall", stallFaults(report.stall = await soakStalls({ seed, log })));
  }
  if (only.includes("restart")) {
    judge("restart", restartFaults(report.restart = await soakRestart({ seed, log })));
  }
  if (only.includes("churn")) {
    const options = { seed, minutes, transport, arrivalsPerSecond: arrivals, log };
    judge("churn", churnFaults(report.churn = await soakChurn(options)));
  }
  if (json) console.log(JSON.stringify(report));
  else {for (const [key, value] of Object.entries(report)) {
      console.log(key.padEnd(10), JSON.stringify(value));
    }}
  return report.failed.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("soak server", { flags: FLAGS, run: soakServer }));
