/**
 * Measures how many bytes a stage step allocates. A child process runs with a young generation so
 * large that no collection happens meanwhile, so its heap grows by exactly the bytes allocated.
 */
import { medianOf } from "../median.ts";
import { StageScene } from "../../../../client/same_bits/stage_scene.ts";

/** The size of each half of the young generation, MB. A block of steps allocates a tenth of it. */
const SEMI_SPACE_MB = 128;
/** By then the compiler is done and allocates nothing more. */
const WARM_UP_STEPS = 2000;
const BLOCKS = 15;
/**
 * How many blocks are tried at most. On a busy machine a collection that began before a block can
 * end in it.
 */
const TRIES_MAX = 45;
const STEPS_PER_BLOCK = 50;

/**
 * Runs this file in a child process.
 * @returns bytes per step of the full scene, with `endTick`, without `save`
 */
export async function measureBytesPerStep(): Promise<number> {
  const v8Flags = [
    "--expose-gc",
    `--min-semi-space-size=${SEMI_SPACE_MB}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
  ];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", `--v8-flags=${v8Flags.join(",")}`, import.meta.url],
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`the process that measures garbage ended with code ${code}`);
  return Number(new TextDecoder().decode(stdout));
}

/**
 * The median over blocks, each preceded by a collection. A block during which the heap was
 * collected does not count.
 * @throws Error if too few blocks count
 */
function bytesPerStep(collect: () => void): number {
  const scene = new StageScene();
  const perStep: number[] = [];
  for (let i = 0; i < WARM_UP_STEPS; i++) scene.step();
  for (let block = 0; perStep.length < BLOCKS; block++) {
    if (block === TRIES_MAX) {
      throw new Error("the heap was collected in the middle of most measurements");
    }
    collect();
    const begun = Deno.memoryUsage().heapUsed;
    for (let i = 0; i < STEPS_PER_BLOCK; i++) scene.step();
    const grown = Deno.memoryUsage().heapUsed - begun;
    if (grown >= 0) perStep.push(grown / STEPS_PER_BLOCK);
  }
  return Math.round(medianOf(perStep));
}

if (import.meta.main) console.log(bytesPerStep((globalThis as unknown as { gc: () => void }).gc));
