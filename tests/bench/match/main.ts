/**
 * What one match costs a server: its real process, real sockets, and the players in processes of their own. The processor's time is
 * the operating system's count, so what waits for a busy machine does not fall on it:
 *
 *     CPU per match-tick = (CPU per second under load - CPU per second with nobody there) / match-ticks per second
 *
 * One room is played by `deno task bots`; their predictions would soon fill the machine, so the others are played by `crowd.ts`, by the
 * same bots, who keep time as those do. There are as many rooms as shall fit into half a core: one that is mostly idle is slow, and few
 * rooms stay in its caches.
 */
import { setPriority } from "node:os";
import { build } from "../../../client/build/build.ts";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { spawnTask } from "../../support/task.ts";
import { ContestantProcess } from "../physics/contestants.ts";
import { measureParts } from "./match_parts.ts";
import { medianOf } from "../median.ts";

export const FLAGS = {
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

/** What ws looks up in the environment. */
const SOCKET_SETTINGS = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
const CROWD = new URL("crowd.ts", import.meta.url);
const PLAYERS = 8;
const NPCS = 4;
const TICK_MS = 50;
/** A core that is half busy has room for a match's worst moments. */
const SHARE_OF_CORE = 0.5;
/**
 * Until the compiler has seen what is hot: from the tenth to the thirtieth second of a server the cost of a tick falls by a seventh,
 * then hardly any more.
 */
const WARM_UP_SECONDS = 30;
const IDLE_SECONDS = 5;
const JOIN_SECONDS_MAX = 40;
const PART_TICKS = 400;
const STOCK_BLOCKS = 15;
/** A neighbour's burst lasts some seconds and makes everything slower by up to a third: of several windows the middle one is told. */
const WINDOW_SECONDS = 5;
/** A machine that is busy with other things starves the players first, and a server without commands looks fast: such windows do not count. */
const COMMANDS_SHARE_MIN = 0.95, LOST_WINDOWS_MAX = 9;

/** What a server has done up to a moment. */
interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly matchTicks: number;
  readonly droppedTicks: number;
  readonly commands: number;
  readonly bytesDown: number;
}

/** What it did between two moments. */
interface Load {
  readonly cpuMsPerSecond: number;
  readonly matchTicksPerSecond: number;
  readonly bytesPerTick: number;
}

/** Measures on this machine, which must be Linux. @returns what `--json` prints */
export async function measureMatch({ rooms, seconds }: FlagValues<typeof FLAGS>): Promise<Record<string, unknown>> {
  const { idle, loads } = await measureServer(rooms, seconds);
  const totals = loads.map((load) => (load.cpuMsPerSecond - idle) / load.matchTicksPerSecond);
  const total = medianOf(totals);
  logProgress("now the parts, in this process");
  const { stage, queues, feed, save } = measureParts({
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
    stockStepMicros: await measureStock(),
  };
}

/** How fast this machine is at present: stock planck's step of `bench physics`, µs. Times of other days are compared by it. */
async function measureStock(): Promise<number> {
  const stock = new ContestantProcess("stock");
  await stock.warmUp();
  const micros: number[] = [];
  for (let i = 0; i < STOCK_BLOCKS; i++) micros.push((await stock.time()).step);
  await stock.end();
  return Number(medianOf(micros).toFixed(1));
}

/** @returns what it costs with nobody there, ms of CPU a second, and with so many rooms, window by window */
async function measureServer(rooms: number, seconds: number): Promise<{ idle: number; loads: Load[] }> {
  await build(); // as the task does before it serves
  const server = await spawnTask("serve", "--port", "0", "--npcs", String(NPCS), "--seed", "1");
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

/** Where the server listens; whatever else it says is thrown away as it comes. */
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
    // by itself, before
  }
}

/** Undefined where the players have not kept up, or the server was kept from ticking: what it left out it did not pay for. */
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

/** One process of bots and one of the crowd. They are ended from outside. */
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
    // On other machines, as players are, they would not keep the server waiting.
    setPriority(child.pid, 10);
    for (const stream of [child.stdout, child.stderr]) stream.pipeTo(new WritableStream());
  }
  return [bots, crowd];
}

async function waitForClients(url: string, clients: number): Promise<void> {
  for (const endMs = performance.now() + JOIN_SECONDS_MAX * 1000; performance.now() < endMs; await pause(0.1)) {
    if (sample(await metricsOf(url), "wyvern_clients") === clients) return;
  }
  throw new Error(`there are not ${clients} clients after ${JOIN_SECONDS_MAX} s`);
}

async function read(url: string, pid: number): Promise<Reading> {
  const text = await metricsOf(url);
  return {
    atMs: performance.now(),
    cpuMs: await cpuMsOf(pid),
    matchTicks: sample(text, "wyvern_match_ticks_total"),
    droppedTicks: sample(text, "wyvern_ticks_dropped_total"),
    commands: sample(text, 'wyvern_commands_total{verdict="taken"}') +
      sample(text, 'wyvern_commands_total{verdict="late"}'),
    bytesDown: sample(text, "wyvern_down_bytes_total"),
  };
}

async function metricsOf(url: string): Promise<string> {
  return await (await fetch(`${url}metrics`)).text();
}

function sample(text: string, name: string): number {
  const line = text.split("\n").find((line) => line.startsWith(`${name} `));
  return Number(line!.slice(name.length));
}

/**
 * Processor time of all threads so far: the first field of each one's schedstat, in ns. (The process's own stat rounds to
 * hundredths of a second.)
 */
async function cpuMsOf(pid: number): Promise<number> {
  let ns = 0;
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    ns += Number((await Deno.readTextFile(`/proc/${pid}/task/${name}/schedstat`)).split(" ")[0]);
  }
  return ns / 1e6;
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function logProgress(line: string): void {
  console.error(line);
}
