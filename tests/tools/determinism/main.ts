/**
 * Checks that all engines on this machine compute the same bits. Deno, Node, Chromium, Firefox,
 * JavaScriptCore and Deno for arm64 run the same ticks, and continue from the same handed-over state. Deno runs the sources, and then
 * a bundle as the server's. With `--table` it runs the full scene of `/same-bits` instead, and
 * writes that page's table.
 *
 *     deno task prove determinism [--game] [--ticks] [--engines] [--seed] [--table] [--json]
 */
import * as z from "zod";
import {
  EXIT_UNUSABLE,
  type FlagValues,
  parseFlags,
  present,
  usage,
  UsageError,
  wholeNumber,
} from "../../../shared/flags.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { formatDifference } from "../../shared/physics/scenes/difference.ts";
import { compareEngines, type Comparison } from "./compare.ts";
import type { Engine, EngineName } from "./engine.ts";
import { ENGINES, type EngineSource } from "./engines.ts";
import { browsersAreRequired } from "../../browser/places.ts";
import type { Reply, Request } from "./runner.ts";
import { formatTable, writeTable } from "./table.ts";

const GAME_NAMES = Object.keys(GAMES);
const NAMES = ENGINES.map(({ name }) => name);
/** The exit code of shells for a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

const FLAGS = {
  ticks: {
    schema: wholeNumber(100_000, 2).default(2000),
    about: "ticks of each run [2000]",
    allowed: "a whole number 2 to 100000",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "seed of the stage's scene [1]",
    allowed: "a whole number",
  },
  game: {
    schema: z.enum(GAME_NAMES).optional(),
    about: "run this game alone [the stage's scene and all games]",
    allowed: GAME_NAMES.join(" or "),
  },
  engines: {
    schema: z.string().transform((list) => list.split(",")).pipe(z.array(z.enum(NAMES))).optional(),
    about: "the engines that are compared with Deno [all installed]",
    allowed: `some of ${NAMES.join(",")}`,
  },
  table: {
    schema: present(),
    about:
      "instead write the table of the page /same-bits; engines that are missing keep their row",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/**
 * The installed engines, Deno first. @param requested undefined for all that are installed
 * @throws UsageError if an engine is missing that was requested, or any with
 *   `WYVERN_BROWSER=required`, or if there is only Deno
 */
async function sourcesFor(requested: readonly EngineName[] | undefined): Promise<EngineSource[]> {
  const sources: EngineSource[] = [];
  for (const source of ENGINES) {
    if (requested !== undefined && source.name !== "deno" && !requested.includes(source.name)) {
      continue;
    }
    const reason = await source.missingReason();
    if (reason === undefined) sources.push(source);
    else if (requested === undefined && !browsersAreRequired()) {
      console.error(`${source.name}: left out, ${reason}`);
    } else throw new UsageError(`no ${source.name} here: ${reason}`);
  }
  if (sources.length < 2) {
    throw new UsageError("only Deno itself is left: there is nothing to compare it with");
  }
  return sources;
}

async function compare(
  { ticks, seed, game, engines: requested }: FlagValues<typeof FLAGS>,
): Promise<Comparison> {
  const withStage = game === undefined;
  const games = withStage ? GAME_NAMES : [game];
  const engines: Engine[] = [];
  let closed: Promise<unknown> | undefined;
  // Closes once. Every later caller waits for the same promise.
  const closeAll = () => closed ??= Promise.all(engines.map((engine) => engine.close()));
  Deno.addSignalListener("SIGINT", () => closeAll().finally(() => Deno.exit(EXIT_INTERRUPTED)));
  try {
    for (const source of await sourcesFor(requested)) {
      console.error(`${source.name}: starting`);
      engines.push(await source.start());
    }
    return await compareEngines(engines.map(withProgress), { ticks, seed, games, withStage });
  } finally {
    await closeAll();
  }
}

/** Logs each run and its time on stderr. */
function withProgress(engine: Engine): Engine {
  return {
    ...engine,
    async run<Asked extends Request>(request: Asked): Promise<Reply<Asked>> {
      const startMs = performance.now();
      const reply = await engine.run(request);
      const tookMs = Math.round(performance.now() - startMs);
      console.error(
        `${engine.name}: ${request.ticks} ticks of ${subjectOf(request)} in ${tookMs} ms`,
      );
      return reply;
    },
  };
}

function subjectOf(request: Request): string {
  if ("library" in request) return `the full scene on ${request.library}`;
  const from = request.state === undefined ? "" : `, handed over at tick ${request.state[0]}`;
  return request.scene + from;
}

function printComparison({ ticks, engines, equal, firstDifference }: Comparison): void {
  for (const [name, hash] of Object.entries(engines)) console.log(name.padEnd(10), hash);
  if (equal) console.log(`The same bits in all ${ticks} ticks of each run.`);
  else {console.log(
      `${firstDifference!.engine} differs: ${firstDifference!.run}, ${
        formatDifference(firstDifference!)
      }`,
    );}
}

/**
 * @returns the process's exit code: 0 if all are equal, 1 for a difference or a failed engine, 2
 *   for unusable flags
 */
async function main(args: string[]): Promise<number> {
  try {
    const flags = parseFlags(args, FLAGS);
    if (flags === "help") {
      console.log(usage("deno task prove determinism", FLAGS));
      return 0;
    }
    if (flags.table) {
      const table = await writeTable(await sourcesFor(flags.engines), withProgress);
      console.log(flags.json ? JSON.stringify(table) : formatTable(table));
      return 0;
    }
    const comparison = await compare(flags);
    if (flags.json) console.log(JSON.stringify(comparison));
    else printComparison(comparison);
    return comparison.equal ? 0 : 1;
  } catch (error) {
    console.error(`prove determinism: ${error instanceof Error ? error.message : error}`);
    return error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
