/**
 * `bench match`: the CPU time of one match on a real server process with real sockets. The players
 * run in other processes.
 *
 *     CPU per match-tick = (CPU per second under load − CPU per second without clients) / match-ticks per second
 *
 * The operating system counts CPU time per thread, so time spent waiting for a busy machine does
 * not count.
 *
 * `deno task bots` plays one room. Bots that predict in all rooms would need more CPU than the
 * machine has. So `crowd.ts` plays the other rooms with the same bots, but without prediction. The
 * number of rooms loads about half a core. With few rooms the figure would mislead: a mostly idle
 * core is slow, and the data of few rooms stay in its caches.
 *
 * `--transport both` compares WebTransport with WebSocket (`transports.ts`).
 *
 * `--authority order` compares matches that the server only orders (`order.ts`).
 *
 * `early` compares a server with one that announces nothing early (`early.ts`).
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { GAMES } from "../../../../shared/games/registry.ts";
import { bundled } from "../../../support/bundled.ts";
import { ContestantProcess } from "../physics/contestants.ts";
import { measureEarly } from "./early.ts";
import { measureOrder } from "./order.ts";
import { partsOf } from "./parts_process.ts";
import { logProgress, measureServer, msPerTickOf, NPCS, PLAYERS, TICK_MS } from "./real_server.ts";
import { measureTransports } from "./transports.ts";
import { medianOf } from "../median.ts";

const GAME_NAMES = Object.keys(GAMES) as [string, ...string[]];

export const FLAGS = {
  game: {
    schema: z.enum(GAME_NAMES).default("dragons"),
    about:
      "which game; of others than dragons only the parts are measured, without sockets [dragons]",
    allowed: GAME_NAMES.join(", "),
  },
  rooms: {
    schema: wholeNumber(60, 6).default(40),
    about: "how many rooms are played at once [40]",
    allowed: "a whole number 6 to 60",
  },
  seconds: {
    schema: wholeNumber(600, 5).default(45),
    about: "how long they are measured, in windows of five [45]",
    allowed: "a whole number 5 to 600",
  },
  transport: {
    schema: z.enum(["websocket", "webtransport", "both"]).default("websocket"),
    about:
      "what carries the messages; both measures nothing but the server's CPU by each, in turns [websocket]",
    allowed: "websocket, webtransport or both",
  },
  authority: {
    schema: z.enum(["full", "order"]).default("full"),
    about:
      "order measures nothing but matches that the server orders beside the same ones in full, in turns [full]",
    allowed: "full or order",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The other half of the core is reserved for slow ticks. */
const SHARE_OF_CORE = 0.5;
const PARTS = new URL("./parts_process.ts", import.meta.url).href;
const CONTESTANTS = new URL("../physics/contestants.ts", import.meta.url).href;
const PART_TICKS = 400;
/** How many matches and rounds compare a server with early announcements with one without. */
const EARLY = { matches: 3, rounds: 5 };
const STOCK_BLOCKS = 15;
/** Runs on Linux only, because it reads `/proc`. @returns the object that `--json` prints */
export async function measureMatch(
  { game, rooms, seconds, transport, authority }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  if (authority === "order") return { ...await measureOrder(logProgress) };
  if (game !== "dragons") return await measureGame(game, rooms);
  if (transport === "both") return { ...await measureTransports({ rooms, seconds }) };
  const measured = await measureServer({ rooms, seconds, transport });
  const { loads } = measured;
  const totals = msPerTickOf(measured);
  const total = medianOf(totals);
  logProgress("now the parts, and the price of early announcements");
  const { stage, queues, feed, save } = await partsOf(await bundled(PARTS), {
    gameName: game,
    matches: rooms,
    players: PLAYERS,
    npcs: NPCS,
    ticks: PART_TICKS,
  });
  const rounded = (ms: number) => Number(ms.toFixed(4));
  return {
    msPerTick: {
      stage: rounded(stage),
      queues: rounded(queues),
      feed: rounded(feed),
      save: rounded(save),
      total: rounded(total),
    },
    totalRange: [rounded(Math.min(...totals)), rounded(Math.max(...totals))],
    matchesPerCoreAtHalf: Math.floor(SHARE_OF_CORE * TICK_MS / total),
    bytesPerTick: Math.round(medianOf(loads.map(({ bytesPerTick }) => bytesPerTick))),
    early: await measureEarly(EARLY),
    stockStepMicros: await measureStock(),
  };
}

/** Measures the parts of a match-tick, for any game. */
async function measureGame(name: string, matches: number): Promise<Record<string, unknown>> {
  const { game } = await GAMES[name]!();
  const parts = await partsOf(await bundled(PARTS), {
    gameName: name,
    matches,
    players: PLAYERS,
    npcs: NPCS,
    ticks: PART_TICKS,
  });
  const total = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  const msPerTick = Object.fromEntries(
    Object.entries({ ...parts, total }).map(([part, ms]) => [part, Number(ms.toFixed(4))]),
  );
  return {
    game: name,
    msPerTick,
    matchesPerCoreAtHalf: Math.floor(SHARE_OF_CORE * 1000 / game.tickHz / total),
    stockStepMicros: await measureStock(),
  };
}

/**
 * The machine's present speed: stock planck's step in `bench physics`, µs. It makes times from
 * different days comparable.
 */
async function measureStock(): Promise<number> {
  const stock = new ContestantProcess("stock", await bundled(CONTESTANTS));
  await stock.warmUp();
  const micros: number[] = [];
  for (let i = 0; i < STOCK_BLOCKS; i++) micros.push((await stock.time()).step);
  await stock.end();
  return Number(medianOf(micros).toFixed(1));
}
