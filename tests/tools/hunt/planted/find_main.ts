/**
 * Hunts in the sources that this file belongs to, the project's or a copy's, until a rule is
 * broken, and shrinks the schedule.
 *
 *     deno run --allow-read find_main.ts SECONDS HOST
 *
 * HOST is a `HuntedHost`. The last line is a JSON object with what was found, or null.
 */
import { HUNTED_HOSTS } from "../play_seed.ts";
import { shrinkSchedule } from "../run_schedule.ts";
import { type HuntedHost, ROUND_SECONDS } from "../schedule.ts";

/** One in this many seeds plays dragons, because some mistakes show in one game only. */
const DRAGONS_EVERY = 3;
/** Short matches, because what is broken shows soon, and then shrinks sooner. */
const SECONDS = 2 * ROUND_SECONDS;
/**
 * How long a schedule is shrunk, ms. If more faults than this remain, another seed may need fewer.
 */
const SHRINK_MS_MAX = 60_000;
const FEW_FAULTS = 3;
/** How long other seeds are tried after the first find, ms. */
const OTHERS_MS_MAX = 120_000;

/** The result of a hunt. */
export interface Found {
  readonly invariant: string;
  readonly seed: number;
  /** How many faults the shortest schedule has that breaks the rule. */
  readonly faults: number;
  /** Until it was found, and until it was shrunk, ms. */
  readonly foundMs: number;
  readonly shrunkMs: number;
}

async function find(msMax: number, host: HuntedHost): Promise<Found | null> {
  const { run, newSchedule } = HUNTED_HOSTS[host];
  const beganMs = performance.now();
  const passedMs = () => Math.round(performance.now() - beganMs);
  let best: Found | null = null;
  const goesOnUntil = () => best === null ? msMax : best.foundMs + OTHERS_MS_MAX;

  for (
    let seed = 1;
    passedMs() < goesOnUntil() && (best === null || best.faults > FEW_FAULTS);
    seed++
  ) {
    const game = seed % DRAGONS_EVERY === 0 ? "dragons" : "counter";
    const schedule = newSchedule(seed, { seconds: SECONDS, game });
    const { breach } = await run(schedule);
    if (breach === undefined) continue;
    const seenMs = passedMs();
    const endMs = Math.min(seenMs + SHRINK_MS_MAX, best === null ? Infinity : goesOnUntil());
    const { faults: { length } } = await shrinkSchedule(schedule, breach, {
      run,
      goesOn: () => passedMs() < endMs,
    });
    if (best !== null && best.faults <= length) continue;
    const foundMs: number = best?.foundMs ?? seenMs;
    best = { invariant: breach.invariant, seed, faults: length, foundMs, shrunkMs: passedMs() };
  }

  return best;
}

const [seconds, host] = Deno.args;
console.log(JSON.stringify(await find(Number(seconds) * 1000, host as HuntedHost)));
