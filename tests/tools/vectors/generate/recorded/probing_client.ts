/**
 * A client of a few lines that plays by the body stream and twice requests a state in the middle of
 * it. Its link has no delay. The lab's clients request a state only if their physics fails.
 */
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import type { DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { commandOf } from "../../../../support/dragons.ts";
import type { Rooms } from "../../../../../server/rooms/rooms.ts";
import {
  type BodyStreamRequest,
  PROTOCOL_VERSION,
} from "../../../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../../../shared/netcode/wire/client_messages.ts";
import { LocalLink } from "../../../../../shared/netcode/simulated_network/local_link.ts";
import type { Recording } from "../connections.ts";

/** A command is for so many ticks after the newest. */
const AHEAD_TICKS = 3;
/** The ticks after the join in which a state is requested. */
const REQUEST_TICKS = new Set([12, 30]);

export class ProbingClient {
  readonly recording: Recording = { fromServer: [], fromClient: [] };
  readonly #rooms: Rooms<DragonCommand>;
  readonly #clientEnd: LocalLink;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  #ticks = 0;

  constructor(rooms: Rooms<DragonCommand>) {
    const [clientEnd, serverEnd] = LocalLink.pair();
    this.#rooms = rooms;
    this.#clientEnd = clientEnd;
    clientEnd.onMessage((message) => this.recording.fromServer.push(message.slice()));
    serverEnd.tap = (message) => this.recording.fromClient.push(message.slice());
    rooms.admit(serverEnd);
    this.#send({
      type: "hello",
      protocolVersion: PROTOCOL_VERSION,
      gameId: "dragons-10",
      room: "LABS",
      name: "Probe",
      spectate: false,
      bodyStreamMode: "chosen",
      resume: undefined,
      choices: [],
    });
  }

  /** Sends the next tick's command. Call it after each tick of the server. */
  onTick(): void {
    const ticks = ++this.#ticks;
    const received = this.#rooms.matchOf("LABS")!.tick;
    const bodyStreamRequest: BodyStreamRequest = REQUEST_TICKS.has(ticks) ? "state" : "bodies";
    const dir = ticks % 40 < 20 ? 1 : -1;
    const command = commandOf({ dir, flaps: ticks >> 3 & 3 });
    this.#send({
      type: "command",
      tick: received + AHEAD_TICKS,
      received,
      leadMs: 150,
      isDesynced: false,
      bodyStreamRequest,
      command,
    });
  }

  #send(message: Parameters<ClientMessageEncoder<DragonCommand>["encode"]>[0]): void {
    this.#clientEnd.sendReliably(this.#encoder.encode(message));
  }
}
