/** When our ticks are due: where the server's clock is, as pings tell, and how far ahead of it we run. */
import type { HeldPong, Pong } from "../../shared/netcode/wire/messages.ts";
import { Lead } from "./time_dilation.ts";
import { ServerClock } from "./clock_sync.ts";

export class Pace {
  readonly #serverClock: ServerClock;
  readonly lead: Lead;
  #hasBegun = false;

  /** @param ping sends a ping with this id, alone and at once */
  constructor(tickHz: number, ping: (id: number) => void) {
    this.#serverClock = new ServerClock(tickHz, ping);
    this.lead = new Lead(tickHz);
  }

  /** Sends a ping where one is due. @param isOpen whether what is sent leaves at once */
  ping(nowMs: number, isOpen = true): void {
    this.#serverClock.advance(nowMs, isOpen);
  }

  /** For a command that leaves now. @returns the id of the ping that goes with it; undefined where none is due */
  ride(nowMs: number): number | undefined {
    return this.#serverClock.ride(nowMs);
  }

  /** Takes an answer, when it arrives. */
  pong(nowMs: number, pong: Pong | HeldPong): void {
    this.#serverClock.pong(nowMs, pong);
    if (this.#hasBegun) this.lead.anchor(nowMs, this.#serverClock.serverTicks(nowMs));
  }

  /** Sets the head, once enough is known. @returns whether it is */
  begin(nowMs: number, { watches }: { watches: boolean }): boolean {
    const serverClock = this.#serverClock;
    if (!serverClock.isReady(nowMs)) return false;
    const leadMs = watches ? serverClock.watchLeadMs : serverClock.firstLeadMs;
    this.lead.begin(nowMs, { serverTicks: serverClock.serverTicks(nowMs), leadMs });
    return this.#hasBegun = true;
  }

  /** Of the newest ping, ms. */
  get roundTripMs(): number {
    return this.#serverClock.roundTripMs;
  }

  /** When the next one goes alone, ms. */
  get nextPingMs(): number {
    return this.#serverClock.nextPingMs;
  }

  /** When the next tick is due, ms. Only when begun. */
  get nextTickMs(): number {
    return this.lead.dueMs(Math.floor(this.lead.headTicks) + 1);
  }

  /** The newest tick that the server will have run before anything sent now can arrive. Only when begun. */
  get lostTick(): number {
    return Math.floor(this.lead.serverTicksIn(this.#serverClock.fastestMs / 2));
  }
}
