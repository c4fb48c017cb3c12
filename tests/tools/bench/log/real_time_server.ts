/**
 * Runs a server's rooms in this process, on a clock of their own, so that with the same seed all
 * servers play the same matches, whatever their logs do. Stopwatches run while a tick is computed,
 * recorded and sent, and not while its record waits for the disk.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { deflateRawSync } from "node:zlib";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { FileLogs, type SyncMode } from "../../../../server/match_log/file_logs.ts";
import type { MatchLogs } from "../../../../server/match_log/match_logs.ts";
import type { MatchLog } from "../../../../server/match/match_recorder.ts";
import { Rooms } from "../../../../server/rooms/rooms.ts";
import { DEFAULT_LIMITS } from "../../../../server/settings/limits.ts";
import { clock, Ticker, unixClock, wait } from "../../../../server/ground/ticker.ts";
import {
  type Game,
  PLAYER_SEATS,
  type Simulation,
  type Tick,
} from "../../../../shared/netcode/game.ts";
import { seededSecret, seededTokens } from "../../../support/seeded_secret.ts";
import { AHEAD_TICKS, joinPlayer, type LocalPlayer } from "../match/local_player.ts";

const TICK_MS = 1000 / dragonGame.tickHz;
const LETTERS = 26;
const FIRST_LETTER = 65;
/** How often the server checks whether the disk has stored all records, ms. */
const POLLED_MS = 1;

/** What a server's logs do; "none" is `--data off`. */
export type LogMode = SyncMode | "none";

/** A tick that counts. */
export interface MeasuredTick {
  readonly tick: Tick;
  /** How long all matches took, ms. */
  costMs: number;
  /** From its due time until the last match sent it, ms. */
  latenessMs: number;
}

export interface RealTimeServerOptions {
  readonly mode: LogMode;
  /** Where the logs are; not used without logs. */
  readonly folder: string;
  readonly matches: number;
  readonly players: number;
  readonly npcs: number;
}

export class RealTimeServer implements AsyncDisposable {
  readonly mode: LogMode;
  readonly ticks: MeasuredTick[] = [];
  readonly #files: FileLogs | undefined;
  readonly #rooms: Rooms<unknown>;
  readonly #simulations: Simulation<unknown>[] = [];
  readonly #players: readonly (readonly LocalPlayer[])[];
  readonly #clock = { nowMs: 0, now: () => this.#clock.nowMs };
  #commands: (() => void)[] | undefined;
  #dueMs = 0;
  /** Records that the disk has not stored yet. */
  #waiting = 0;
  /** The bytes of all records that count. */
  logBytes = 0;
  #warmTicks = 0;

  constructor({ mode, folder, matches, players, npcs }: RealTimeServerOptions) {
    this.mode = mode;
    this.#files = mode === "none"
      ? undefined
      : FileLogs.open({ folder, sync: mode, clock: unixClock, log() {} });
    const game: Game<unknown> = {
      ...dragonGame as Game<unknown>,
      start: (options, seed) => {
        const simulation = (dragonGame as Game<unknown>).start(options, seed);
        this.#simulations.push(simulation);
        return simulation;
      },
    };
    const timed = { game: dragonGame as Game<unknown>, newBot: (seed: number) => new Bot(seed) };
    this.#rooms = new Rooms({
      games: { dragons: game },
      clock: this.#clock,
      npcs,
      secret: seededSecret(1),
      newToken: seededTokens(1),
      // All players come from this process.
      limits: { ...DEFAULT_LIMITS, roomsPerAddress: matches, seatsPerAddress: matches * players },
      stream: "commands",
      deflate: deflateRawSync,
      unixClock,
      log() {},
      ...(this.#files !== undefined && { logs: this.#timed(this.#files) }),
    });
    this.#players = Array.from({ length: matches }, (_, match) => {
      const room = `BN${letterOf(match / LETTERS)}${letterOf(match % LETTERS)}`;
      return Array.from(
        { length: players },
        (_, i) => joinPlayer(this.#rooms, timed, { room, seed: match * PLAYER_SEATS + i }),
      );
    });
  }

  /** Runs ticks as fast as it can, without counting them. */
  async warmUp(ticks: number): Promise<void> {
    for (let i = 0; i < ticks; i++) {
      this.#run(clock.now());
      await this.#written();
    }
    this.ticks.length = 0;
    this.logBytes = 0;
    this.#warmTicks = this.#tickSum;
  }

  /** Match-ticks that count. A match runs none while its record is still being written. */
  get matchTicks(): number {
    return this.#tickSum - this.#warmTicks;
  }

  get #tickSum(): number {
    return this.#simulations.reduce((sum, { tick }) => sum + tick, 0);
  }

  /** Runs ticks in real time, as the server does. */
  async play(ticks: number): Promise<void> {
    await new Promise<void>((resolve) => {
      let left = ticks;
      const ticker = new Ticker({
        hz: dragonGame.tickHz,
        onMidTick: () => this.#think(),
        onTick: (dueMs) => {
          this.#run(dueMs);
          if (--left > 0) return;
          ticker.stop();
          resolve();
        },
        onDropped() {},
      });
      ticker.start();
    });
    await this.#written();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files?.close();
  }

  /** Lets the bots decide, outside of the server's stopwatches. */
  #think(): void {
    this.#commands = this.#players.flatMap((players, match) => {
      const simulation = this.#simulations[match]!;
      const tick = simulation.tick + AHEAD_TICKS;
      return players.map((player) => {
        const message = player.commandMessageFor({ tick, simulation });
        return () => player.send(message);
      });
    });
  }

  #run(dueMs: number): void {
    if (this.#commands === undefined) this.#think();
    for (const send of this.#commands!) send();
    this.#commands = undefined;
    this.#dueMs = dueMs;
    this.#clock.nowMs += TICK_MS;
    this.ticks.push({ tick: this.#simulations[0]!.tick + 1, costMs: 0, latenessMs: 0 });
    this.#time(() => this.#rooms.tick(this.#clock.nowMs));
  }

  #time(act: () => void): void {
    const beganMs = clock.now();
    const tick = this.ticks.at(-1)!;
    act();
    const endedMs = clock.now();
    tick.costMs += endedMs - beganMs;
    tick.latenessMs = endedMs - this.#dueMs;
  }

  async #written(): Promise<void> {
    while (this.#waiting > 0) await wait(POLLED_MS);
  }

  /** Logs that let a stopwatch run for what waits for their records. */
  #timed(files: MatchLogs): MatchLogs {
    return {
      unfinished: () => [],
      create: (room): MatchLog => {
        const log = files.create(room, "");
        return {
          id: log.id,
          epoch: log.epoch,
          end: (frame) => log.end(frame),
          get isOpen() {
            return log.isOpen;
          },
          append: (frame) => {
            this.logBytes += frame.length;
            const written = log.append(frame);
            return written && this.#timedWait(written);
          },
        };
      },
    };
  }

  #timedWait(written: Promise<void>): Promise<void> {
    const then = (act: () => void) => {
      this.#waiting++;
      return written.then(() => this.#time(act)).finally(() => this.#waiting--);
    };
    return { then } as Promise<void>;
  }
}

/** @param number from 0 */
function letterOf(number: number): string {
  return String.fromCharCode(FIRST_LETTER + Math.floor(number));
}
