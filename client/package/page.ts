/**
 * `wyvern/page`: parts of our page for a page of your own, beside `wyvern/session`. Each lives in a
 * shadow root, so your styles and ours do not meet, and a page can show it twice.
 *
 *     mountLobby(element, { server, game, onMatch: (match) => play(match) });
 *     const overlay = await mountOverlay(element, match);
 *     overlay.unmount();
 */
import type { GameTypes, KitGame } from "../../shared/game_kit/game_kit.ts";
import type { Match } from "../own_page/match_types.ts";
import {
  type MountedLobby,
  mountLobbyIn,
  type MountLobbyOptions,
} from "../own_page/mount_lobby.ts";
import { mountOverlayIn, runOverlayWorkerOf } from "../own_page/mount_overlay.ts";
import type { MountedOverlay, MountOverlayOptions } from "../own_page/mounted_overlay.ts";

export type { RoomInvitation } from "../own_page/mount_lobby.ts";
export type { MountedLobby, MountedOverlay, MountLobbyOptions, MountOverlayOptions };

/**
 * Adds a lobby to an element: the player's name, Play now, rooms with friends, the open rooms, and
 * the choices that your game declares. It joins what the player chooses, shows what a server refuses
 * as a sentence, and hands the match over. It comes back when the match has ended.
 * @throws TypeError for what is no address of a server, or no element
 */
export function mountLobby<const G extends GameTypes>(
  element: Element,
  options: MountLobbyOptions<G>,
): MountedLobby {
  return mountLobbyIn(element, options);
}

/**
 * Adds the debug overlay to an element: figures and curves of the netcode, the last half minute with
 * every visible correction and its cause, and sliders that worsen this match's network. The code is
 * fetched with the first call.
 * @param match from `joinMatch` or `mountLobby`; it may have ended
 * @throws TypeError for another match, or if the code cannot be fetched
 */
export function mountOverlay<G extends GameTypes>(
  element: Element,
  match: Match<G>,
  options: MountOverlayOptions = {},
): Promise<MountedOverlay> {
  return mountOverlayIn(element, match, options);
}

/** Answers an overlay from a worker. Call it in a module worker, with the game of the match. */
export function runOverlayWorker<const G extends GameTypes>(game: KitGame<G>): void {
  runOverlayWorkerOf(game);
}
