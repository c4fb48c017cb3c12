/**
 * Runs one game's page. Only this file reads the browser's clock, timers and address.
 *
 * `?rtt=200&jitter=10` (ms) worsens the page's own network, F3 opens the debug overlay, and
 * `wyvern` in the console is the session. `?transport=websocket` uses no datagrams, and
 * `?transport=webtransport` only a datagram session; otherwise the page uses a socket, and
 * datagrams beside it where the server offers them.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { optional, survive } from "../input/optional.ts";
import { joinedSocketUrl, socketUrlOf } from "../net/join.ts";
import {
  ConditionedLink,
  type NetworkConditions,
  parseNetworkConditions,
} from "../net/network_conditions.ts";
import { openPathLink } from "../net/path_link.ts";
import { Servers } from "../net/servers.ts";
import { openWebSocketLink } from "../net/websocket_link.ts";
import { Telemetry } from "../presentation/telemetry.ts";
import type { View } from "../presentation/view.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import type { DatagramSupport } from "../session/session_options.ts";
import { BusyClock } from "./busy_clock.ts";
import { pageHome } from "./home.ts";
import { Page, type PageOptions } from "./page.ts";
import { loadDatagrams } from "./script_loader.ts";

/** How often the page advances at least, ms, even when the browser does not request frames. */
const FRAME_MS = 16;

const clock = new BusyClock(() => performance.now(), FRAME_MS);

export async function runPage<Command, Sim extends Simulation<Command>, Frame>(
  game: Game<Command, Sim>,
  view: View<Command, Sim, Frame>,
): Promise<void> {
  // What the page's address demands
  const conditions = parseNetworkConditions(location.search);
  const home = pageHome();
  const bodyStream = bodyStreamSupport(game);
  const servers = new Servers(home.origin);
  const transport = new URLSearchParams(location.search).get("transport");
  const isForced = transport === "webtransport";
  const takesPaths = transport !== "websocket" && "WebTransport" in globalThis;

  let datagrams = isForced ? await loadDatagrams() : undefined;

  // If the script cannot be loaded, the page stays on its socket.
  const datagramSupport: DatagramSupport = (use) =>
    void loadDatagrams().then((loaded) => use((datagrams = loaded).SessionDatagrams), () => {});

  // A link for each attempt: a socket, a socket with a datagram path, or a whole session
  const openLink: PageOptions["openLink"] = ({ ticket, avoidsSocket, ...joinRequest }) => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    const full = { ...joinRequest, gameId: game.id, credentials: storedCredentials() };

    const open = () => {
      const request = new AbortController();
      const joinRequest = { ...full, signal: request.signal };
      const url = ticket === undefined
        ? joinedSocketUrl(servers, joinRequest)
        : socketUrlOf(home.origin, ticket);
      const socket = openWebSocketLink(url, { request });
      return takesPaths
        ? openPathLink(socket, (offer) => datagrams!.openPathSession(url, offer))
        : socket;
    };

    // Where sockets are blocked, fetch the datagrams' script for a later attempt.
    if (avoidsSocket && takesPaths && datagrams === undefined) datagramSupport(() => {});

    const isWhole = (isForced || avoidsSocket && takesPaths) && ticket === undefined;
    const link = isWhole && datagrams !== undefined
      ? datagrams.openWholeSession(servers, full)
      : open();

    return new ConditionedLink(link, { conditions, clock, seed });
  };

  // The page, and what keeps it going
  const telemetry = new Telemetry(
    clock,
    () => new ServerMessageDecoder(game.command, bodyStream?.reader),
  );
  const playable = { game, view, bodyStream, datagramSupport };
  const page = new Page(playable, { clock, openLink, telemetry, debug: { conditions } });

  keepAdvancing(page);
  keepPulse(page);
  keepDrawing(page);
  exposeToConsole(page, conditions);
}

/**
 * Reads the credentials that this site's login page left for the operator's hook
 * (docs/authorise.md).
 */
function storedCredentials(): string | undefined {
  try {
    return sessionStorage.getItem("wyvern.credentials") ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

type AnyPage =
  & Pick<Page<unknown, Simulation<unknown>, unknown>, "advance" | "draw" | "nextDueMs" | "frame">
  & {
    readonly match: { readonly session: unknown } | undefined;
  };

/**
 * Keeps advancing the page even while the tab is hidden, although less often. Errors do not end
 * this.
 */
function keepAdvancing(page: AnyPage): void {
  let waitMs = FRAME_MS;
  survive(() => {
    page.advance();
    waitMs = Math.min(FRAME_MS, Math.max(1, page.nextDueMs - clock.now()));
  });
  clock.setTimer(clock.now() + waitMs);
  setTimeout(() => keepAdvancing(page), waitMs);
}

/**
 * Advances a hidden page four times a second, even when the browser fires its timers once a minute.
 */
function keepPulse(page: AnyPage): void {
  const address = new URL(document.body.dataset.pulseWorker!, import.meta.url);
  const pulse = optional(() => new Worker(address), undefined);
  if (pulse !== undefined) pulse.onmessage = () => document.hidden && survive(() => page.advance());
}

function keepDrawing(page: AnyPage): void {
  requestAnimationFrame(() => {
    keepDrawing(page);
    survive(() => {
      page.advance();
      page.draw();
    });
  });
}

/**
 * Exposes, for the console and for tests, the session of the match that this page plays or that a
 * refusal ended, its newest frame, its presenter, and the conditions that worsen its network.
 */
function exposeToConsole(page: AnyPage, conditions: NetworkConditions): void {
  let session: unknown;
  Object.defineProperty(globalThis, "wyvern", {
    get: () => session = page.match?.session ?? session,
  });
  Object.defineProperty(globalThis, "wyvernScene", { get: () => page.frame });
  Object.defineProperty(globalThis, "wyvernMatch", { get: () => page.match });
  Object.defineProperty(globalThis, "wyvernConditions", { value: conditions });
}
