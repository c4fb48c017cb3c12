/**
 * Runs one game's page. Only this file reads the browser's clock, timers and address.
 *
 * `?rtt=200&jitter=10` (ms) worsens the page's own network, F3 opens the debug overlay, and
 * `wyvern` in the console is the session. `?transport=websocket` uses no datagrams, and
 * `?transport=webtransport` only a datagram session; otherwise the page uses a socket, and
 * datagrams beside it where the server offers them.
 */
import { type Game, playersOf, type Simulation } from "../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { optional, survive } from "../input/optional.ts";
import { linkOpener } from "../net/link_opener.ts";
import {
  ConditionedLink,
  type NetworkConditions,
  parseNetworkConditions,
} from "../net/network_conditions.ts";
import { Servers } from "../net/servers.ts";
import { Telemetry } from "../presentation/telemetry.ts";
import type { View } from "../presentation/view.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import type { DatagramSupport } from "../session/session_options.ts";
import { Solo } from "../solo/solo.ts";
import { BusyClock } from "./busy_clock.ts";
import { deviceNumber } from "./device_number.ts";
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
  const transport = new URLSearchParams(location.search).get("transport");
  const isForced = transport === "webtransport";
  const takesPaths = transport !== "websocket" && "WebTransport" in globalThis;

  let datagrams = isForced ? await loadDatagrams() : undefined;

  // If the script cannot be loaded, the page stays on its socket.
  const datagramSupport: DatagramSupport = (use) =>
    void loadDatagrams().then((loaded) => use((datagrams = loaded).SessionDatagrams), () => {});

  // A link for each attempt
  const servers = new Servers(home.origin);
  const open = linkOpener({
    gameId: game.id,
    home: home.origin,
    servers,
    credentials: storedCredentials,
    device: deviceNumber,
    datagrams: takesPaths || isForced
      ? { loaded: () => datagrams, fetch: () => datagramSupport(() => {}) }
      : undefined,
    avoidsSockets: isForced,
  });

  const soloWorker = new URL(document.body.dataset.soloWorker!, import.meta.url);
  const { npcs } = playersOf(game);
  const newMatchWorker = () => new Worker(soloWorker);
  const solo = new Solo(clock, { newWorker: newMatchWorker, npcs });

  const openLink: PageOptions["openLink"] = (request, inner) => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    const link = inner ??
      (request.isSolo ? solo.begin({ choices: request.choices, seed }) : open(request));
    return new ConditionedLink(link, { conditions, clock: solo.clock, seed });
  };

  // The page, and what keeps it going
  const telemetry = new Telemetry(
    solo.clock,
    () => new ServerMessageDecoder(game.command, bodyStream?.reader),
  );
  const playable = { game, view, bodyStream, datagramSupport };
  const page = new Page(playable, {
    clock,
    solo,
    openLink,
    keepsMatches: () => servers.keepsMatches,
    newMatchWorker,
    telemetry,
    debug: { conditions },
  });

  keepForOffline();
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

/** Keeps this page for visits without a network, if the browser lets it and the build has it. */
function keepForOffline(): void {
  const { offlineWorker } = document.body.dataset;
  if (offlineWorker === undefined) return;
  const address = new URL(offlineWorker, import.meta.url);
  const register = () =>
    optional(() => void navigator.serviceWorker?.register(address).catch(() => {}), undefined);
  // Not before the page itself is there, whose files have the line first
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
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
