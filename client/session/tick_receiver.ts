/**
 * Definitive ticks from their arrival until the session takes them, strictly in order. An ordered link brings them so. Of
 * datagrams, which repeat, overtake and miss, each tick is kept by its number until it is the next one; a state, which comes by
 * the stream beside them, may be overtaken by the ticks that follow it.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import type { TickMessage, TicksMessage } from "../../shared/netcode/wire/messages.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

/** A tick message is kept until `advance`; a page that sleeps longer than this takes the state instead. Half a minute. */
const QUEUED_MESSAGES_MAX = 600;

/** Where the session is. */
interface ReceiverPosition {
  readonly received: Tick;
  readonly isDesynced: boolean;
}

export interface TickReceiver<Command> {
  put(message: TickMessage<Command> | TicksMessage<Command>): void;
  /** The message to take next; undefined where none is here. */
  next(position: ReceiverPosition): TickMessage<Command> | undefined;
  /** The newest advice, ms, once; 0 where there is none. */
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

/** Of a link that keeps order. */
export class ReliableTickReceiver<Command> implements TickReceiver<Command> {
  #messages: TickMessage<Command>[] = [];
  readonly #advice = new PendingAdvice();

  put(message: TickMessage<Command> | TicksMessage<Command>): void {
    for (const tick of message.type === "ticks" ? message.ticks : [message]) {
      // All that led to a state is in it: who comes back to a heap of states goes on from the newest.
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

/** Of a datagram link. It holds at most the newest `HISTORY_TICKS` ticks and one state. */
export class DatagramTickReceiver<Command> implements TickReceiver<Command> {
  readonly #ticks = new TickRing<{ message: TickMessage<Command> | undefined }>(
    HISTORY_TICKS,
    () => ({ message: undefined }),
  );
  #state: TickMessage<Command> | undefined;
  #newest: Tick = -1;
  readonly #advice = new PendingAdvice();

  put(message: TickMessage<Command> | TicksMessage<Command>): void {
    const ticks = message.type === "ticks" ? message.ticks : [message];
    for (const each of ticks) {
      if (each.state === undefined) this.#store(each);
      else if (each.tick > (this.#state?.tick ?? -1)) this.#state = each;
    }
    const { tick, advisedLeadMs } = ticks.at(-1)!;
    // What was overtaken has only old advice.
    if (tick <= this.#newest) return;
    this.#newest = tick;
    this.#advice.leadMs = advisedLeadMs;
  }

  /** What comes again without its bodies is the same otherwise. */
  #store(message: TickMessage<Command>): void {
    if (this.#ticks.get(message.tick)?.message?.bodies !== undefined) return;
    this.#ticks.claim(message.tick).message = message;
  }

  /** Out of step nothing but a state is believed, and none that is older than what had been received. */
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
