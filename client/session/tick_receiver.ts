/**
 * Queues definitive ticks from their arrival until the session processes them, strictly in order.
 *
 * A reliable channel delivers them in order. Datagrams repeat, overtake and get lost, so their
 * ticks are stored under their numbers until they are next. A client with a datagram path may get
 * the same ticks by both. A full state travels on the reliable channel, so that datagrams with
 * later ticks may overtake it.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import type { TickMessage, TicksMessage } from "../../shared/netcode/wire/messages.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

/**
 * The most reliable messages to keep until the next `advance`: 30 s at 20 Hz. A page that sleeps
 * longer resyncs.
 */
const QUEUED_MESSAGES_MAX = 600;

/** The session's progress. */
interface ReceiverPosition {
  readonly received: Tick;
  readonly isDesynced: boolean;
}

export class TickReceiver<Command> {
  /** The ticks and states from the reliable channel, in order. */
  readonly #queue: TickMessage<Command>[] = [];
  /** The ticks from datagrams, at most the newest `HISTORY_TICKS`. */
  readonly #ticks = new TickRing<{ message: TickMessage<Command> | undefined }>(
    HISTORY_TICKS,
    () => ({ message: undefined }),
  );
  #newest: Tick = -1;
  /** The newest advised lead until it is consumed, ms; 0 if there is none. */
  #adviceMs = 0;

  put(message: TickMessage<Command> | TicksMessage<Command>): void {
    if (message.type === "tick") this.#enqueue(message);
    else for (const each of message.ticks) this.#store(each);
    const { tick, advisedLeadMs } = message.type === "tick" ? message : message.ticks.at(-1)!;
    // A message that was overtaken carries only old advice.
    if (tick <= this.#newest) return;
    this.#newest = tick;
    this.#adviceMs = advisedLeadMs;
  }

  #enqueue(message: TickMessage<Command>): void {
    // A state contains all ticks before it, so a page that slept resumes from the newest one.
    if (message.state !== undefined) this.#queue.length = 0;
    this.#queue.push(message);
    if (this.#queue.length > QUEUED_MESSAGES_MAX) this.#queue.shift();
  }

  /**
   * Stores a datagram's tick. A repeated tick is equal, except that it may lack its bodies, and
   * then it must not replace the first copy.
   */
  #store(message: TickMessage<Command>): void {
    if (this.#ticks.get(message.tick)?.message?.bodies !== undefined) return;
    this.#ticks.claim(message.tick).message = message;
  }

  /**
   * Removes the message to process next. A desynced client does not take ticks from datagrams, nor
   * a state that is older than what it received.
   * @returns undefined if there is none
   */
  next({ received, isDesynced }: ReceiverPosition): TickMessage<Command> | undefined {
    const queue = this.#queue;
    while (queue.length > 0 && queue[0]!.tick <= received) queue.shift();
    const head = queue[0];
    const isNext = head?.tick === received + 1 && head.state === undefined;
    const following = isNext || isDesynced ? undefined : this.#ticks.get(received + 1)?.message;
    return following ?? queue.shift();
  }

  /** Removes the newest advised lead. @returns the lead, ms; 0 if there is none */
  consumeAdvice(): number {
    const leadMs = this.#adviceMs;
    this.#adviceMs = 0;
    return leadMs;
  }
}
