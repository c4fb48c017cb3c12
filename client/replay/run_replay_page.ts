/**
 * Runs the replay page of one game. The browser's clock and frames are read here and nowhere else.
 *
 * `wyvernReplay` in the console is the page: the tick that it shows, its state's hash, the log, and the fork.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { View } from "../presentation/view.ts";
import { ReplayPage } from "./replay_page.ts";

export function runReplayPage<Command, Sim extends Simulation<Command>, Frame>(
  game: Game<Command, Sim>,
  view: View<Command, Sim, Frame>,
): void {
  const page = new ReplayPage(game, view, { clock: { now: () => performance.now() } });
  const draw = () => {
    requestAnimationFrame(draw);
    page.draw();
  };
  requestAnimationFrame(draw);
  Object.defineProperty(globalThis, "wyvernReplay", { value: page });
}
