/**
 * `wyvern/session` under Node, Bun and Deno: the same, with sockets of the package `ws`. Node 20 has
 * no other ones, and those of Deno delay messages (`node_websocket_link.ts`).
 */
import type { GameTypes } from "../../shared/game_kit/game_kit.ts";
import { newNodeSocket } from "../net/node_websocket_link.ts";
import { joinMatchIn, practiseIn } from "../own_page/join_match.ts";
import type {
  JoinOptions,
  Match,
  PracticeMatch,
  PractiseOptions,
} from "../own_page/match_types.ts";

export { JoinError, listRooms } from "../own_page/join_match.ts";

/** As in `session.ts`. */
export function joinMatch<const G extends GameTypes>(options: JoinOptions<G>): Promise<Match<G>> {
  return joinMatchIn({ newSocket: newNodeSocket }, options);
}

/** As in `session.ts`. It needs a web worker, which Deno and Bun have. */
export function practise<const G extends GameTypes>(
  options: PractiseOptions<G>,
): Promise<PracticeMatch<G>> {
  return practiseIn(options);
}
