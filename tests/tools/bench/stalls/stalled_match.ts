/**
 * Eight bots on a real server process that signals stop again and again, as a garbage collector or
 * a busy machine would. Bots and server run on one machine and share its clock, so their times can
 * be compared.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { BotClient, type BotOptions } from "../../../../client/bots/bot_client.ts";
import type { BotPerception, BotPlayer } from "../../../../client/bots/npc_bot.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { unixClock, wait } from "../../../../server/ground/ticker.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { metricsOf, sampleOf } from "../match/server_readings.ts";
import type { Probe } from "./probed_server.ts";

const PROBED_SERVER = new URL("probed_server.ts", import.meta.url);
const BOTS = 8;
const NPCS = 4;
/** How many of the bots play by datagrams; the others use WebSocket. */
const BOTS_BY_DATAGRAMS = 4;
const JOIN_SECONDS_MAX = 40;
/** By then clocks and leads have converged, and the compiler is done with what is called most. */
const WARM_UP_MS = 8_000;
/**
 * How long the server runs between two stalls, ms: long enough for leads and clocks to come to
 * rest, and random, so that a stall begins at any time of a tick.
 */
const PAUSE_MS_MIN = 450;
const PAUSE_MS_RANGE = 150;
/** Within this time the last commands get their outcome, ms. */
const TAIL_MS = 1_000;
/** A command arrived in time if it was written this long before its tick was due, ms. */
const BEFORE_DUE_MS = 5;

export interface StalledMatchOptions {
  /** How long each stall lasts, ms, in the order of the stalls. */
  readonly stallsMs: readonly number[];
  readonly seed: number;
  /** Whether late ticks get turns of the event loop. */
  readonly hasTurns: boolean;
  /** Called after each stall. @param done stalls so far */
  readonly onStall?: (done: number) => void;
}

/** A command, and what became of it. */
export interface StalledCommand {
  readonly isByDatagrams: boolean;
  /**
   * How long the stall lasted during which it was written, ms; 0 if it was written outside of
   * stalls.
   */
  readonly stallMs: number;
  /** Whether it was written in time. */
  readonly isInTime: boolean;
  readonly isTaken: boolean;
}

export interface StalledMatch {
  /** Every command for a tick that ran between the first stall and the end. */
  readonly commands: readonly StalledCommand[];
  /** How many commands the server read late because it was late itself, by its own count. */
  readonly lateByServer: number;
  /**
   * From each stall's end to the first of its late ticks, ms; none for a stall that made no tick
   * late.
   */
  readonly waitsMs: readonly number[];
}

/** A command as its bot wrote it, and when, ms since 1970. */
interface WrittenCommand {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly atMs: number;
  readonly isByDatagrams: boolean;
}

