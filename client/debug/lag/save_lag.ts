/**
 * Implements the button "I felt a lag here", which saves this page's last minute as a file for the
 * replay page.
 */
import { offerFile } from "../../ui/dom.ts";
import { encodeLagFile } from "./lag_file.ts";
import type { DebugHost, SaveLag } from "../../ui/debug_host.ts";
import { RecordedFrames, savedFrames } from "../sights.ts";
import { showNothingSaved, showSaved } from "./saved_notice.ts";

/**
 * Offers the recording to the player, and says so. Without a match, and before its first state,
 * there is nothing to save.
 */
export const saveLag: SaveLag = ({ game, telemetry: { flight }, match }) => {
  const { welcome, entries } = flight;
  const playing = match();
  if (welcome === undefined || playing === undefined || entries.length === 0) {
    return showNothingSaved();
  }
  const { npcs, seed, choices, isOrdered, seat: ownSeat = -1 } = welcome;
  const { room } = playing;
  const report = {
    npcs,
    seed,
    choices,
    isOrdered,
    ownSeat,
    gameId: game.id,
    room,
    names: namesOf(playing),
    entries,
    frames: savedFrames(new RecordedFrames(flight), entries[0]!.atMs),
  };
  const file = encodeLagFile(report, game);
  offerFile(file, `wyvern-lag-${room}-${playing.session.head}.lag`);
  showSaved(file);
};

/** Collects the seats' names. The report names only players that its own player could see. */
function namesOf(match: NonNullable<ReturnType<DebugHost["match"]>>): ReadonlyMap<number, string> {
  return new Map(match.hud("").scores.map(({ seat, name }) => [seat, name]));
}
