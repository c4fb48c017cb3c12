/**
 * Queues definitive ticks from their arrival until the session processes them, strictly in order.
 *
 * A reliable link delivers them in order. Datagrams repeat, overtake and get lost, so each tick is stored under its
 * number until it is the next one. A full state travels on the reliable channel, where later ticks may overtake it.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import type { TickMessage, TicksMessage } from "../../shared/netcode/wire/messages.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";
import { DownlinkMeter } from "./datagrams/downlink_meter.ts";
import type { SessionStats } from "./session_stats.ts";

/** Messages kept until the next `advance`: 30 s at 20 Hz. A page that sleeps longer resyncs. */
const QUEUED_MESSAGES_MAX = 600;

/** The progress of the session. */
interface ReceiverPosition {
  readonly received: Tick;
  readonly isDesynced: boolean;
}

export interface TickReceiver<Command> {
  put(message: TickMessage<Command> | TicksMessage<Command>): void;
  /** The message to process next; undefined if there is none. */
  next(position: ReceiverPosition): TickMessage<Command> | undefined;
  /** Removes the newest advised lead. @returns the lead, ms; 0 if there is none */
  consumeAdvice(): number;
}

/** The newest advised lead until it is consumed. */
class PendingAdvice {
  /** 0 if there is none. */
  leadMs = 0;

  consume(): number {
    const { leadMs } = this;
    this.leadMs = 0;
    return leadMs;
  }
}

/** For a reliable link. */
export class ReliableTickReceiver<Command> implements TickReceiver<Command> {
  #messages: TickMessage<Command>[] = [];
  readonly #advice = new PendingAdvice();

  put(message: TickMessage<Command> | TicksMessage<Command>): void {
    for (const tick of message.type === "ticks" ? message.ticks : [message]) {
      // A state contains all ticks before it, so a page that slept resumes from the newest one.
      if (tick.state !== undefined) this.#messages.length = 0;
      this.#messages.push(tick);
      if (this.#messages.length > QUEUED_MESSAGES_MAX) this.#messages.shift();
    }
  }

  next(): TickMessage<Command> | undefined {
    const message = this.#messages.shift();
    if (message !== undefined) this.#advice.leadMs = message.advisedLeadMs;
    return message;
  }

  consumeAdvice(): number {
    return this.#advice.consume();
  }
}

/** For a datagram link. It stores at most the newest `HISTORY_TICKS` ticks and one state. */
export class DatagramTickReceiver<Command> implements TickReceiver<Command> {
  readonly #ticks = new TickRing<{ message: TickMessage<Command> | undefined }>(
    HISTORY_TICKS,
    () => ({ message: undefined }),
  );
  #state: TickMessage<Command> | undefined;
  #newest: Tick = -1;
  readonly #advice = new PendingAdvice();
  readonly #downlink: DownlinkMeter;

  constructor(stats: SessionStats) {
    this.#downlink = new DownlinkMeter(stats);
  }

  put(message: TickMessage<Command> | TicksMessage<Command>): void {
    const ticks = message.type === "ticks" ? message.ticks : [message];
    if (message.type === "ticks") this.#downlink.datagram(ticks[0]!.tick, ticks.at(-1)!.tick);
    else this.#downlink.state(message.tick);
    for (const each of ticks) {
      if (each.state === undefined) this.#store(each);
      else if (each.tick > (this.#state?.tick ?? -1)) this.#state = each;
    }
    const { tick, advisedLeadMs } = ticks.at(-1)!;
    // A datagram that was overtaken has only old advice.
    if (tick <= this.#newest) return;
    this.#newest = tick;
    this.#advice.leadMs = advisedLeadMs;
  }

  /** A repeated tick is equal, except that it may lack its bodies. It then must not replace the first copy. */
  #store(message: TickMessage<Command>): void {
    if (this.#ticks.get(message.tick)?.message?.bodies !== undefined) return;
    this.#ticks.claim(message.tick).message = message;
  }

  /** A desynced client accepts only a state, and only one that is newer than the last received tick. */
  next({ received, isDesynced }: ReceiverPosition): TickMessage<Command> | undefined {
    const following = isDesynced ? undefined : this.#ticks.get(received + 1)?.message;
    if (following !== undefined) return following;
    const state = this.#state;
    this.#state = undefined;
    return state !== undefined && state.tick > received ? state : undefined;
  }

  consumeAdvice(): number {
    return this.#advice.consume();
  }
}
