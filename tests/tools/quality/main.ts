/**
 * The quality of physics: what bounces, stands, slides and holds, on the stage and on three other
 * engines side by side; and whether anything leaves a closed room of the stage's.
 *
 *     deno task bench quality [--heights] [--seconds] [--engines] [--rooms] [--seed] [--json]
 *     deno task bench quality --rates [--passes] [--json]
 *
 * `--rates` measures what the stage carries at each rate instead, and what a tick costs there.
 * But for these costs, nothing here depends on time or chance, so every run of one version has the same figures.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";
import { ENGINE_NAMES, type EngineName } from "../engines/scene.ts";
import { measureRates, ratesText } from "./rates/rates.ts";
import type { RoomsRequest, RoomsResult } from "./rooms_worker.ts";
import type { Quality, Request } from "./worker.ts";

/** Rooms that a worker runs at a time, and workers. */
const ROOMS_AT_A_TIME = 10;
const JOBS_MAX = 64;

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
    schema: z.string().transform((list) => list.split(",")).pipe(z.array(z.enum(ENGINE_NAMES)))
      .optional(),
    about: "the engines that are measured [all]",
    allowed: `some of ${ENGINE_NAMES.join(",")}`,
  },
  rooms: {
    schema: wholeNumber(1_000_000).default(500),
    about: "closed rooms of the stage that must hold random crowds [500]",
    allowed: "a whole number 0 to 1000000",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "the first room [1]",
    allowed: "a whole number",
  },
  rates: {
    schema: present(),
    about: "what each rate carries and costs, and nothing else",
    allowed: "",
    switch: true,
  },
  passes: {
    schema: wholeNumber(100, 1).default(5),
    about: "how often the costs of rates are timed [5]",
    allowed: "a whole number 1 to 100",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Asks a worker once, and waits for its answer. @param name for the error */
function ask<Request, Answer>(worker: Worker, name: string, request: Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault(); // otherwise it ends the process
    reject(new Error(`the worker of ${name} failed: ${event.message}`));
  };
  worker.postMessage(request);
  return promise;
}

/** Measures one engine in a worker. */
async function measure<Figures = Quality>(request: Request): Promise<Figures> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { type: "module" });
  try {
    return await ask(worker, request.engine, request);
  } finally {
    worker.terminate();
  }
}

/** What became of the closed rooms. */
interface RoomsReport {
  readonly tried: number;
  /** Rooms that a body has left. */
  readonly left: number;
}

/**
 * Runs rooms on all cores, and names the seeds of those that did not hold.
 * @param seed of the first room
 */
async function tryRooms(rooms: number, seed: number): Promise<RoomsReport> {
  const progress = new Progress(Math.max(1, rooms), "rooms");
  let next = 0;
  let done = 0;
  const left: number[] = [];
  const runJob = async (): Promise<void> => {
    const worker = new Worker(new URL("rooms_worker.ts", import.meta.url), { type: "module" });
    try {
      while (next < rooms) {
        const request = { from: seed + next, count: Math.min(ROOMS_AT_A_TIME, rooms - next) };
        next += request.count;
        left.push(...(await ask<RoomsRequest, RoomsResult>(worker, "rooms", request)).left);
        progress.show(done += request.count);
      }
    } finally {
      worker.terminate();
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(JOBS_MAX, navigator.hardwareConcurrency) }, runJob),
  );
  progress.end();
  for (const room of left.toSorted((a, b) => a - b)) {
    console.error(`room ${room}: left (--rooms 1 --seed ${room})`);
  }
  return { tried: rooms, left: left.length };
}

/** One line per figure, one column per engine. */
function tableOf(byEngine: ReadonlyMap<EngineName, Quality>): string {
  const rows = new Map<string, string[]>([["", [...byEngine.keys()]]]);
  for (const quality of byEngine.values()) {
    for (const [name, value] of Object.entries(flattened(quality))) {
      rows.set(name, [...rows.get(name) ?? [], value]);
    }
  }
  return [...rows].map(([name, values]) =>
    name.padEnd(32) + values.map((value) => value.padEnd(18)).join("")
  ).join(
    "\n",
  );
}

/** @returns the figures as text; an object within becomes a figure for each of its keys */
function flattened(figures: object): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(figures)) {
    if (name === "stands") continue;
    if (typeof value !== "object" || Array.isArray(value)) flat[name] = String(value);
    else {for (const [inner, text] of Object.entries(flattened(value))) {
        flat[`${name}.${inner}`] = text;
      }}
  }
  return flat;
}

async function run(
  { engines, heights, seconds, rooms, seed, rates, passes, json }: FlagValues<typeof FLAGS>,
): Promise<void> {
  if (rates) {
    const report = measureRates(passes);
    return console.log(json ? JSON.stringify(report) : ratesText(report));
  }

  const measured = await Promise.all((engines ?? ENGINE_NAMES).map(async (engine) => {
    const quality = await measure({ engine, heights, seconds });
    console.error(`${engine}: measured`);
    return [engine, quality] as const;
  }));
  const byEngine = new Map<EngineName, Quality>(measured);
  const stage = byEngine.get("stage");

  // planck's depth is the measure of the stage's, also if planck is not asked for.
  const planck = byEngine.get("planck") ??
    await measure<Pick<Quality, "sinking">>({
      engine: "planck",
      heights,
      seconds,
      onlySinking: true,
    });
  const held = stage && {
    sinking: { ...stage.sinking, planckWorstM: planck.sinking.worstM },
    rooms: await tryRooms(rooms, seed),
  };

  if (json) {
    const { stage: figures, ...others } = Object.fromEntries(byEngine);
    return console.log(JSON.stringify({ ...figures, ...held, others }));
  }
  console.log(tableOf(byEngine));
  if (held) {
    console.log(`closed rooms left`.padEnd(32) + `${held.rooms.left} of ${held.rooms.tried}`);
  }
}

if (import.meta.main) Deno.exit(await runTool("bench quality", { flags: FLAGS, run }));
