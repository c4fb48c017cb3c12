/** What the process does besides games: it survives stray errors, and it ends on a signal. */
import { type Log, messageOf } from "./log.ts";
import { clock, wait } from "./ticker.ts";

/** The signals that stop the process. Windows has no SIGTERM. */
const STOP_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGTERM", "SIGINT"];

/**
 * Runs a tick and logs any error, so that the next tick runs. Rooms handle their own errors; this
 * covers the code between them.
 */
export function logFailures(log: Log, tick: () => void): void {
  try {
    tick();
  } catch (error) {
    log("tick_failed", { error: messageOf(error) });
  }
}

/**
 * Logs errors that no handler caught, so that none of them ends every match.
 * @returns a function that ends this
 */
export function logUncaughtErrors(log: Log): () => void {
  const listening = new AbortController();
  addEventListener("error", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.error) });
  }, listening);
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.reason) });
  }, listening);
  return () => listening.abort();
}

/** Exit code of a process that ends because of a lost thread: an internal fault (`sysexits.h`). */
const LOST_THREAD_CODE = 70;
/**
 * After this time, ms, what the process knows of the match has been written down: a folder has it
 * at once, servers soon.
 */
const NOTED_MS = 1_000;

/**
 * Ends this process, because a match on trial occupies one of its threads for ever, and perhaps all
 * of its memory. The parent process then starts another one, in which the matches go on. Call it
 * only when this process is ready, because one that ends before it is ready is not started again.
 * @param hasParent false for a process that is not started again: it only logs the loss, and its
 * matches go on beside the lost thread
 */
export async function endLostProcess(
  { log, wait, hasParent }: { log: Log; wait: (ms: number) => Promise<void>; hasParent: boolean },
): Promise<void> {
  log("trial_thread_lost", { restarts: hasParent });
  if (!hasParent) return;
  await wait(NOTED_MS);
  Deno.exit(LOST_THREAD_CODE);
}

/** The first two signals; each promise resolves once. */
export interface StopSignals {
  readonly first: Promise<string>;
  readonly second: Promise<string>;
}

/**
 * A second signal counts only if it comes at least this much later than the first, ms. One Ctrl+C
 * reaches a process several times: a terminal signals the whole process group, as do systemd and
 * some containers' init programs, and each parent in the group, such as `deno task`, passes its
 * copy on. Copies were seen within 0.1 s.
 */
export const SIGNALS_APART_MS = 1_000;

/** Signals of this process, until `close`. */
export interface ListenedSignals extends StopSignals {
  close(): void;
}

/**
 * Listens to the stop signals. Copies of a signal that was counted are dropped. A third signal ends
 * the process at once, which is the default.
 */
export function stopSignals(): ListenedSignals {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const waiting = [first, second];
  let countedMs = -Infinity;

  const onSignal = (signal: string) => {
    const nowMs = clock.now();
    if (nowMs - countedMs < SIGNALS_APART_MS) return;
    countedMs = nowMs;
    const request = waiting.shift();
    request?.resolve(signal);
    if (request === second) void wait(SIGNALS_APART_MS).then(close);
  };
  const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => onSignal(signal) }));
  const close = () => {
    for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
  };

  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return { first: first.promise, second: second.promise, close };
}
