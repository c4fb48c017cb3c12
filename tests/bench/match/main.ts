/**
 * `bench match`: the CPU time of one match on a real server process with real sockets. The players run in other
 * processes.
 *
 *     CPU per match-tick = (CPU per second under load − CPU per second without clients) / match-ticks per second
 *
 * The operating system counts CPU time per thread, so time spent waiting for a busy machine does not count.
 *
 * `deno task bots` plays one room. Bots that predict in all rooms would need more CPU than the machine has. So
 * `crowd.ts` plays the other rooms with the same bots, but without prediction. The number of rooms loads about half a
 * core. With few rooms the figure would mislead: a mostly idle core is slow, and the data of few rooms stay in its
 * caches.
 *
 * `early` compares a server with one that announces nothing early (`early.ts`).
 */
import { setPriority } from "node:os";
import * as z from "zod";
import { NpcBot } from "../../../client/bots/npc_bot.ts";
import { build } from "../../../client/build/build.ts";
import { Bot } from "../../../client/games/dragons/bot.ts";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { spawnTask } from "../../support/task.ts";
import { ContestantProcess } from "../physics/contestants.ts";
import { measureEarly } from "./early.ts";
import { measureParts } from "./match_parts.ts";
import { cpuMsOf, metricsOf, sampleOf } from "./server_readings.ts";
import { medianOf } from "../median.ts";

const GAME_NAMES = Object.keys(GAMES) as [string, ...string[]];

