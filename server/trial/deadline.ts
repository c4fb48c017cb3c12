/**
 * Runs synchronous work under a deadline. V8 itself ends the work wherever it stands, so an endless
 * loop ends in the same way as a step that is only slow. Some loops V8 cannot end
 * (`trial_threads.ts`). Nor can anything outside their Worker: in Deno 2.9.6 `terminate` leaves its
 * thread running, at the cost of a core.
 *
 * Whatever was ended halfway must not be used any more. Each call costs about 50 µs.
 */
import { Script } from "node:vm";
import type { Tick } from "../../shared/netcode/game.ts";
import { LogError } from "../../shared/netcode/match_log/records.ts";

const WORK = Symbol.for("wyvern.workWithDeadline");
const CALL = new Script(`globalThis[Symbol.for("wyvern.workWithDeadline")]()`);
const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/**
 * Reports that a log, or a match that continues it, took too long, because it hangs or this machine
 * is too slow.
 */
export class DeadlineError extends LogError {
  readonly tick: Tick;

  constructor(tick: Tick, message: string) {
    super(message);
    this.tick = tick;
  }
}

/**
 * Does some work under a deadline.
 * @param ms by the real clock, at least 1
 * @returns what `work` returns
 * @throws the error from `newError` if `work` takes longer, and whatever `work` throws
 */
export function withDeadline<Result>(
  ms: number,
  work: () => Result,
  newError: () => DeadlineError,
): Result {
  const scope = globalThis as { [WORK]?: () => unknown };
  scope[WORK] = work;
  try {
    return CALL.runInThisContext({ timeout: Math.max(1, Math.ceil(ms)) }) as Result;
  } catch (error) {
    if ((error as { code?: string } | undefined)?.code === TIMED_OUT) throw newError();
    throw error;
  } finally {
    delete scope[WORK];
  }
}
