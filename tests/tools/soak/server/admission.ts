/**
 * Loads a server until it admits no more players (SPEC 14.12), and observes those inside: rooms of
 * eight players are added from several addresses until a hello gets 4010. Then a newcomer asks
 * every second, so that the server stays at its limit for a while. Finally some leave, and others
 * must come in.
 */
import { clock, wait } from "../../../../server/ground/ticker.ts";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { Crowd, roomCode } from "./crowd.ts";
import { rounded, ticksBetween } from "./figures.ts";
import { type Disturbances, HonestPlayers } from "./honest_players.ts";
import { MeasuredServer } from "./measured_server.ts";

const PLAYERS_PER_ROOM = 8;
/** Fewer than an address may open, and 160 players: below each limit for one address. */
const ROOMS_PER_ADDRESS = 20;
/** Addresses take turns, so that none reaches the limit on new sockets. */
const ADDRESSES = 20;
/** The server judges by the ticks in the last 5 s, of which few slow ones are enough. */
const ADD_EVERY_MS = 250;
/** How long the server stays at its limit, s. */
const LIMIT_SECONDS = 30;
const ASK_EVERY_MS = 1000;
/** A quarter of the players leaves. */
const LEAVING_SHARE = 0.25;
/** Twice the time over which the server judges. */
const READY_WITHIN_MS = 15_000;
const MEAN_TICK_MS_MAX = 35;
/** A busy machine starves the crowd first, and a server without commands looks fast. */
const COMMAND_SHARE_MIN = 0.9;
/** `/readyz` may differ from a hello's answer a moment before, because a tick lies between both. */
const UNTRUE_SHARE_MAX = 0.2;

export interface AdmissionFigures extends Disturbances {
  /** At the limit. */
  readonly rooms: number;
  readonly players: number;
  /** Commands that came in time, per player and tick. */
  readonly commandShare: number;
  readonly meanTickMs: number;
  readonly p95TickMs: number;
  /** Whether every answer of `/healthz` at the limit was ok. */
  readonly healthy: boolean;
  /** What `/readyz` said at the first refusal. */
  readonly ready: boolean;
  readonly reason: string;
  /** How many hellos came at the limit, and after how many of them `/readyz` said the opposite. */
  readonly asked: number;
  readonly untrue: number;
  readonly droppedTicks: number;
  /** How many of eight newcomers came in after some players had left. */
  readonly readmitted: number;
  /** How much of a core the crowd took at the limit, as a share. */
  readonly crowdCpu: number;
}

export interface AdmissionOptions {
  readonly seed: number;
  readonly limitSeconds?: number;
  readonly readyWithinMs?: number;
  /** The server's flags. */
  readonly flags?: readonly string[];
  readonly log: (line: string) => void;
}

export async function soakAdmission(
  { seed, limitSeconds = LIMIT_SECONDS, readyWithinMs = READY_WITHIN_MS, flags = [], log }:
    AdmissionOptions,
): Promise<AdmissionFigures> {
  await using server = await MeasuredServer.start("--seed", String(seed), ...flags);
  using honest = new HonestPlayers(server.url, { count: 4, seed });
  await honest.untilPlaying();
  const crowd = new Crowd(server.port, { seed });

  try {
    const filling = new Filling({ server, crowd, log });
    const { ready, reason } = await filling.fill();
    const [before, cpuMs] = [await server.ticks(), await crowd.cpuMs()];
    const beganMs = clock.now();
    const atLimit = await filling.stay(limitSeconds);
    const { meanMs, p95Ms, dropped, commands } = ticksBetween(before, await server.ticks());
    const crowdCpu = (await crowd.cpuMs() - cpuMs) / (clock.now() - beganMs);
    const disturbances = honest.disturbances();
    const { rooms } = await server.health();
    const { inside } = await crowd.report();
    log(
      `admission: ${inside} players in ${rooms} rooms, ${
        rounded(meanMs, 1)
      } ms a tick; now a quarter leaves`,
    );
    return {
      rooms,
      players: inside + honest.bots.length,
      commandShare: rounded(commands / (inside + honest.bots.length), 3),
      meanTickMs: rounded(meanMs, 2),
      p95TickMs: rounded(p95Ms, 2),
      ready,
      reason,
      ...atLimit,
      ...disturbances,
      droppedTicks: dropped,
      readmitted: await filling.readmit(Math.ceil(inside * LEAVING_SHARE), readyWithinMs),
      crowdCpu: rounded(crowdCpu, 2),
    };
  } finally {
    await crowd.end();
  }
}

