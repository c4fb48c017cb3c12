/**
 * The watchdog's thread. It reads the heartbeat of the thread that runs matches, and reports on
 * standard error what hangs; the parent process reads that, and ends the process. If the parent is
 * gone, this process ends itself, even if it hangs.
 */
import { readHeartbeat } from "./heartbeat.ts";
import { HangWatch, LOOK_EVERY_MS } from "./hang_watch.ts";
import { formatReport } from "./reports.ts";

/**
 * How long a process that lost its parent may take to end by itself, ms, as it does when its input
 * ends.
 */
const ORPHAN_MS_MAX = 1_000;

addEventListener("message", ({ data }) => watch(data as SharedArrayBuffer), { once: true });

function watch(memory: SharedArrayBuffer): void {
  const hangWatch = new HangWatch(performance.now());
  const parent = Deno.ppid;
  let orphanedMs = 0;

  setInterval(() => {
    const reading = readHeartbeat(memory);
    const sign = hangWatch.look(reading, performance.now());
    if (sign !== undefined) {
      const { phase, tick, subject } = reading;
      say(formatReport({ type: sign, phase, tick, subject, ms: Math.round(hangWatch.stuckMs) }));
    }

    orphanedMs = Deno.ppid === parent ? 0 : orphanedMs + LOOK_EVERY_MS;
    if (orphanedMs > ORPHAN_MS_MAX) Deno.kill(Deno.pid, "SIGKILL");
  }, LOOK_EVERY_MS);
}

/** Writes at once, because standard error takes a short line whole. */
function say(line: string): void {
  try {
    Deno.stderr.writeSync(new TextEncoder().encode(line));
  } catch {
    // Its reader is gone, so the process ends soon.
  }
}
