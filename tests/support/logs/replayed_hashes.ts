/** What the ticks of a log are: a match that a server only orders logs no hashes. */
import type { Game, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";

/**
 * @returns the hash of every tick, as a replay of the log has it
 * @throws LogError for a log that cannot be replayed, or with a hash that the replay has not
 */
export function replayedHashes<Command>(
  bytes: Uint8Array,
  game: Game<Command, Simulation<Command>>,
): Map<Tick, number> {
  const hashes = new Map<Tick, number>();
  const { error } = replayedLog(bytes, {
    gameOf: () => game,
    onTick: ({ tick, snapshot }) => void hashes.set(tick, hashOfSnapshot(snapshot)),
  });
  if (error !== undefined) throw error;
  return hashes;
}
