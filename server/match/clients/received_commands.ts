/** A message with commands that waits for the next tick. */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { BodyStreamRequest, CommandMessage, CommandsMessage } from "../../../shared/netcode/wire/messages.ts";

/**
 * What it said, and when it came. Used again and again, and written over: an old object that is given each message to hold has to be noted
 * for the collector of young ones each time, which was a hundredth of all that a server of hundreds of players did.
 */
export class ReceivedCommands<Command> {
  /** On the server's clock; a fraction, so that V8 keeps room for one. */
  atMs = 0.5;
  /** As in the message, which either has one command or is a datagram with several. */
  tick: Tick = 0;
  received: Tick = 0;
  leadMs = 0.5;
  isDesynced = false;
  bodyStreamRequest: BodyStreamRequest | undefined = undefined;
  bodiesAck: Tick | undefined = undefined;
  ping: number | undefined = undefined;
  command: Command | undefined = undefined;
  commands: readonly Command[] | undefined = undefined;

  assign(message: CommandMessage<Command> | CommandsMessage<Command>, atMs: number): void {
    this.atMs = atMs;
    this.tick = message.tick;
    this.received = message.received;
    this.leadMs = message.leadMs;
    this.isDesynced = message.isDesynced;
    this.bodyStreamRequest = message.bodyStreamRequest;
    const isOne = message.type === "command";
    this.command = isOne ? message.command : undefined;
    this.ping = isOne ? message.ping : undefined;
    this.commands = isOne ? undefined : message.commands;
    this.bodiesAck = isOne ? undefined : message.bodiesAck;
  }
}
