/** A page that hosts a room, or joins the one that its address names. */
import { type PageRoomMatch, playInPageRoom } from "wyvern/rooms";
import { JoinError } from "wyvern/session";
import type { TypesOf } from "../../../../shared/game_kit/game_kit.ts";
import { game } from "../../../../shared/game_kit/templates/top/game.ts";

/** What the test uses. */
export interface HostedPage {
  match: PageRoomMatch<TypesOf<typeof game>> | undefined;
  /** Why there is none. */
  error: string;
}

const query = new URLSearchParams(location.search);
const hosted: HostedPage = { match: undefined, error: "" };
Object.assign(globalThis, { hosted });

// A browser without a driver reports by itself
const report = query.get("report");
if (report !== null) {
  setInterval(() => {
    const { match, error } = hosted;
    const { visibilityState } = document;
    const body = JSON.stringify({
      room: match?.room,
      isHost: match?.isHost,
      visibilityState,
      error,
    });
    fetch(report, { method: "POST", mode: "no-cors", body });
  }, 200);
}

// It hides itself behind another tab once it has played for so many ticks
const hideAfter = query.get("hideAfter");
if (hideAfter !== null) {
  const timer = setInterval(() => {
    if ((hosted.match?.stats.ticks ?? 0) < Number(hideAfter)) return;
    clearInterval(timer);
    open("about:blank");
  }, 200);
}

playInPageRoom({
  server: query.get("server")!,
  game,
  name: query.get("name")!,
  room: location.hash.slice(1) || undefined,
  newWorker: () => new Worker(new URL("practice.js", import.meta.url), { type: "module" }),
  network: { rttMs: 80 },
}).then(
  (match) => hosted.match = match,
  (error) => hosted.error = error instanceof JoinError ? error.message : `${error}`,
);
