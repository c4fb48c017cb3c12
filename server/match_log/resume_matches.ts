/** Opens the rooms of matches again whose process has ended before they were over. */
import { LogError } from "../../shared/netcode/match_log/records.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../log.ts";
import type { GameRooms } from "../game_rooms.ts";
import type { MatchLogs, UnfinishedLog } from "./match_logs.ts";
import { resumedMatchOf } from "./resume_match.ts";

/** The rooms of all hosted games. */
export interface ResumedRooms {
  readonly byGame: ReadonlyMap<string, GameRooms<unknown>>;
}

/**
 * Goes on with every match that is not over. A log that is damaged, or that this program contradicts, is set aside with
 * a line that says why; one of a game that is not hosted now stays as it is.
 */
export function resumeMatches(rooms: ResumedRooms, logs: MatchLogs, log: Log): void {
  for (const unfinished of logs.unfinished()) resumeOne(rooms, unfinished, log);
}

/** Goes on with one match, or sets it aside. @returns whether it goes on */
export function resumeOne(rooms: ResumedRooms, unfinished: UnfinishedLog, log: Log): boolean {
  try {
    return resume(rooms, unfinished, log);
  } catch (error) {
    if (!(error instanceof LogError || error instanceof RangeError)) throw error;
    unfinished.setAside();
    log("match_set_aside", { id: unfinished.id, error: error.message });
    return false;
  }
}

function resume({ byGame }: ResumedRooms, unfinished: UnfinishedLog, log: Log): boolean {
  const { id } = unfinished, roomsOf = (gameId: string) => [...byGame.values()].find(({ game }) => game.id === gameId);
  let isHosted = true;
  const gameOf = (gameId: string): Game<unknown> | undefined => {
    const game = roomsOf(gameId)?.game;
    isHosted = game !== undefined;
    return game;
  };
  try {
    const match = resumedMatchOf(unfinished.read(), gameOf);
    const { header: { gameId, room }, state: { tick, players }, bytes, epoch, steppedTicks } = match;
    roomsOf(gameId)!.restore(match, unfinished.takeOver({ bytes, epoch: epoch + 1 }));
    log("match_resumed", { id, room, tick, players: players.length, steppedTicks });
    return true;
  } catch (error) {
    if (isHosted) throw error;
    log("match_not_hosted", { id });
    return false;
  }
}
