/** Starts the thread that watches this thread's heartbeat (`watchdog_thread.ts`). */
import type { Heartbeat } from "./heartbeat.ts";

/**
 * Watches for as long as the process lives. Only a process with a parent that reads its reports
 * needs it.
 */
export function startWatchdog(heartbeat: Heartbeat): void {
  const thread = new Worker(new URL("./watchdog_thread.ts", import.meta.url), {
    type: "module",
    name: "watchdog",
  });
  thread.postMessage(heartbeat.memory);
}
