/** A message with commands, which waits in the inbox for the next tick. */
import type { Tick } from "../../../shared/netcode/game.ts";
import type {
  BodyStreamRequest,
  CommandMessage,
  CommandsMessage,
} from "../../../shared/netcode/wire/messages.ts";

/**
 * One message's fields and its arrival. The object is reused, and the fields are copied into it. If
 * an old object kept each young message instead, it would have to be registered with V8's
 * young-generation collector every time, which cost a server with hundreds of players 1 % of its
 * time.
 */
export class ReceivedCommands<Command> {
  /**
   * When it arrived, on the server's clock, ms. It starts as a fraction, so that V8 represents the
   * field as a double.
   */
  atMs = 0.5;
  /** The other fields are the message's. It carries one command, or is a datagram with several. */
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
