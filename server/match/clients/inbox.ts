/** The messages with commands that a client sent since the last tick. */
import type { CommandMessage, CommandsMessage } from "../../../shared/netcode/wire/messages.ts";
import { ReceivedCommands } from "./received_commands.ts";

/**
 * The most messages that wait. A connection that stalled for 10 s delivers 210 at once. After a
 * longer stall, or one of the server, the newest count: the others' ticks are over.
 */
export const INBOX_MESSAGES_MAX = 256;

/** One client's inbox. Its entries are reused. */
export class Inbox<Command> {
  /** By the number of their arrival since the last tick, modulo the bound. */
  readonly #entries: ReceivedCommands<Command>[] = [];
  /** Arrivals since the last tick. */
  #arrived = 0;

  /** Puts a message in. In a full inbox it takes the place of the oldest one. */
  push(message: CommandMessage<Command> | CommandsMessage<Command>, atMs: number): void {
    const entry = this.#entries[this.#arrived++ % INBOX_MESSAGES_MAX] ??= new ReceivedCommands();
    entry.assign(message, atMs);
  }

  /** Messages that wait, 0 … 256. */
  get count(): number {
    return Math.min(this.#arrived, INBOX_MESSAGES_MAX);
  }

  /** @param index 0 for the oldest one that waits, below `count` */
  at(index: number): ReceivedCommands<Command> {
    return this.#entries[(this.#arrived - this.count + index) % INBOX_MESSAGES_MAX]!;
  }

  clear(): void {
    this.#arrived = 0;
  }
}
