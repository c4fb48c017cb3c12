/**
 * `wyvern/rooms`: a match of a kit game in a room that a player's page hosts, on a page of your own.
 * The match runs in a worker of that page (`wyvern/practice`); pages connect by WebRTC, and a server
 * with `--signalling` only introduces them.
 *
 *     const match = await playInPageRoom({ server: "https://play.example.org/", game, newWorker });
 *     match.room     the code for others, who give it as `room`
 *
 * With `playNow` it plays with anybody instead.
 */
import type { GameTypes } from "../../shared/game_kit/game_kit.ts";
import type { PageRoomMatch, PageRoomOptions } from "../own_page/match_types.ts";
import { pageRoomMatch } from "../own_page/page_room_match.ts";

export type { PageRoomMatch, PageRoomOptions } from "../own_page/match_types.ts";

/**
 * Hosts a room on this page, or joins one, and waits until it plays, 30 s at most. When the host
 * leaves, the page with the newest state goes on with the match, and all others keep their seats.
 * @throws JoinError of `wyvern/session` with a sentence for the player: nobody hosts the room, the
 *   server introduces no pages, the pages have different rules; TypeError or GameError for an option
 *   that cannot be; the reason of an aborted `signal`
 */
export function playInPageRoom<const G extends GameTypes>(
  options: PageRoomOptions<G>,
): Promise<PageRoomMatch<G>> {
  return pageRoomMatch(options);
}
