/** The messages with commands that a client has sent since the last tick. */
import type { CommandMessage, CommandsMessage } from "../../../shared/netcode/wire/messages.ts";
import { ReceivedCommands } from "./received_commands.ts";

/**
 * How many messages may wait. A connection that stalled for 10 s delivers 210 at once. After a
 * longer stall, or one of the server, only the newest count, because the others' ticks are over.
 */
export const INBOX_MESSAGES_MAX = 256;

/** One client's inbox, which reuses its entries. */
export class Inbox<Command> {
  /** Indexed by arrival since the last tick, modulo the bound. */
  readonly #entries: ReceivedCommands<Command>[] = [];
  /** Arrivals since the last tick. */
  #arrived = 0;

  /** Adds a message. In a full inbox it replaces the oldest one. */
  push(message: CommandMessage<Command> | CommandsMessage<Command>, atMs: number): void {
    const entry = this.#entries[this.#arrived++ % INBOX_MESSAGES_MAX] ??= new ReceivedCommands();
    entry.assign(message, atMs);
  }

  /** How many messages wait, 0 … 256. */
  get count(): number {
    return Math.min(this.#arrived, INBOX_MESSAGES_MAX);
  }

  /** @param index 0 for the oldest waiting message, below `count` */
  at(index: number): ReceivedCommands<Command> {
    return this.#entries[(this.#arrived - this.count + index) % INBOX_MESSAGES_MAX]!;
  }

  clear(): void {
    this.#arrived = 0;
  }
}