export const FLAGS = {
  game: {
    schema: z.enum(GAME_NAMES).default("dragons"),
    about: "which game; of others than dragons only the parts are measured, without sockets [dragons]",
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
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Deno's permission for the environment variables that `ws` reads. */
const SOCKET_SETTINGS = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
const CROWD = new URL("crowd.ts", import.meta.url);
const PLAYERS = 8;
const NPCS = 4;
const TICK_MS = 50;
/** The other half of the core is reserved for slow ticks. */
const SHARE_OF_CORE = 0.5;
/**
 * The compiler is done by then. Between a server's tenth and thirtieth second the cost of a tick falls by a seventh,
 * then hardly any further.
 */
const WARM_UP_SECONDS = 30;
const IDLE_SECONDS = 5;
const JOIN_SECONDS_MAX = 40;
const PART_TICKS = 400;
/** Matches and rounds that compare a server with early announcements with one without. */
const EARLY = { matches: 3, rounds: 5 };
const STOCK_BLOCKS = 15;
/**
 * Length of one window. Other virtual machines on the host slow everything by up to a third, for some seconds at a
 * time. The report therefore has the median over several windows.
 */
const WINDOW_SECONDS = 5;
/**
 * A busy machine starves the players first, and a server that receives no commands looks fast. A window with a smaller
 * share of the expected commands is discarded.
 */
const COMMANDS_SHARE_MIN = 0.95, LOST_WINDOWS_MAX = 9;

/** A server's totals at a moment. */
interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly matchTicks: number;
  readonly droppedTicks: number;
  readonly commands: number;
  readonly bytesDown: number;
}

/** A server's load between two moments. */
interface Load {
  readonly cpuMsPerSecond: number;
  readonly matchTicksPerSecond: number;
  readonly bytesPerTick: number;
}

/** Runs on Linux only, because it reads `/proc`. @returns the object that `--json` prints */
export async function measureMatch(
  { game, rooms, seconds }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  if (game !== "dragons") return await measureGame(game, rooms);
  const { idle, loads } = await measureServer(rooms, seconds);
  const totals = loads.map((load) => (load.cpuMsPerSecond - idle) / load.matchTicksPerSecond);
  const total = medianOf(totals);
  logProgress("now the parts, and the price of early announcements, in this process");
  const { stage, queues, feed, save } = measureParts({
    game: dragonGame,
    newBot: (seed) => new Bot(seed),
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

/** The parts of a match-tick of any game, in this process. Its players do as its NPCs do. */
async function measureGame(name: string, matches: number): Promise<Record<string, unknown>> {
  const { game } = await GAMES[name]!(), newBot = () => new NpcBot(game);
  const parts = measureParts({ game, newBot, matches, players: PLAYERS, npcs: NPCS, ticks: PART_TICKS });
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
 * The machine's present speed: stock planck's step in `bench physics`, µs. It makes times of different days comparable.
 */
async function measureStock(): Promise<number> {
  const stock = new ContestantProcess("stock");
  await stock.warmUp();
  const micros: number[] = [];
  for (let i = 0; i < STOCK_BLOCKS; i++) micros.push((await stock.time()).step);
  await stock.end();
  return Number(medianOf(micros).toFixed(1));
}

/** All load comes from one address, and the bench looks for the end of the machine. */
const NO_LIMITS: readonly string[] = [
  ...["connections", "connections-per-address", "sockets", "sockets-per-address", "seats-per-address"],
].flatMap((name) => [`--${name}`, "10000"]).concat(
  ["upgrades", "messages"].flatMap((name) => [`--${name}-per-address`, "1000000/1000000"]),
  ["--rooms-per-address", "200", "--tick-load", "100"],
);

/** @returns `idle`: ms of CPU per second without clients; `loads`: one entry per window with all rooms */
async function measureServer(rooms: number, seconds: number): Promise<{ idle: number; loads: Load[] }> {
  await build(); // as `deno task serve` does
  const server = await spawnTask("serve", "--port", "0", "--npcs", String(NPCS), "--seed", "1", ...NO_LIMITS);
  try {
    const url = await readServerUrl(server.stdout.pipeThrough(new TextDecoderStream())), { pid } = server;
    const idle = await measureIdle(url, pid);
    logProgress(`nobody there: ${idle.toFixed(1)} ms of CPU a second`);
    return { idle, loads: await measureLoads({ url, pid, rooms, seconds }) };
  } finally {
    server.kill("SIGTERM");
    await server.status;
  }
}

async function measureIdle(url: string, pid: number): Promise<number> {
  const before = await read(url, pid);
  await pause(IDLE_SECONDS);
  const after = await read(url, pid);
  return (after.cpuMs - before.cpuMs) * 1000 / (after.atMs - before.atMs);
}

/** Reads the server's URL from its output, then discards all further output. @throws Error if the output ends before */
async function readServerUrl(lines: ReadableStream<string>): Promise<string> {
  const reader = lines.getReader();
  for (let text = "";;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server did not start:\n${text}`);
    const url = (text += value).match(/^Wyvern listens on (\S+)/m)?.[1];
    if (url === undefined) continue;
    reader.releaseLock();
    lines.pipeTo(new WritableStream());
    return url;
  }
}

interface LoadOptions {
  readonly url: string;
  readonly pid: number;
  readonly rooms: number;
  readonly seconds: number;
}

async function measureLoads({ url, pid, rooms, seconds }: LoadOptions): Promise<Load[]> {
  const players = await spawnPlayers(url, rooms);
  let areAllRunning = true;
  for (const child of players) child.status.then(() => areAllRunning = false);
  try {
    await waitForClients(url, rooms * PLAYERS);
    await pause(WARM_UP_SECONDS);
    const loads: Load[] = [], count = Math.round(seconds / WINDOW_SECONDS);
    for (let lost = 0; loads.length < count;) {
      const before = await read(url, pid);
      await pause(WINDOW_SECONDS);
      const load = loadBetween(before, await read(url, pid), rooms);
      if (!areAllRunning) throw new Error("a process of players has ended");
      if (load !== undefined) loads.push(load);
      else if (++lost > LOST_WINDOWS_MAX) throw new Error("this machine is too busy: players or server do not keep up");
    }
    return loads;
  } finally {
    players.forEach(kill);
    await Promise.all(players.map((child) => child.status));
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // The process has already ended.
  }
}

/**
 * @returns undefined if the server dropped ticks or the players sent too few commands: the server then did less work
 * than a match needs
 */
function loadBetween(before: Reading, after: Reading, rooms: number): Load | undefined {
  const passed = (after.atMs - before.atMs) / 1000, matchTicks = after.matchTicks - before.matchTicks;
  const cpuMs = after.cpuMs - before.cpuMs, dropped = after.droppedTicks - before.droppedTicks;
  const commandsPerTick = (after.commands - before.commands) / (rooms * passed * 1000 / TICK_MS);
  logProgress(
    `${rooms} rooms: ${(cpuMs / passed).toFixed(1)} ms of CPU a second, ${matchTicks} match-ticks in ${
      passed.toFixed(1)
    } s, ${dropped} dropped, ${commandsPerTick.toFixed(2)} commands each`,
  );
  if (dropped > 0 || commandsPerTick < COMMANDS_SHARE_MIN * PLAYERS) return undefined;
  return {
    cpuMsPerSecond: cpuMs / passed,
    matchTicksPerSecond: matchTicks / passed,
    bytesPerTick: (after.bytesDown - before.bytesDown) / matchTicks,
  };
}

/** Starts one process of bots and one of the crowd. Both run until they are killed. */
async function spawnPlayers(url: string, rooms: number): Promise<Deno.ChildProcess[]> {
  const clients = String(PLAYERS);
  const bots = await spawnTask(
    "bots",
    ...["--url", url.replace("http", "ws"), "--room", "BOTS", "--clients", clients, "--seconds", "86400"],
  );
  const crowd = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", SOCKET_SETTINGS, CROWD.pathname, url, String(rooms - 1)],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  for (const child of [bots, crowd]) {
    // Real players use other machines. A low priority keeps these from delaying the server.
    setPriority(child.pid, 10);
    for (const stream of [child.stdout, child.stderr]) stream.pipeTo(new WritableStream());
  }
  return [bots, crowd];
}

async function waitForClients(url: string, clients: number): Promise<void> {
  for (const endMs = performance.now() + JOIN_SECONDS_MAX * 1000; performance.now() < endMs; await pause(0.1)) {
    if (sampleOf(await metricsOf(url), "wyvern_clients") === clients) return;
  }
  throw new Error(`there are not ${clients} clients after ${JOIN_SECONDS_MAX} s`);
}

async function read(url: string, pid: number): Promise<Reading> {
  const text = await metricsOf(url);
  return {
    atMs: performance.now(),
    cpuMs: await cpuMsOf(pid),
    matchTicks: sampleOf(text, "wyvern_match_ticks_total"),
    droppedTicks: sampleOf(text, "wyvern_ticks_dropped_total"),
    commands: sampleOf(text, 'wyvern_commands_total{verdict="taken"}') +
      sampleOf(text, 'wyvern_commands_total{verdict="late"}'),
    bytesDown: sampleOf(text, "wyvern_down_bytes_total"),
  };
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function logProgress(line: string): void {
  console.error(line);
}
