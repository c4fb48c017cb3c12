/**
 * Runs a real server with real sockets, in one process or several, and measures its load in windows
 * of a few seconds.
 */
import { setPriority } from "node:os";
import { build } from "../../../../client/build/build.ts";
import type { Transport } from "../transport/plan.ts";
import { serverPidOf } from "../../../support/servers/supervised.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";
import { spawnTask, spawnTaskWith } from "../../../support/task.ts";
import { cpuMsOf, metricsOf, sumOf } from "./server_readings.ts";

/** Deno's permission for the environment variables that `ws` reads. */
const SOCKET_SETTINGS = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
const CROWD = new URL("crowd.ts", import.meta.url);
export const PLAYERS = 8;
export const NPCS = 4;
export const TICK_MS = 50;
/**
 * By then the compiler is done. Between a server's tenth and thirtieth second a tick's cost falls
 * by a seventh, then hardly any further.
 */
const WARM_UP_SECONDS = 30;
const IDLE_SECONDS = 5;
const JOIN_SECONDS_MAX = 40;
/**
 * One window's length. Other virtual machines on the host slow everything by up to a third, for
 * some seconds at a time, so the report shows the median over several windows.
 */
const WINDOW_SECONDS = 5;
/**
 * A window with a smaller share of the expected commands is discarded. A busy machine starves the
 * players first, and a server that receives no commands looks fast.
 */
const COMMANDS_SHARE_MIN = 0.95;
const LOST_WINDOWS_MAX = 9;

/** A server's totals at one moment. */
interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly matchTicks: number;
  readonly droppedTicks: number;
  readonly commands: number;
  readonly bytesDown: number;
  readonly desyncs: number;
  /** Clients on WebTransport, and those with a datagram path beside their socket. */
  readonly byDatagram: number;
}

/** A server's load between two moments. */
export interface Load {
  readonly cpuMsPerSecond: number;
  readonly matchTicksPerSecond: number;
  readonly bytesPerTick: number;
  readonly desyncs: number;
  /** At its end: clients on WebTransport, and those with a datagram path beside their socket. */
  readonly byDatagram: number;
}

/** The players in a server's rooms. */
export interface Crowd {
  readonly rooms: number;
  /** How long they are measured. */
  readonly seconds: number;
  /** With `auto` they take the datagrams that the server offers, and a fifth is on a bad line. */
  readonly transport: Transport | "auto";
  /** To whom the server offers datagrams; by default to all whose transport is WebTransport. */
  readonly datagrams?: "off" | "auto";
  /** Match processes; by default one process does everything. */
  readonly workers?: number;
  /** nats://… of the log's server, which machines share; undefined for a machine by itself. */
  readonly cluster?: string;
}

/** All load comes from one address, and the bench looks for the machine's limit. */
const NO_LIMITS: readonly string[] = [
  "connections",
  "connections-per-address",
  "sockets",
  "sockets-per-address",
  "seats-per-address",
].flatMap((name) => [`--${name}`, "10000"]).concat(
  ["upgrades", "messages"].flatMap((name) => [`--${name}-per-address`, "1000000/1000000"]),
  ["--rooms-per-address", "200", "--requests-per-address", "10000/10000", "--tick-load", "100"],
);

/** A server under load. */
export interface ServerLoad {
  /** ms of CPU per second without clients. */
  readonly idle: number;
  /** One entry per window with all rooms. */
  readonly loads: readonly Load[];
}

/** Measures the real server, with all its processes together. */
export async function measureServer(crowd: Crowd): Promise<ServerLoad> {
  await build(); // as `deno task serve` does
  const datagrams = crowd.datagrams ?? (crowd.transport === "webtransport" ? "on" : "off");
  const flags = ["--workers", String(crowd.workers ?? 1), "--datagrams", datagrams, ...NO_LIMITS];
  using data = await TemporaryData.make();
  const env = crowd.cluster === undefined ? {} : {
    WYVERN_CLUSTER: crowd.cluster,
    WYVERN_SECRET: "a secret of this bench alone, long enough",
    WYVERN_DATA: data.folder,
  };
  const server = await spawnTaskWith(
    env,
    "serve",
    "--port",
    "0",
    "--npcs",
    String(NPCS),
    "--seed",
    "1",
    ...flags,
  );

  try {
    const { url, workerPids } = await readStart(server.stdout.pipeThrough(new TextDecoderStream()));
    // The task's process only watches the server's.
    const pids = [...new Set([server.pid, serverPidOf(server.pid), ...workerPids])];
    const idle = await measureIdle(url, pids);
    logProgress(`nobody there: ${idle.toFixed(1)} ms of CPU a second`);
    return { idle, loads: await measureLoads({ url, pids, ...crowd }) };
  } finally {
    stop(server);
    await server.status;
  }
}

/** A server that has ended by itself has said why. */
function stop(server: Deno.ChildProcess): void {
  try {
    server.kill("SIGTERM");
  } catch {
    // It has ended.
  }
}

async function measureIdle(url: string, pids: readonly number[]): Promise<number> {
  const before = await read(url, pids);
  await pause(IDLE_SECONDS);
  const after = await read(url, pids);
  return (after.cpuMs - before.cpuMs) * 1000 / (after.atMs - before.atMs);
}

/**
 * Reads the server's URL and the ids of the processes that it started from its output, then
 * discards all further output.
 * @throws Error if the output ends before
 */
