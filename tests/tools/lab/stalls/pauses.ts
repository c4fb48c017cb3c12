/**
 * Pauses of a process that only its sockets notice: garbage collections, and other work on a busy
 * core. Half of them are short, because such pauses are the most frequent, and sometimes end just
 * after a tick was due.
 */
import { Random } from "../../../../shared/random.ts";
import type { Simulation } from "../../../../shared/netcode/game.ts";
import type { Lab } from "../lab.ts";

const PAUSE_MS_MIN = 20;
const SHORT_PAUSE_MS_MAX = 60;
const PAUSE_MS_MAX = 300;
/** From one pause's beginning to the next, ms, so that they begin at any time within a tick. */
const EVERY_MS_MIN = 350;
const EVERY_MS_MAX = 450;

/** One pause after another, for a while. */
export interface Pauses {
  /** For this long, ms. */
  readonly ms: number;
  /** 32 bits that determine the pauses. */
  readonly draw: number;
}

/** @returns when each pause begins, ms, and how long it lasts */
export function pausesOf({ ms, draw }: Pauses): { readonly atMs: number; readonly ms: number }[] {
  const random = new Random(draw);
  const between = (min: number, max: number) => min + random.below(max - min + 1);
  const pauses: { atMs: number; ms: number }[] = [];
  for (let atMs = 0; atMs < ms; atMs += between(EVERY_MS_MIN, EVERY_MS_MAX)) {
    pauses.push({
      atMs,
      ms: between(PAUSE_MS_MIN, random.chance(0.5) ? SHORT_PAUSE_MS_MAX : PAUSE_MS_MAX),
    });
  }
  return pauses;
}

/** Lets virtual time pass while the server pauses. @param onTick as for `Lab.run` */
export function runWithPauses<Command, Sim extends Simulation<Command>>(
  lab: Lab<Command, Sim>,
  pauses: Pauses,
  onTick?: () => void,
): void {
  const beganMs = lab.nowMs;
  const runTo = (ms: number) => lab.run(Math.max(0, beganMs + ms - lab.nowMs) / 1000, onTick);
  for (const { atMs, ms } of pausesOf(pauses)) {
    runTo(atMs);
    lab.stallServer(ms);
  }
  runTo(pauses.ms);
}