/** From the signal that stopped the process to the one that continued it, ms since 1970. */
interface Stall {
  readonly ms: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Plays with a server that stalls. @throws Error if a bot cannot join, or its link ends */
export async function playStalled(
  { stallsMs, seed, hasTurns, onStall }: StalledMatchOptions,
): Promise<StalledMatch> {
  const random = new Random(seed);
  const flags = [
    "--datagrams",
    "on",
    "--npcs",
    String(NPCS),
    "--seed",
    String(seed),
    "--tick-load",
    "100",
  ];
  await using server = await ServerProcess.startScript(
    PROBED_SERVER,
    ...hasTurns ? [] : ["without-turns"],
    ...flags,
  );
  const [, probeUrl] = (await server.waitForOutput(/^The probe listens on (\S+)/m))!;

  const written: WrittenCommand[] = [];
  const bots = Array.from(
    { length: BOTS },
    (_, index) => newBot(index, { url: server.url, random, written }),
  );

  try {
    await untilAllPlay(bots);
    await wait(WARM_UP_MS);

    const stalls: Stall[] = [];
    for (const ms of stallsMs) {
      await wait(PAUSE_MS_MIN + random.below(PAUSE_MS_RANGE));
      stalls.push(await stallOnce(server, ms));
      onStall?.(stalls.length);
    }
    await wait(TAIL_MS);

    const fault = bots.find(({ error }) => error !== undefined)?.error;
    if (fault !== undefined) throw new Error(`a bot has ended: ${fault}`);
    const probe: Probe = await (await fetch(probeUrl!)).json();
    const metrics = await metricsOf(server.url);
    return {
      commands: commandsOf(written, { probe, stalls }),
      lateByServer: sampleOf(metrics, "wyvern_commands_late_by_server_total"),
      waitsMs: waitsMsOf(probe, stalls),
    };
  } finally {
    for (const bot of bots) bot.stop();
  }
}

/** A bot that records when it gives each command, which its session sends in the same call. */
function newBot(
  index: number,
  { url, random, written }: { url: string; random: Random; written: WrittenCommand[] },
): BotClient {
  const isByDatagrams = index < BOTS_BY_DATAGRAMS;
  const options: BotOptions = {
    game: dragonGame as unknown as BotOptions["game"],
    newBot: (seed) => {
      const bot = new Bot(seed) as unknown as BotPlayer<unknown>;
      let perception: BotPerception<unknown> | undefined;
      return {
        attach(session) {
          perception = session;
          bot.attach(session);
        },
        next(tick, acknowledged) {
          const command = bot.next(tick, acknowledged);
          written.push({
            seat: perception?.seat ?? -1,
            tick,
            atMs: unixClock.now(),
            isByDatagrams,
          });
          return command;
        },
      };
    },
    network: { oneWayMs: 0, jitterMs: 0 },
    url: url.replace("http", "ws"),
    room: "STAL",
    stream: "commands",
    transport: isByDatagrams ? "webtransport" : "websocket",
  };
  return new BotClient(options, index, random);
}

async function untilAllPlay(bots: readonly BotClient[]): Promise<void> {
  const endMs = performance.now() + JOIN_SECONDS_MAX * 1000;
  while (!bots.every(({ isPlaying }) => isPlaying)) {
    const fault = bots.find(({ error }) => error !== undefined)?.error;
    if (fault !== undefined) throw new Error(`a bot cannot join: ${fault}`);
    if (performance.now() > endMs) {
      throw new Error(`${BOTS} bots do not play after ${JOIN_SECONDS_MAX} s`);
    }
    await wait(100);
  }
}

async function stallOnce(server: ServerProcess, ms: number): Promise<Stall> {
  server.signal("SIGSTOP");
  const fromMs = unixClock.now();
  await wait(ms);
  const toMs = unixClock.now();
  server.signal("SIGCONT");
  return { ms, fromMs, toMs };
}

/**
 * @returns the commands whose ticks ran between the first stall and the end, each with its outcome
 */
function commandsOf(
  written: readonly WrittenCommand[],
  { probe, stalls }: { probe: Probe; stalls: readonly Stall[] },
): StalledCommand[] {
  const dueMsOf = new Map(probe.ticks.map(({ tick, dueMs }) => [tick, dueMs]));
  const taken = new Set(
    probe.commands.filter(({ isTaken }) => isTaken).map(({ seat, tick }) => `${seat} ${tick}`),
  );
  const fromMs = stalls[0]!.fromMs;
  return written.flatMap(({ seat, tick, atMs, isByDatagrams }) => {
    const dueMs = dueMsOf.get(tick);
    if (dueMs === undefined || dueMs < fromMs) return [];
    const stallMs = stalls.find((stall) => atMs >= stall.fromMs && atMs < stall.toMs)?.ms ?? 0;
    const isInTime = dueMs - atMs > BEFORE_DUE_MS;
    return { isByDatagrams, stallMs, isInTime, isTaken: taken.has(`${seat} ${tick}`) };
  });
}

/** From each stall's end to the first tick that had come due during it, ms. */
function waitsMsOf({ ticks }: Probe, stalls: readonly Stall[]): number[] {
  return stalls.flatMap(({ toMs }) => {
    const first = ticks.find(({ ranMs }) => ranMs >= toMs);
    return first === undefined || first.dueMs > toMs ? [] : first.ranMs - toMs;
  });
}
