/** When our ticks are due: where the server's clock is, as pings tell, and how far ahead of it we run. */
import type { PiggybackedPong, Pong } from "../../shared/netcode/wire/messages.ts";
import { TimeDilation } from "./time_dilation.ts";
import { ClockSync } from "./clock_sync.ts";

export class TickClock {
  readonly #clockSync: ClockSync;
  readonly timeDilation: TimeDilation;
  #hasBegun = false;

  /** @param sendPing sends a ping with this id, alone and at once */
  constructor(tickHz: number, sendPing: (id: number) => void) {
    this.#clockSync = new ClockSync(tickHz, sendPing);
    this.timeDilation = new TimeDilation(tickHz);
  }

  /** Sends a ping where one is due. @param isOpen whether what is sent leaves at once */
  ping(nowMs: number, isOpen = true): void {
    this.#clockSync.advance(nowMs, isOpen);
  }

  /** For a command that leaves now. @returns the id of the ping that goes with it; undefined where none is due */
  piggybackPing(nowMs: number): number | undefined {
    return this.#clockSync.piggybackPing(nowMs);
  }

  /** Takes an answer, when it arrives. */
  pong(nowMs: number, pong: Pong | PiggybackedPong): void {
    this.#clockSync.pong(nowMs, pong);
    if (this.#hasBegun) this.timeDilation.anchor(nowMs, this.#clockSync.serverTicks(nowMs));
  }

  /** Sets the head, once enough is known. @returns whether it is */
  begin(nowMs: number, { isSpectator }: { isSpectator: boolean }): boolean {
    const clockSync = this.#clockSync;
    if (!clockSync.isReady(nowMs)) return false;
    const leadMs = isSpectator ? clockSync.spectatorLeadMs : clockSync.firstLeadMs;
    this.timeDilation.begin(nowMs, { serverTicks: clockSync.serverTicks(nowMs), leadMs });
    return this.#hasBegun = true;
  }

  /** Of the newest ping, ms. */
  get roundTripMs(): number {
    return this.#clockSync.roundTripMs;
  }

  /** When the next one goes alone, ms. */
  get nextPingMs(): number {
    return this.#clockSync.nextPingMs;
  }

  /** When the next tick is due, ms. Only when begun. */
  get nextTickMs(): number {
    return this.timeDilation.dueMs(Math.floor(this.timeDilation.headTicks) + 1);
  }

  /** The newest tick that the server will have run before anything sent now can arrive. Only when begun. */
  get tooLateTick(): number {
    return Math.floor(this.timeDilation.serverTicksIn(this.#clockSync.fastestMs / 2));
  }
}
