/**
 * The match of the benchmark with real processes and real sockets:
 *
 *     a process for each bot ── relays of this process: TCP for WebSocket, UDP for WebTransport ── server's process
 *
 * The relays have an address of their own and the server's port, because a ticket names only the port of datagrams.
 */
import { setPriority } from "node:os";
import { wait } from "../../../server/ticker.ts";
import type { CommandArrival } from "../../lab/queues/oracle.ts";
import { Proxy } from "../../support/proxy.ts";
import type { Line } from "../../support/relay/line.ts";
import { UdpRelay } from "../../support/relay/udp_relay.ts";
import { ServerProcess } from "../../support/server_process.ts";
import { spawnTask, textOf } from "../../support/task.ts";
import { cpuMsOf, metricsOf, sampleOf } from "../match/server_readings.ts";
import { type MatchPlan, type Transport, withMissing } from "./plan.ts";

const PROBED_SERVER = new URL("probed_server.ts", import.meta.url);
const RELAYS_ADDRESS = "127.0.0.2";
/** A busy machine would send the bots away. */
const ALWAYS_READY = ["--tick-load", "100"];
const IDLE_SECONDS = 5;
const JOIN_SECONDS_MAX = 40;
/** The bots play on for so long after the window. */
const TAIL_SECONDS = 2;
/** The bots may not delay the server, either. */
const BOTS_PRIORITY = 5;

export interface LiveMatch {
  /** Each bot's commands whose ticks were due in the window. */
  readonly bots: readonly CommandArrival[][];
  readonly desyncs: number;
  /** The server's CPU time beyond that without clients, ms. */
  readonly cpuMsPerMatchTick: number;
  readonly droppedTicks: number;
}

/** @throws Error if a bot cannot join, or its link ends */
export async function playLive(
  { bots, npcs, warmUpSeconds, seconds }: MatchPlan,
  { transport, ...line }: Line & { transport: Transport },
): Promise<LiveMatch> {
  const flags = ["--datagrams", "on", "--npcs", String(npcs), "--seed", String(line.seed), ...ALWAYS_READY];
  await using server = await ServerProcess.startScript(PROBED_SERVER, ...flags);
  const [, probe] = (await server.waitForOutput(/^The probe listens on (\S+)/m))!;
  const place = { hostname: RELAYS_ADDRESS, port: server.port };
  await using _tcp = new Proxy(server.port, line, place);
  using _udp = new UdpRelay({ target: server.port, line, ...place });
  const idle = loadBetween(
    await readingOf(server),
    (await wait(Math.min(IDLE_SECONDS, seconds) * 1000), await readingOf(server)),
  );
  const url = `ws://${RELAYS_ADDRESS}:${server.port}`, playSeconds = warmUpSeconds + seconds + TAIL_SECONDS;
  const ended = Promise.all(
    Array.from({ length: bots }, (_, i) => playBot({ url, transport, seconds: playSeconds, seed: line.seed + i })),
  );
  await Promise.race([untilClients(server, bots), ended]);
  await wait(warmUpSeconds * 1000);
  const before = await readingOf(server);
  await wait(seconds * 1000);
  const load = loadBetween(before, await readingOf(server));
  const desyncs = (await ended).reduce((sum, count) => sum + count, 0);
  const all: CommandArrival[][] = await (await fetch(probe!)).json();
  const fromMs = Math.max(...all.map(([first]) => first!.dueMs)) + warmUpSeconds * 1000;
  const isInside = ({ dueMs }: CommandArrival) => dueMs >= fromMs && dueMs < fromMs + seconds * 1000;
  return {
    bots: all.map((arrivals) => withMissing(arrivals).filter(isInside)),
    desyncs,
    cpuMsPerMatchTick: (load.cpuMsPerSecond - idle.cpuMsPerSecond) / load.ticksPerSecond,
    droppedTicks: load.droppedTicks,
  };
}

interface BotOrder {
  readonly url: string;
  readonly transport: Transport;
  readonly seconds: number;
  readonly seed: number;
}

/**
 * Plays one bot in a process of its own, as each player has a machine: the rollbacks of eight in one process would delay
 * each other's commands.
 * @returns its desyncs @throws Error if it cannot join, or its link ends
 */
async function playBot({ url, transport, seconds, seed }: BotOrder): Promise<number> {
  const flags = ["--url", url, "--transport", transport, "--seconds", String(seconds), "--seed", String(seed)];
  const child = await spawnTask("bots", ...flags, "--clients", "1", "--json");
  setPriority(child.pid, BOTS_PRIORITY);
  const [stdout, stderr, { code }] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.status]);
  if (code !== 0) throw new Error(`a bot ended with code ${code}:\n${stderr}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!).desyncs;
}

/** A server's totals at a moment. */
interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly matchTicks: number;
  readonly droppedTicks: number;
}

async function readingOf({ url, pid }: ServerProcess): Promise<Reading> {
  const text = await metricsOf(url);
  return {
    atMs: performance.now(),
    cpuMs: await cpuMsOf(pid),
    matchTicks: sampleOf(text, "wyvern_match_ticks_total"),
    droppedTicks: sampleOf(text, "wyvern_ticks_dropped_total"),
  };
}

function loadBetween(before: Reading, after: Reading) {
  const seconds = (after.atMs - before.atMs) / 1000;
  return {
    cpuMsPerSecond: (after.cpuMs - before.cpuMs) / seconds,
    ticksPerSecond: (after.matchTicks - before.matchTicks) / seconds,
    droppedTicks: after.droppedTicks - before.droppedTicks,
  };
}

async function untilClients({ url }: ServerProcess, clients: number): Promise<void> {
  for (const endMs = performance.now() + JOIN_SECONDS_MAX * 1000; performance.now() < endMs; await wait(100)) {
    if (sampleOf(await metricsOf(url), "wyvern_clients") === clients) return;
  }
  throw new Error(`there are not ${clients} bots after ${JOIN_SECONDS_MAX} s`);
}
