/**
 * The quality of physics: what bounces, stands, slides and holds, on the stage and on three other engines side by side.
 *
 *     deno task quality [--heights] [--seconds] [--engines] [--json]
 *
 * Nothing here depends on time or chance, so every run of one version has the same figures.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../shared/flags.ts";
import { runTool } from "../support/tool.ts";
import { ENGINE_NAMES, type EngineName } from "../engines/scene.ts";
import type { Quality, Request } from "./worker.ts";

const FLAGS = {
  heights: {
    schema: wholeNumber(1000, 2).default(80),
    about: "drop heights of the bounces [80]",
    allowed: "a whole number 2 to 1000",
  },
  seconds: {
    schema: wholeNumber(3600, 2).default(60),
    about: "how long stacks stand and balls bounce [60]",
    allowed: "a whole number 2 to 3600",
  },
  engines: {
    schema: z.string().transform((list) => list.split(",")).pipe(z.array(z.enum(ENGINE_NAMES))).optional(),
    about: "the engines that are measured [all]",
    allowed: `some of ${ENGINE_NAMES.join(",")}`,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Measures one engine in a worker. */
async function measure(request: Request): Promise<Quality> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { type: "module" });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<Quality>();
    worker.onmessage = ({ data }: MessageEvent<Quality>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault(); // otherwise it ends the process
      reject(new Error(`the worker of ${request.engine} failed: ${event.message}`));
    };
    worker.postMessage(request);
    return await promise;
  } finally {
    worker.terminate();
  }
}

/** One line per figure, one column per engine. */
function tableOf(byEngine: ReadonlyMap<EngineName, Quality>): string {
  const rows = new Map<string, string[]>([["", [...byEngine.keys()]]]);
  for (const quality of byEngine.values()) {
    for (const [name, value] of Object.entries(flattened(quality))) rows.set(name, [...rows.get(name) ?? [], value]);
  }
  return [...rows].map(([name, values]) => name.padEnd(32) + values.map((value) => value.padEnd(18)).join("")).join(
    "\n",
  );
}

/** @returns the figures as text; an object within becomes a figure for each of its keys */
function flattened(figures: object): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(figures)) {
    if (name === "stands") continue;
    if (typeof value !== "object" || Array.isArray(value)) flat[name] = String(value);
    else for (const [inner, text] of Object.entries(flattened(value))) flat[`${name}.${inner}`] = text;
  }
  return flat;
}

async function run({ engines, heights, seconds, json }: FlagValues<typeof FLAGS>): Promise<void> {
  const measured = await Promise.all((engines ?? ENGINE_NAMES).map(async (engine) => {
    const quality = await measure({ engine, heights, seconds });
    console.error(`${engine}: measured`);
    return [engine, quality] as const;
  }));
  const byEngine = new Map(measured);
  if (!json) return console.log(tableOf(byEngine));
  const { stage, ...others } = Object.fromEntries(byEngine);
  console.log(JSON.stringify({ ...stage, others }));
}

if (import.meta.main) Deno.exit(await runTool("quality", { flags: FLAGS, run }));