async function readStart(
  lines: ReadableStream<string>,
): Promise<{ url: string; workerPids: readonly number[] }> {
  const reader = lines.getReader();
  for (let text = "";;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server did not start:\n${text}`);
    const url = (text += value).match(/^Wyvern listens on (\S+)/m)?.[1];
    if (url === undefined) continue;
    reader.releaseLock();
    lines.pipeTo(new WritableStream());
    return {
      url,
      workerPids: [...text.matchAll(/worker_started worker=\d+ pid=(\d+)/g)].map(([, pid]) =>
        Number(pid)
      ),
    };
  }
}

interface LoadOptions extends Crowd {
  readonly url: string;
  /** All of the server's processes. */
  readonly pids: readonly number[];
}

async function measureLoads(
  { url, pids, rooms, seconds, transport }: LoadOptions,
): Promise<Load[]> {
  const players = await spawnPlayers(url, { rooms, transport });
  let areAllRunning = true;
  for (const child of players) child.status.then(() => areAllRunning = false);
  try {
    await waitForClients(url, rooms * PLAYERS);
    await pause(WARM_UP_SECONDS);
    const loads: Load[] = [];
    const count = Math.round(seconds / WINDOW_SECONDS);
    for (let lost = 0; loads.length < count;) {
      const before = await read(url, pids);
      await pause(WINDOW_SECONDS);
      const load = loadBetween(before, await read(url, pids), rooms);
      if (!areAllRunning) throw new Error("a process of players has ended");
      if (load !== undefined) loads.push(load);
      else if (++lost > LOST_WINDOWS_MAX) {
        throw new Error("this machine is too busy: players or server do not keep up");
      }
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
 * @returns undefined if the server dropped ticks or the players sent too few commands, because the
 * server then did less work than a match needs
 */
function loadBetween(before: Reading, after: Reading, rooms: number): Load | undefined {
  const passed = (after.atMs - before.atMs) / 1000;
  const matchTicks = after.matchTicks - before.matchTicks;
  const cpuMs = after.cpuMs - before.cpuMs;
  const dropped = after.droppedTicks - before.droppedTicks;
  const commandsPerTick = (after.commands - before.commands) / (rooms * passed * 1000 / TICK_MS);
  logProgress(
    `${rooms} rooms: ${
      (cpuMs / passed).toFixed(1)
    } ms of CPU a second, ${matchTicks} match-ticks in ${
      passed.toFixed(1)
    } s, ${dropped} dropped, ${commandsPerTick.toFixed(2)} commands each`,
  );
  if (dropped > 0 || commandsPerTick < COMMANDS_SHARE_MIN * PLAYERS) return undefined;
  return {
    cpuMsPerSecond: cpuMs / passed,
    matchTicksPerSecond: matchTicks / passed,
    bytesPerTick: (after.bytesDown - before.bytesDown) / matchTicks,
    desyncs: after.desyncs - before.desyncs,
    byDatagram: after.byDatagram,
  };
}

/** Starts one process of bots and one of the crowd. Both run until they are killed. */
async function spawnPlayers(
  url: string,
  { rooms, transport }: Pick<Crowd, "rooms" | "transport">,
): Promise<Deno.ChildProcess[]> {
  const clients = String(PLAYERS);
  const place = ["--url", url.replace("http", "ws"), "--room", "BOTS"];
  const bots = await spawnTask(
    "bots",
    ...place,
    "--transport",
    transport,
    "--clients",
    clients,
    "--seconds",
    "86400",
  );
  const crowd = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--unstable-net",
      "--allow-net",
      SOCKET_SETTINGS,
      CROWD.pathname,
      url,
      String(rooms - 1),
      transport,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  for (const child of [bots, crowd]) {
    // Real players use other machines, so a low priority keeps these from delaying the server.
    setPriority(child.pid, 10);
    for (const stream of [child.stdout, child.stderr]) stream.pipeTo(new WritableStream());
  }

  return [bots, crowd];
}

async function waitForClients(url: string, clients: number): Promise<void> {
  for (
    const endMs = performance.now() + JOIN_SECONDS_MAX * 1000;
    performance.now() < endMs;
    await pause(0.1)
  ) {
    if (sumOf(await metricsOf(url), "wyvern_clients") === clients) return;
  }
  throw new Error(`there are not ${clients} clients after ${JOIN_SECONDS_MAX} s`);
}

async function read(url: string, pids: readonly number[]): Promise<Reading> {
  const text = await metricsOf(url);
  return {
    atMs: performance.now(),
    cpuMs: (await Promise.all(pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0),
    matchTicks: sumOf(text, "wyvern_match_ticks_total"),
    droppedTicks: sumOf(text, "wyvern_ticks_dropped_total"),
    commands: sumOf(text, "wyvern_commands_total", 'verdict="taken"') +
      sumOf(text, "wyvern_commands_total", 'verdict="late"'),
    bytesDown: sumOf(text, "wyvern_down_bytes_total"),
    desyncs: sumOf(text, "wyvern_desyncs_total"),
    byDatagram: sumOf(text, "wyvern_sockets", 'transport="webtransport"') +
      sumOf(text, "wyvern_datagram_paths"),
  };
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

export function logProgress(line: string): void {
  console.error(line);
}

/** CPU time per match-tick in each window, without that of a server without clients, ms. */
export function msPerTickOf({ idle, loads }: ServerLoad): number[] {
  return loads.map((load) => (load.cpuMsPerSecond - idle) / load.matchTicksPerSecond);
}
