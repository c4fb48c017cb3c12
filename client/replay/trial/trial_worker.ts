/**
 * Plays a replay's file in a worker, before the page does. A file does not prove who made it, so
 * its ticks may throw, take seconds, or never end. The page shows only what was played here in
 * time.
 */
import type { Game, Simulation } from "../../../shared/netcode/game.ts";
import { isLagFile } from "../../debug/lag/lag_file.ts";
import { LagPlayer } from "../lag/lag_player.ts";
import { LogPlayer } from "../log_player.ts";

/** The worker's name, which tells its script what to do. */
export const TRIAL_WORKER = "trial";

/**
 * How many steps in a row are measured. They may take as long as this many ticks last, because a
 * page that shows slower ones would stand still.
 */
const STEPS_IN_A_ROW = 20;
/** How often to report to the page, ms, so that many ticks go into one message. */
const REPORT_EVERY_MS = 50;

/** What the worker reports. */
export interface TrialProgress {
  /** How much of the file was played, in the steps of `ReplaySource.check`. */
  readonly played: number;
  /** Whether the worker is done. */
  readonly isOver: boolean;
  /** Why the page must not play the rest; empty if it may. */
  readonly fault: string;
}

/** The worker's global scope, because the compiler knows only the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Uint8Array>) => void) | null;
  postMessage(message: TrialProgress): void;
}

/** Plays the one file that the page sends. A build entry calls it with its game. */
export function runReplayTrial<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.onmessage = ({ data }) => {
    const report = (isOver: boolean, fault = "") => scope.postMessage({ played, isOver, fault });
    let played = 0;

    try {
      const player = isLagFile(data) ? new LagPlayer(game, data) : new LogPlayer(game, data);

      report(false); // its first state loads

      // How long recent steps took, because a file must not take longer than it lasted
      const recentMs = new Float64Array(STEPS_IN_A_ROW);
      const recentMsMax = 1000 * STEPS_IN_A_ROW / game.tickHz;
      for (let reportedMs = performance.now(), fromMs = reportedMs; !player.check(1);) {
        const nowMs = performance.now();
        recentMs[played++ % STEPS_IN_A_ROW] = nowMs - fromMs;
        fromMs = nowMs;
        if (recentMs.reduce((sum, ms) => sum + ms) > recentMsMax) {
          return report(true, "its ticks take longer than they last");
        }
        if (nowMs - reportedMs < REPORT_EVERY_MS) continue;
        report(false);
        reportedMs = nowMs;
      }

      played = Infinity;
    } catch {
      // The page meets the same error and reports it.
      played = Infinity;
    }
    report(true);
  };
}
