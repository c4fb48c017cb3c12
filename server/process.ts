/** What the process does besides games: it survives stray errors, and it ends at a signal. */
import { type Log, messageOf } from "./log.ts";

/** The signals that stop the process. Windows has no SIGTERM. */
const STOP_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGTERM", "SIGINT"];

/**
 * Logs an error of a tick, so that the next tick runs. Rooms handle their own errors; this covers the code between
 * them.
 */
export function logFailures(log: Log, tick: () => void): void {
  try {
    tick();
  } catch (error) {
    log("tick_failed", { error: messageOf(error) });
  }
}

/** Logs errors that no handler caught, so that none of them ends every match. */
export function logUncaughtErrors(log: Log): void {
  addEventListener("error", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.error) });
  });
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log("stray_error", { error: messageOf(event.reason) });
  });
}

/** The signals that have come, each once. */
export interface StopSignals {
  readonly first: Promise<string>;
  readonly second: Promise<string>;
}

/** Listens to the stop signals. A third one ends the process at once, as by default. */
export function stopSignals(): StopSignals {
  const first = Promise.withResolvers<string>(), second = Promise.withResolvers<string>(), waiting = [first, second];
  const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => onSignal(signal) }));
  const onSignal = (signal: string) => {
    waiting.shift()!.resolve(signal);
    if (waiting.length > 0) return;
    for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
  };
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return { first: first.promise, second: second.promise };
}
