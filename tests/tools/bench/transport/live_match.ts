/**
 * The match of the benchmark with real processes and real sockets:
 *
 *     a process for each bot ── relays of this process: TCP for WebSocket, UDP for WebTransport ── server's process
 *
 * The relays have an address of their own and the server's port, because a ticket names only the
 * port of datagrams.
 */
import { setPriority } from "node:os";
import { wait } from "../../../../server/ground/ticker.ts";
import type { CommandArrival } from "../../lab/queues/oracle.ts";
import { Proxy } from "../../../support/proxy.ts";
import type { Line } from "../../../support/relay/line.ts";
import { UdpRelay } from "../../../support/relay/udp_relay.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { spawnTask, textOf } from "../../../support/task.ts";
import { cpuMsOf, metricsOf, sampleOf } from "../match/server_readings.ts";
import { type MatchPlan, type Transport, withMissing } from "./plan.ts";

const PROBED_SERVER = new URL("probed_server.ts", import.meta.url);
const RELAYS_ADDRESS = "127.0.0.2";
/** Otherwise a busy machine would send the bots away. */
const ALWAYS_READY = ["--tick-load", "100"];
const IDLE_SECONDS = 5;
const JOIN_SECONDS_MAX = 40;
/** How long the bots play on after the window, ms. */
const TAIL_MS = 2_000;
/** Keeps the bots from delaying the server. */
const BOTS_PRIORITY = 5;

export interface LiveMatch {
  /** Each bot's commands for the ticks that were due in the window. */
  readonly bots: readonly CommandArrival[][];
  /** How many desyncs bots reported in the window. */
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
  const flags = [
    "--datagrams",
    "on",
    "--npcs",
    String(npcs),
    "--seed",
    String(line.seed),
    ...ALWAYS_READY,
  ];
  await using server = await ServerProcess.startScript(PROBED_SERVER, ...flags);
  const [, probe] = (await server.waitForOutput(/^The probe listens on (\S+)/m))!;
  const place = { hostname: RELAYS_ADDRESS, port: server.port };
  await using _tcp = new Proxy(server.port, line, place);
  using _udp = new UdpRelay({ target: server.port, line, ...place });
  const idle = loadBetween(
    await readingOf(server),
    (await wait(Math.min(IDLE_SECONDS, seconds) * 1000), await readingOf(server)),
  );
  await using processes = new AsyncDisposableStack();
  const failures: Promise<never>[] = [];

  for (let n = 1; n <= bots; n++) {
    // Starts them one after the other, because their compilers would keep each other, and the
    // server, busy.
    const bot = await BotProcess.start(`ws://${RELAYS_ADDRESS}:${server.port}`, {
      transport,
      seed: line.seed + n,
    });
    processes.use(bot);
    failures.push(bot.failed);
    await Promise.race([untilClients(server, n), bot.failed]);
  }

  const passed = (ms: number) => Promise.race([wait(ms), ...failures]);
  await passed(warmUpSeconds * 1000);
  const before = await readingOf(server);
  await passed(seconds * 1000);
  const load = loadBetween(before, await readingOf(server));
  await passed(TAIL_MS);
  const all: CommandArrival[][] = await (await fetch(probe!)).json();
  const fromMs = Math.max(...all.map(([first]) => first!.dueMs)) + warmUpSeconds * 1000;
  const isInside = ({ dueMs }: CommandArrival) =>
    dueMs >= fromMs && dueMs < fromMs + seconds * 1000;
  return {
    bots: all.map((arrivals) => withMissing(arrivals).filter(isInside)),
    desyncs: load.desyncs,
    cpuMsPerMatchTick: (load.cpuMsPerSecond - idle.cpuMsPerSecond) / load.ticksPerSecond,
    droppedTicks: load.droppedTicks,
  };
}

/**
 * One bot in a process of its own, as each player uses a machine, because in one process eight
 * bots' rollbacks would delay each other's commands.
 */
class BotProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  #isKilled = false;
  /** Rejects when the bot ends by itself, because it cannot join or its link has ended. */
  readonly failed: Promise<never>;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    setPriority(child.pid, BOTS_PRIORITY);
    const output = Promise.all([textOf(child.stdout), textOf(child.stderr), child.status]);
    this.failed = output.then(([, stderr]) => {
      if (this.#isKilled) return new Promise<never>(() => {});
      throw new Error(`a bot has ended:\n${stderr}`);
    });
    this.failed.catch(() => {});
  }

  /** It plays until it is disposed of. */
  static async start(
    url: string,
    { transport, seed }: { transport: Transport; seed: number },
  ): Promise<BotProcess> {
    const flags = [
      "--url",
      url,
      "--transport",
      transport,
      "--seed",
      String(seed),
      "--clients",
      "1",
    ];
    return new BotProcess(await spawnTask("bots", ...flags, "--seconds", "86400"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isKilled = true;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#child.status;
  }
}

/** A server's totals at one moment. */
interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly matchTicks: number;
  readonly droppedTicks: number;
  readonly desyncs: number;
}

async function readingOf({ url, pid }: ServerProcess): Promise<Reading> {
  const text = await metricsOf(url);
  return {
    atMs: performance.now(),
    cpuMs: await cpuMsOf(pid),
    matchTicks: sampleOf(text, "wyvern_match_ticks_total"),
    droppedTicks: sampleOf(text, "wyvern_ticks_dropped_total"),
    desyncs: sampleOf(text, "wyvern_desyncs_total"),
  };
}

function loadBetween(before: Reading, after: Reading) {
  const seconds = (after.atMs - before.atMs) / 1000;
  return {
    cpuMsPerSecond: (after.cpuMs - before.cpuMs) / seconds,
    ticksPerSecond: (after.matchTicks - before.matchTicks) / seconds,
    droppedTicks: after.droppedTicks - before.droppedTicks,
    desyncs: after.desyncs - before.desyncs,
  };
}

async function untilClients({ url }: ServerProcess, clients: number): Promise<void> {
  for (
    const endMs = performance.now() + JOIN_SECONDS_MAX * 1000;
    performance.now() < endMs;
    await wait(100)
  ) {
    if (sampleOf(await metricsOf(url), "wyvern_clients") === clients) return;
  }
  throw new Error(`there are not ${clients} bots after ${JOIN_SECONDS_MAX} s`);
}
