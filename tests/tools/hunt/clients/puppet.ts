/** A client without a session: it sends what a hostile or lying program would send. */
import type { SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import {
  type ClientDatagram,
  type ClientMessage,
  PROTOCOL_VERSION,
} from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import type { HuntedStranger, HuntedWorld } from "../hunted_world.ts";

/** How long after its client has left a seat's last commands may be announced, ticks. */
const AFTER_TICKS = 130;

export class Puppet<Command, Sim extends Simulation<Command>> implements HuntedStranger {
  readonly #world: HuntedWorld<Command, Sim>;
  readonly #end: LocalLink;
  readonly #encoder: ClientMessageEncoder<Command>;
  seat: SeatId = -1;
  #leftTick: Tick = Infinity;

  constructor(
    world: HuntedWorld<Command, Sim>,
    { ordered, resume }: { ordered: boolean; resume?: string },
  ) {
    this.#world = world;
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
    const { game } = world.parts;
    const decoder = new ServerMessageDecoder<Command>(game.command);
    this.#end = clientEnd;
    this.#encoder = new ClientMessageEncoder(game.command, clientEnd);
    clientEnd.onMessage((message, reliably) => {
      world.onSent();
      if (!reliably || this.seat >= 0) return;
      const welcome = decoder.decode(message);
      if (welcome.type === "welcome") this.seat = welcome.seat ?? -1;
    });
    clientEnd.onClose(() => this.#leftTick = world.tick);
    world.lab.rooms.admit(serverEnd);
    this.send({
      type: "hello",
      protocolVersion: PROTOCOL_VERSION,
      gameId: game.id,
      room: world.room,
      name: "puppet",
      spectate: false,
      bodyStreamMode: "no",
      resume,
      choices: [],
    }, true);
  }

  get ordered(): boolean {
    return this.#end.ordered;
  }

  get isOpen(): boolean {
    return this.#end.closeCode === 0;
  }

  /** Whether its seat may still announce commands, which can be any. */
  mayHaveGiven(seat: SeatId): boolean {
    return this.seat === seat && this.#world.tick <= this.#leftTick + AFTER_TICKS;
  }

  send(message: ClientMessage<Command> | ClientDatagram<Command>, reliably = false): void {
    const bytes = this.#encoder.encode(message);
    if (reliably) this.#end.sendReliably(bytes);
    else this.#end.send(bytes);
  }

  sendBytes(bytes: Uint8Array): void {
    this.#end.send(bytes);
  }

  /** Sends a command with claims of its own. */
  command(tick: Tick, claims: { received: Tick; leadMs: number; command: Command }): void {
    const { command, ...rest } = claims;
    if (this.ordered) this.send({ type: "command", tick, command, isDesynced: false, ...rest });
    else this.send({ type: "commands", tick, commands: [command], isDesynced: false, ...rest });
  }

  /** @param code 1000 for a leave, 1006 for a lost connection */
  close(code: number): void {
    this.#end.close(code, "done");
  }
}
