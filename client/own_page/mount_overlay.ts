/** Opens the debug overlay for a match on a page of one's own. */
import type { GameTypes, KitGame } from "../../shared/game_kit/game_kit.ts";
import { runReplayWorker } from "../debug/replay/replay_worker.ts";
import type { LooseGame } from "../game_kit/loose_types.ts";
import type { Match } from "./match_types.ts";
import type { MountedOverlay, MountOverlayOptions } from "./mounted_overlay.ts";
import { PlayedMatch } from "./played_match.ts";

/** As the public `mountOverlay`. */
export async function mountOverlayIn<G extends GameTypes>(
  element: Element,
  match: Match<G>,
  options: MountOverlayOptions,
): Promise<MountedOverlay> {
  const inside = PlayedMatch.insideOf(match);
  const { openMountedOverlay } = await import("./mounted_overlay.ts");
  return openMountedOverlay(element, inside, options);
}

/** As the public `runOverlayWorker`. */
export function runOverlayWorkerOf<G extends GameTypes>(game: KitGame<G>): void {
  runReplayWorker(game as unknown as LooseGame);
}