/** @returns the bars that the figures miss */
export function admissionFaults(figures: AdmissionFigures): string[] {
  const {
    commandShare,
    meanTickMs,
    healthy,
    ready,
    reason,
    asked,
    untrue,
    closes,
    desyncs,
    gaps,
    droppedTicks,
    readmitted,
  } = figures;
  const faults: string[] = [];
  if (meanTickMs > MEAN_TICK_MS_MAX) faults.push(`a tick takes ${meanTickMs} ms`);
  if (commandShare < COMMAND_SHARE_MIN) {
    faults.push(`the crowd sent only ${commandShare} commands a player and tick`);
  }
  if (!healthy) faults.push("/healthz was not ok");
  if (ready || reason === "") faults.push("/readyz gave no reason at the limit");
  if (untrue > UNTRUE_SHARE_MAX * asked) {
    faults.push(`/readyz was wrong ${untrue} times of ${asked}`);
  }
  if (closes + desyncs + gaps + droppedTicks > 0) {
    faults.push(
      `felt inside: ${closes} closes, ${desyncs} desyncs, ${gaps} gaps, ${droppedTicks} dropped ticks`,
    );
  }

  if (readmitted === 0) faults.push("nobody came in after some had left");
  return faults;
}

/** One server's rooms as they fill. */
class Filling {
  readonly #server: MeasuredServer;
  readonly #crowd: Crowd;
  readonly #log: (line: string) => void;
  #rooms = 0;

  constructor(
    { server, crowd, log }: { server: MeasuredServer; crowd: Crowd; log: (line: string) => void },
  ) {
    this.#server = server;
    this.#crowd = crowd;
    this.#log = log;
  }

  /**
   * Adds rooms until a hello is refused.
   * @returns what `/readyz` says then
   * @throws Error if nobody is refused
   */
  async fill(): Promise<{ ready: boolean; reason: string }> {
    while (this.#rooms < ADDRESSES * ROOMS_PER_ADDRESS) {
      const wasRefused = await this.#addRoom(PLAYERS_PER_ROOM);
      const { ready, reason } = await this.#server.readiness();
      if (wasRefused) return { ready, reason };
      if (this.#rooms % 10 === 0) {
        this.#log(`admission: ${this.#rooms} rooms of ${PLAYERS_PER_ROOM}`);
      }
      await wait(ADD_EVERY_MS);
    }
    throw new Error(`${this.#rooms} rooms are open, and nobody was refused`);
  }

  /** Stays at the limit while one more player asks every second. */
  async stay(seconds: number): Promise<{ healthy: boolean; asked: number; untrue: number }> {
    const endMs = clock.now() + seconds * 1000;
    let healthy = true;
    let asked = 0;
    let untrue = 0;
    for (; clock.now() < endMs; await wait(ASK_EVERY_MS)) {
      const wasRefused = await this.#addRoom(1);
      const { ready } = await this.#server.readiness();
      asked++;
      if (wasRefused === ready) untrue++;
      healthy &&= (await this.#server.health()).ok;
    }
    return { healthy, asked, untrue };
  }

  /** Lets some leave. @returns how many of eight newcomers come in once `/readyz` says so */
  async readmit(leaving: number, readyWithinMs: number): Promise<number> {
    await this.#crowd.remove(leaving);
    for (const endMs = clock.now() + readyWithinMs; clock.now() < endMs; await wait(ADD_EVERY_MS)) {
      if ((await this.#server.readiness()).ready) break;
    }
    const { joins } = await this.#crowd.report();
    await this.#addRoom(PLAYERS_PER_ROOM);
    return (await this.#crowd.report()).joins - joins;
  }

  /**
   * Adds players to a new room.
   * @returns whether one was refused for lack of capacity
   * @throws Error for other reasons
   */
  async #addRoom(count: number): Promise<boolean> {
    const address = `127.0.1.${1 + this.#rooms % ADDRESSES}`;
    const { refusals: before } = await this.#crowd.report();
    const { refusals } = await this.#crowd.add({
      count,
      address,
      room: roomCode(this.#rooms++),
      role: "player",
    });
    const { [CloseCode.busy]: busy = 0, ...others } = refusals;
    if (Object.keys(others).length > 0) {
      throw new Error(`players were refused: ${JSON.stringify(refusals)}`);
    }
    return busy > (before[CloseCode.busy] ?? 0);
  }
}
