/** Plays in a room that a player's page hosts, from a page of one's own. */
import type { GameTypes } from "../../shared/game_kit/game_kit.ts";
import type { Game } from "../../shared/netcode/game.ts";
import { introductionsOf } from "../net/introductions.ts";
import { PageRooms } from "../page_rooms/page_rooms.ts";
import type { Session } from "../session/session.ts";
import { newRoomCode } from "../ui/page_url.ts";
import { sanitizeName } from "../ui/player_name.ts";
import { choicesOf, hostedGameOf, JoinError, played, presentedBy } from "./join_match.ts";
import type { PageRoomMatch, PageRoomOptions } from "./match_types.ts";
import type { PlayedMatch } from "./played_match.ts";

/** As the public `playInPageRoom`. */
export async function pageRoomMatch<G extends GameTypes>(
  options: PageRoomOptions<G>,
): Promise<PageRoomMatch<G>> {
  const { game, room, name = "", roomOptions, newWorker, signal } = options;
  const { origin } = hostedGameOf(options.server, "playInPageRoom");
  const choices = choicesOf(game, roomOptions ?? {});
  signal?.throwIfAborted();
  if (!("RTCPeerConnection" in globalThis)) {
    throw new JoinError("This browser connects to no other page.", 0);
  }

  // Open the room, or find it
  let match: PlayedMatch | undefined;
  const rooms = new PageRooms({
    game: game as unknown as Game<unknown>,
    clock: performance,
    origin,
    newWorker,
    session: () => match?.session as unknown as Session<unknown> | undefined,
    onHost: () => match?.hurry(),
  });
  const offer = await introductionsOf(origin);
  if (offer === undefined) throw new JoinError("This server introduces no pages.", 0);
  const own = newRoomCode(Math.random);
  let code = room ?? own;
  try {
    if (room !== undefined) await rooms.join(room, { offer });
    else if (options.playNow) code = await rooms.playNow(own, { choices, offer });
    else await rooms.host(own, { choices, offer });
  } catch (error) {
    throw new JoinError(error instanceof Error ? error.message : String(error), 0, {
      cause: error,
    });
  }
  if (signal?.aborted) {
    rooms.leave();
    throw signal.reason;
  }

  // Play in it
  const joined = await played<G>({
    ...presentedBy(options),
    server: origin,
    entry: {
      name: sanitizeName(name),
      room: code,
      spectate: false,
      choices,
      isPageRoom: true,
      ...rooms.match !== undefined && { isNew: true },
    },
    seatToken: undefined,
    credentials: undefined,
    takesDatagrams: true, // the links between pages carry them
    newSocket: undefined,
    practice: undefined,
    pageRoom: rooms,
  }, { signal, onMatch: (begun) => match = begun });
  return Object.defineProperties(joined, {
    isHost: { get: () => rooms.match !== undefined },
    log: { value: async () => await rooms.match?.log() },
  }) as unknown as PageRoomMatch<G>;
}
