/** A page that shows two lobbies of one game, and the overlay when a test asks for it. */
import { type MountedLobby, type MountedOverlay, mountLobby, mountOverlay } from "wyvern/page";
import type { Match } from "wyvern/session";
import type { TypesOf } from "../../../../shared/game_kit/game_kit.ts";
import { game } from "../../../../shared/game_kit/templates/top/game.ts";

type YardMatch = Match<TypesOf<typeof game>>;

/** What the test uses. */
export interface PartsPage {
  readonly lobbies: readonly MountedLobby[];
  /** By the lobby that it came from; undefined before. */
  readonly matches: (YardMatch | undefined)[];
  /** The newest match's, as an address names it. */
  invitation: string;
  openOverlay(options: { readonly hasWorker: boolean }): Promise<MountedOverlay>;
}

const places = ["#first", "#second"].map((id) => document.querySelector(id)!);
const [room = "", key] = location.hash.slice(1).split(".");
const invitation = room === "" ? undefined : { room, key };
const server = new URLSearchParams(location.search).get("server")!;

const parts: PartsPage = {
  matches: [],
  invitation: "",
  lobbies: places.map((place, i) =>
    mountLobby(place, {
      server,
      game,
      invitation: i === 0 ? invitation : undefined,
      network: { rttMs: 150 },
      onMatch(match, { room, key }) {
        parts.matches[i] = match;
        parts.invitation = [room, ...key === undefined ? [] : [key]].join(".");
      },
    })
  ),
  openOverlay({ hasWorker }) {
    const address = new URL("worker.js", import.meta.url);
    const worker = hasWorker ? new Worker(address, { type: "module" }) : undefined;
    return mountOverlay(document.querySelector("#overlay")!, parts.matches[0]!, { worker });
  },
};
Object.assign(globalThis, { parts });

// It drives to and fro, so that others guess wrong
let frames = 0;
requestAnimationFrame(function draw() {
  requestAnimationFrame(draw);
  for (const match of parts.matches) {
    if (match === undefined || match.status.phase === "ended") continue;
    match.frame();
    match.setInput({ dx: frames++ % 40 < 20 ? 1 : -1, dy: frames % 56 < 28 ? 1 : -1 });
  }
});
