/**
 * What each turn of an author's loop calls in a page of `deno task dev` (`guard_loops.ts`). A loop
 * without an end throws after a second, with a stack that names its line, instead of hanging the
 * tab:
 *
 *     busy += min( now − look, 0.1 s )     a task's loops, looked at every 256 turns
 */

/** Between two looks at the clock. */
const TURNS_PER_LOOK = 256;
/** How long the loops of one task may run, ms. */
const BUSY_MS_MAX = 1_000;
/** The most time that counts between two looks, ms: a debugger may have stopped the page. */
const LOOK_MS_MAX = 100;

const loops = {
  turns: 0,
  /** When the present task's loops were looked at, ms; undefined before the first look. */
  lookMs: undefined as number | undefined,
  busyMs: 0,
};

/** @throws Error if this task's loops have been running for too long */
export function loopTurn(): void {
  if (++loops.turns % TURNS_PER_LOOK !== 0) return;
  const nowMs = performance.now();

  // A microtask runs when the task is over, so that the next one begins anew.
  if (loops.lookMs === undefined) queueMicrotask(beginAnew);
  else loops.busyMs += Math.min(LOOK_MS_MAX, nowMs - loops.lookMs);
  loops.lookMs = nowMs;
  if (loops.busyMs <= BUSY_MS_MAX) return;
  loops.busyMs = 0;
  throw new Error(`a loop has not ended after ${BUSY_MS_MAX / 1000} s`);
}

function beginAnew(): void {
  loops.lookMs = undefined;
  loops.busyMs = 0;
}
