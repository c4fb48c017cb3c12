/**
 * What each turn of an author's loop calls in a page (`client/build/guard_loops.ts`). A loop without
 * an end throws after a time, with a stack that names its line, instead of hanging the tab:
 *
 *     busy += min( now − look, 0.1 s )     a task's loops, looked at every 256 turns
 *
 * Only a page in which people play has the bound. A replay steps a whole match in one task.
 */

/** Between two looks at the clock. */
const TURNS_PER_LOOK = 256;
/** The most time that counts between two looks, ms: a debugger may have stopped the page. */
const LOOK_MS_MAX = 100;

const loops = {
  turns: 0,
  /** When the present task's loops were looked at, ms; undefined before the first look. */
  lookMs: undefined as number | undefined,
  busyMs: 0,
  busyMsMax: Infinity,
};

/** A loop of the game's rules or view did not end. The same tick would meet it again. */
export class EndlessLoop extends Error {
  override readonly name = "EndlessLoop";
}

/** Bounds how long the loops of each task may run, ms. */
export function boundLoops(busyMsMax: number): void {
  loops.busyMsMax = busyMsMax;
}

/** @throws EndlessLoop if this task's loops have been running for too long */
export function loopTurn(): void {
  if (++loops.turns % TURNS_PER_LOOK === 0) look();
}

function look(): void {
  const nowMs = performance.now();

  // A microtask runs when the task is over, so that the next one begins anew.
  if (loops.lookMs === undefined) queueMicrotask(beginAnew);
  else loops.busyMs += Math.min(LOOK_MS_MAX, nowMs - loops.lookMs);
  loops.lookMs = nowMs;
  if (loops.busyMs <= loops.busyMsMax) return;
  loops.busyMs = 0;
  throw new EndlessLoop(`a loop has not ended after ${loops.busyMsMax / 1000} s`);
}

function beginAnew(): void {
  loops.lookMs = undefined;
  loops.busyMs = 0;
}
