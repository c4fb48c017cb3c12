/**
 * The benchmarks: one command, twelve subjects.
 *
 *     physics   the exact stage, box2d-wasm and rapier, as ratios to stock planck; also crowds, what sleeps, snapshots
 *     match     whole matches on a real server
 *     workers   the same matches on one process and on several
 *     transport WebSocket beside WebTransport, for real bots over a bad line
 *     datagrams who is offered datagrams, what they gain, and what that costs the server
 *     page      the script time of the page's frames in a real browser
 *     wire      the bytes of messages
 *     replay    the replay page in a real browser: the bytes of a log, and how long a seek takes
 *     log       what the log of a match costs its tick, and its bytes
 *     stalls    commands that arrive while signals stop the process of a real server
 *     feel      what a person sees of seven others, in a real browser
 *     causes    how often the overlay names the true cause of a correction
 *
 *     deno task bench [physics] [--only] [--rounds] [--passes] [--json]
 *     deno task bench match [--game] [--rooms] [--seconds] [--json]
 *     deno task bench transport [--seconds] [--rounds] [--rtt-ms] [--jitter-ms] [--loss] [--seed] [--json]
 *     deno task bench datagrams [--rooms] [--seconds] [--seed] [--json]
 *     deno task bench workers [--workers] [--rooms] [--seconds] [--json]
 *     deno task bench page [--seconds] [--overlay] [--json]
 *     deno task bench wire [--seconds] [--json]
 *     deno task bench replay [--players] [--npcs] [--seconds] [--seeks] [--seed] [--json]
 *     deno task bench log [--matches] [--seconds] [--json]
 *     deno task bench stalls [--stalls] [--seed] [--json]
 *     deno task bench feel [--minutes] [--lines] [--input-delay] [--json]
 *     deno task bench causes [--seconds] [--corrections] [--seeds] [--cause] [--list] [--json]
 */
import {
  EXIT_UNUSABLE,
  type FlagTable,
  type FlagValues,
  parseFlags,
  usage,
  UsageError,
} from "../../../shared/flags.ts";
import { FLAGS as CAUSES_FLAGS, measureCauses } from "./causes/main.ts";
import { FLAGS as DATAGRAMS_FLAGS, measureDatagrams } from "./datagrams/main.ts";
import { feelTable, FLAGS as FEEL_FLAGS, measureFeel } from "./feel/main.ts";
import { FLAGS as LOG_FLAGS, measureLog } from "./log/main.ts";
import { FLAGS as MATCH_FLAGS, measureMatch } from "./match/main.ts";
import { FLAGS as PAGE_FLAGS, measurePage } from "./page/main.ts";
import { FLAGS as PHYSICS_FLAGS, measurePhysics, physicsText } from "./physics/main.ts";
import { FLAGS as REPLAY_FLAGS, measureReplay } from "./replay/main.ts";
import { FLAGS as STALLS_FLAGS, measureStalls } from "./stalls/main.ts";
import { FLAGS as TRANSPORT_FLAGS, measureTransport } from "./transport/main.ts";
import { FLAGS as WIRE_FLAGS, measureWire } from "./wire/main.ts";
import { FLAGS as WORKERS_FLAGS, measureWorkers } from "./workers/main.ts";

type Report = Readonly<Record<string, unknown>>;

/** One benchmark. Its flag table includes `json`. */
interface Bench<Table extends FlagTable, Measured extends Report = Report> {
  readonly flags: Table;
  measure(flags: FlagValues<Table>): Measured | Promise<Measured>;
  /** The report for people; a line for each of its keys if left out. */
  text?(report: Measured): string;
}

/** @returns the process's exit code */
async function run<Table extends FlagTable, Measured extends Report>(
  name: string,
  { args, bench }: { args: string[]; bench: Bench<Table, Measured> },
): Promise<number> {
  const flags = parseFlags(args, bench.flags);
  if (flags === "help") {
    console.log(usage(`deno task bench ${name}`, bench.flags));
    return 0;
  }
  const report = await bench.measure(flags);
  if (flags.json) console.log(JSON.stringify(report));
  else console.log((bench.text ?? textOf)(report));
  return 0;
}

function textOf(report: Report): string {
  return Object.entries(report).map(([key, value]) => `${key.padEnd(22)} ${JSON.stringify(value)}`)
    .join("\n");
}

/** The first argument names the benchmark. If it is a flag, the benchmark is `physics`. */
async function main([first = "physics", ...rest]: string[]): Promise<number> {
  try {
    if (first === "match") {
      return await run(first, { args: rest, bench: { flags: MATCH_FLAGS, measure: measureMatch } });
    }
    if (first === "workers") {
      return await run(first, {
        args: rest,
        bench: { flags: WORKERS_FLAGS, measure: measureWorkers },
      });
    }
    if (first === "transport") {
      return await run(first, {
        args: rest,
        bench: { flags: TRANSPORT_FLAGS, measure: measureTransport },
      });
    }
    if (first === "datagrams") {
      return await run(first, {
        args: rest,
        bench: { flags: DATAGRAMS_FLAGS, measure: measureDatagrams },
      });
    }
    if (first === "page") {
      return await run(first, { args: rest, bench: { flags: PAGE_FLAGS, measure: measurePage } });
    }
    if (first === "wire") {
      return await run(first, { args: rest, bench: { flags: WIRE_FLAGS, measure: measureWire } });
    }
    if (first === "replay") {
      return await run(first, {
        args: rest,
        bench: { flags: REPLAY_FLAGS, measure: measureReplay },
      });
    }
    if (first === "stalls") {
      return await run(first, {
        args: rest,
        bench: { flags: STALLS_FLAGS, measure: measureStalls },
      });
    }
    if (first === "log") {
      return await run(first, { args: rest, bench: { flags: LOG_FLAGS, measure: measureLog } });
    }
    if (first === "feel") {
      return await run(first, {
        args: rest,
        bench: { flags: FEEL_FLAGS, measure: measureFeel, text: feelTable },
      });
    }
    if (first === "causes") {
      return await run(first, {
        args: rest,
        bench: { flags: CAUSES_FLAGS, measure: measureCauses },
      });
    }
    const args = first === "physics" ? rest : [first, ...rest];
    return await run("physics", {
      args,
      bench: { flags: PHYSICS_FLAGS, measure: measurePhysics, text: physicsText },
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`bench: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
