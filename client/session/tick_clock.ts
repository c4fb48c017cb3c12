/**
 * Schedules the local ticks by the server's clock, as pings measure it, plus the lead, less the
 * input delay.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { PiggybackedPong, Pong } from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import { TimeDilation } from "./time_dilation.ts";
import { ClockSync } from "./clock_sync.ts";
import { InputDelay, type InputDelayChoice } from "./input_delay.ts";

/** How much a lead may exceed the slowest round trip, ms. */
const JITTER_MS_MAX = 250;

export class TickClock {
  readonly #clockSync: ClockSync;
  readonly timeDilation: TimeDilation;
  readonly #inputDelay: InputDelay;
  readonly #leadMsMax: number;
  #hasBegun = false;

  /** @param sendPing sends a separate ping with this id at once */
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

  /** Registers a ping that is sent now, due or not. @returns its id */
  newPing(nowMs: number): number {
    return this.#clockSync.newPing(nowMs);
  }

  /**
   * Asks, for a command that is sent now, whether a ping should go with it.
   * @returns the id of a ping to send with it; undefined if none is due
   */
  piggybackPing(nowMs: number): number | undefined {
    return this.#clockSync.piggybackPing(nowMs);
  }

  /** Makes a separate ping due. @returns its number */
  requestPing(nowMs: number): number {
    return this.#clockSync.requestPing(nowMs);
  }

  /** Whether the ping with this number or a later one is answered. */
  isAnswered(number: number): boolean {
    return this.#clockSync.newestAnswered >= number;
  }

  /**
   * Processes a pong. Call it on arrival. If this machine's clock jumps during the join, the pings
   * that were in transit seem to take seconds, and so does the lead. The server refuses commands
   * for such distant ticks and advises nothing, so a later pong gives another first lead.
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
   * Registers that a tick message arrived.
   * @param lagMs how long it may have waited for this program, ms
   */
  tickArrived(nowMs: number, lagMs?: number): void {
    this.#clockSync.tickArrived(nowMs, lagMs);
  }

  /** Starts the clock and the head if enough pongs arrived. @returns whether they started */
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
   * within a round trip, and the rest covers jitter that no ping met. On the lab's profiles the
   * bound never shortens a lead.
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

  /** The newest tick with a due command. */
  get commandTick(): Tick {
    return Math.floor(this.timeDilation.headTicks);
  }

  /** The head's position in ticks, with a fraction. */
  get headTicks(): number {
    return this.timeDilation.headTicks - this.#inputDelay.ticks;
  }

  /** The input delay in force, ticks 0 … 3, fractional while it changes. */
  get inputDelayTicks(): number {
    return this.#inputDelay.ticks;
  }

  /** The newest pong's round trip, without this program's lag, ms. */
  get roundTripMs(): number {
    return this.#clockSync.roundTripMs;
  }

  /** The usual round trip, which no stall of this program is part of, ms. */
  get pingMs(): number {
    return this.#clockSync.usualMs;
  }

  /** When the next separate ping is due, ms. */
  get nextPingMs(): number {
    return this.#clockSync.nextPingMs;
  }

  /** When the next command or the head's next tick is due, ms. Only when begun. */
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
