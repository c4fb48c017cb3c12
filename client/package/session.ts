/**
 * `wyvern/session`: a match of a kit game on a page of your own. Input goes in, and each frame gives
 * things and events, with rollback, smoothing and reconnection behind it.
 *
 *     const match = await joinMatch({ server: "https://play.example.org/", game });
 *     match.setInput({ dx: 1, jump: true });
 *     const { things, events } = match.frame();
 */
import type { GameTypes } from "../../shared/game_kit/game_kit.ts";
import { joinMatchIn, practiseIn } from "../own_page/join_match.ts";
import type {
  JoinOptions,
  Match,
  PracticeMatch,
  PractiseOptions,
} from "../own_page/match_types.ts";

export { JoinError, listRooms, type Room } from "../own_page/join_match.ts";
export type {
  AddedDelay,
  JoinOptions,
  Match,
  MatchFrame,
  MatchInput,
  MatchPlayer,
  MatchStats,
  MatchStatus,
  PracticeMatch,
  PractiseOptions,
  SetValue,
} from "../own_page/match_types.ts";

/**
 * Joins a match, and waits until it plays, 30 s at most.
 * @throws JoinError with a sentence for the player if the server refuses or does not answer;
 * TypeError or GameError for an option that cannot be; the reason of an aborted `signal`
 */
export function joinMatch<const G extends GameTypes>(options: JoinOptions<G>): Promise<Match<G>> {
  return joinMatchIn({}, options);
}

/**
 * Begins a match within the page, against NPCs alone and without a server, and waits until it plays.
 * The same netcode plays it: commands are predicted, and every tick is proven.
 *
 *     const worker = new Worker(new URL("./practice.js", import.meta.url), { type: "module" });
 *     const match = await practise({ game, worker });     practice.js calls `runPractice(game)`
 *     match.pace = 0.25;
 *
 * @throws as `joinMatch`, and JoinError if the worker fails
 */
export function practise<const G extends GameTypes>(
  options: PractiseOptions<G>,
): Promise<PracticeMatch<G>> {
  return practiseIn(options);
}
