/**
 * Schedules the local ticks: the server's clock, as pings measure it, plus the lead, less the input
 * delay.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { PiggybackedPong, Pong } from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import { TimeDilation } from "./time_dilation.ts";
import { ClockSync } from "./clock_sync.ts";
import { InputDelay, type InputDelayChoice } from "./input_delay.ts";

/** The part of a lead that no round trip has shown, at most, ms. */
const JITTER_MS_MAX = 250;

export class TickClock {
  readonly #clockSync: ClockSync;
  readonly timeDilation: TimeDilation;
  readonly #inputDelay: InputDelay;
  readonly #leadMsMax: number;
  #hasBegun = false;

  /** @param sendPing sends a ping with this id at once, in a message of its own */
  constructor(tickHz: number, sendPing: (id: number) => void) {
    this.#clockSync = new ClockSync(tickHz, sendPing);
    this.timeDilation = new TimeDilation(tickHz);
    this.#inputDelay = new InputDelay(tickHz);
    this.#leadMsMax = COMMANDS_AHEAD_TICKS_MAX * 1000 / tickHz;
  }

  /** Sends a ping if one is due. @param isOpen whether a message sent now leaves at once */
  ping(nowMs: number, isOpen = true): void {
    this.#clockSync.advance(nowMs, isOpen);
  }

  /** For a ping that is sent now, whatever is due. @returns its id */
  newPing(nowMs: number): number {
    return this.#clockSync.newPing(nowMs);
  }

  /**
   * For a command that is sent now.
   * @returns the id of a ping to send with it; undefined if none is due
   */
  piggybackPing(nowMs: number): number | undefined {
    return this.#clockSync.piggybackPing(nowMs);
  }

  /** Makes a ping of its own due. @returns its number */
  requestPing(nowMs: number): number {
    return this.#clockSync.requestPing(nowMs);
  }

  /** Whether the ping of this number or a later one is answered. */
  isAnswered(number: number): boolean {
    return this.#clockSync.newestAnswered >= number;
  }

  /**
   * Processes a pong. Call it on arrival. If this machine's clock jumps during the join, the pings
   * that were under way seem to take seconds, and so does the lead. The server refuses commands for
   * so distant ticks and advises nothing; then a later pong gives another first lead.
   * @param lagMs how long it may have waited for this program, ms
   */
  pong(nowMs: number, pong: Pong | PiggybackedPong, lagMs?: number): void {
    const clockSync = this.#clockSync;
    const { timeDilation } = this;
    const { jumps } = clockSync;
    clockSync.pong(nowMs, pong, lagMs);
    if (!this.#hasBegun) return;
    timeDilation.anchor(nowMs, clockSync.serverTicks(nowMs), clockSync.jumps > jumps);
    if (timeDilation.advisedMs > this.#leadMsMax) timeDilation.advise(nowMs, clockSync.firstLeadMs);
  }

  /**
   * Registers the arrival of a tick message.
   * @param lagMs how long it may have waited for this program, ms
   */
  tickArrived(nowMs: number, lagMs?: number): void {
    this.#clockSync.tickArrived(nowMs, lagMs);
  }

  /** Starts the clock and the head if enough pongs have arrived. @returns whether they started */
  begin(
    nowMs: number,
    { isSpectator, inputDelay = 0 }: { isSpectator: boolean; inputDelay?: InputDelayChoice },
  ): boolean {
    const clockSync = this.#clockSync;
    if (!clockSync.isReady(nowMs)) return false;
    const leadMs = isSpectator ? clockSync.spectatorLeadMs : clockSync.firstLeadMs;
    this.timeDilation.begin(nowMs, { serverTicks: clockSync.serverTicks(nowMs), leadMs });
    this.#inputDelay.begin(nowMs, {
      clockTicks: this.timeDilation.headTicks,
      choice: inputDelay,
      leadMs,
    });
    return this.#hasBegun = true;
  }

  /**
   * Takes the server's advice, but never more than `slowest round trip + 250 ms`. A command arrives
   * within a round trip, and the rest is for jitter that no ping has met. On none of the lab's
   * profiles does the bound shorten a lead.
   */
  advise(nowMs: number, leadMs: number): void {
    this.timeDilation.advise(nowMs, Math.min(leadMs, this.#clockSync.slowestMs + JITTER_MS_MAX));
  }

  /** Moves the clock and the head to `nowMs`. Only when begun. */
  advance(nowMs: number, inputDelay: InputDelayChoice): void {
    const { timeDilation } = this;
    timeDilation.advance(nowMs);
    const { headTicks: clockTicks, advisedMs: leadMs } = timeDilation;
    this.#inputDelay.advance(nowMs, { clockTicks, choice: inputDelay, leadMs });
  }

  /** The newest tick whose command is due. */
  get commandTick(): Tick {
    return Math.floor(this.timeDilation.headTicks);
  }

  /** The position of the head, with its fraction, in ticks. */
  get headTicks(): number {
    return this.timeDilation.headTicks - this.#inputDelay.ticks;
  }

  /** The input delay in force, ticks 0 … 3, with a fraction while it changes. */
  get inputDelayTicks(): number {
    return this.#inputDelay.ticks;
  }

  /** The round trip of the newest pong, without the lag of this program, ms. */
  get roundTripMs(): number {
    return this.#clockSync.roundTripMs;
  }

  /** When the next ping is sent in a message of its own, ms. */
  get nextPingMs(): number {
    return this.#clockSync.nextPingMs;
  }

  /** When the next command or the next tick of the head is due, ms. Only when begun. */
  get nextTickMs(): number {
    const { commandTick, headTicks, inputDelayTicks } = this;
    return this.timeDilation.dueMs(
      Math.min(commandTick + 1, Math.floor(headTicks) + 1 + inputDelayTicks),
    );
  }

  /**
   * The newest tick that the server will have run before a message sent now can arrive. Only when
   * begun.
   */
  get tooLateTick(): number {
    return Math.floor(this.timeDilation.serverTicksIn(this.#clockSync.fastestMs / 2));
  }
}
