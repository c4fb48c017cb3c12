/**
 * The page's beginning: the browser's clock, timers and address stand here and nowhere else, and the game is named.
 *
 * For looking at one's own line `?rtt=200&jitter=10` (ms) makes it worse, F3 shows what the netcode does, and `wyvern` in the console
 * is the session.
 */
import { dragonGame } from "../shared/games/dragons/game.ts";
import type { Clock } from "../shared/netcode/link.ts";
import { ServerMessageDecoder } from "../shared/netcode/wire/server_messages.ts";
import { ConditionedLink, parseNetworkConditions } from "./net/network_conditions.ts";
import { Page } from "./ui/page.ts";
import { DRAGON_BODY_STREAM } from "./presentation/match_presenter.ts";
import { openWebSocketLink } from "./net/websocket_link.ts";
import { Telemetry } from "./presentation/telemetry.ts";

/** While no picture is asked for, time still passes this often, ms. */
const FRAME_MS = 16;

const clock: Clock = { now: () => performance.now() };
const conditions = parseNetworkConditions(location.search);

function openLink(): ConditionedLink {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  return new ConditionedLink(openWebSocketLink(`${scheme}//${location.host}/socket`), { conditions, clock, seed });
}

const telemetry = new Telemetry(clock, () => new ServerMessageDecoder(dragonGame.command, DRAGON_BODY_STREAM?.reader));
const page = new Page({ clock, openLink, telemetry, debug: { conditions } });

/** Runs also while the tab is hidden, if slower. */
function drive(): void {
  page.advance();
  setTimeout(drive, Math.min(FRAME_MS, Math.max(1, page.nextDueMs - clock.now())));
}

function draw(): void {
  requestAnimationFrame(draw);
  page.advance();
  page.draw();
}

drive();
requestAnimationFrame(draw);

/** For the console and for tests: the session of the match that this page plays, and what its newest picture shows. */
Object.defineProperty(globalThis, "wyvern", { get: () => page.match?.session });
Object.defineProperty(globalThis, "wyvernScene", { get: () => page.scene });
