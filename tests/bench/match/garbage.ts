/**
 * How many bytes a step of the stage allocates. Measured in a process of its own, whose young generation is so large that nothing is
 * collected meanwhile: then the heap grows by exactly what was allocated.
 */
import { medianOf } from "../median.ts";
import { StageScene } from "../physics/stage_scene.ts";

/** MB for each half of the young generation; a block of steps needs a tenth of one. */
const SEMI_SPACE_MB = 128;
/** Until the compiler is done and has nothing to allocate any more. */
const WARM_UP_STEPS = 2000;
const BLOCKS = 15;
const STEPS_PER_BLOCK = 50;

/** Runs this file's measurement in its own process. @returns bytes per full-scene step, close included, save not */
export async function measureBytesPerStep(): Promise<number> {
  const v8Flags = ["--expose-gc", `--min-semi-space-size=${SEMI_SPACE_MB}`, `--max-semi-space-size=${SEMI_SPACE_MB}`];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", `--v8-flags=${v8Flags.join(",")}`, import.meta.url],
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`the process that measures garbage ended with code ${code}`);
  return Number(new TextDecoder().decode(stdout));
}

/** The median of several blocks, each begun with a clean heap. @throws Error where the heap shrank: something was collected */
function bytesPerStep(collect: () => void): number {
  const scene = new StageScene(), perStep: number[] = [];
  for (let i = 0; i < WARM_UP_STEPS; i++) scene.step();
  for (let block = 0; block < BLOCKS; block++) {
    collect();
    const begun = Deno.memoryUsage().heapUsed;
    for (let i = 0; i < STEPS_PER_BLOCK; i++) scene.step();
    const grown = Deno.memoryUsage().heapUsed - begun;
    if (grown < 0) throw new Error("the heap was collected in the middle of a measurement");
    perStep.push(grown / STEPS_PER_BLOCK);
  }
  return Math.round(medianOf(perStep));
}

if (import.meta.main) console.log(bytesPerStep((globalThis as unknown as { gc: () => void }).gc));
