/** Starts the thread that watches the heartbeat of this one (`watchdog_thread.ts`). */
import type { Heartbeat } from "./heartbeat.ts";

/** Watches for the life of the process. Only a process whose parent reads its reports needs it. */
export function startWatchdog(heartbeat: Heartbeat): void {
  const thread = new Worker(new URL("./watchdog_thread.ts", import.meta.url), {
    type: "module",
    name: "watchdog",
  });
  thread.postMessage(heartbeat.memory);
}
