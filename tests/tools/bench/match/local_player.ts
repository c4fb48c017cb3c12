/**
 * Players without a network or a simulation, who send a server in this process what a bot's client
 * would send.
 */
import type { BotPlayer } from "../../../../client/bots/npc_bot.ts";
import type { Rooms } from "../../../../server/rooms/rooms.ts";
import type { Game, Simulation } from "../../../../shared/netcode/game.ts";
import type { Link, MessageHandler } from "../../../../shared/netcode/link.ts";
import {
  type ClientMessage,
  PROTOCOL_VERSION,
  type ServerMessage,
} from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";

/** The players' lead in ticks and in ms, as over a network with a round trip of 100 ms. */
export const AHEAD_TICKS = 3;
const LEAD_MS = 150;

/** A game, and bots that play it. */
export interface TimedPlayers {
  readonly game: Game<unknown>;
  readonly newBot: (seed: number) => BotPlayer<unknown>;
}

/** A player whose messages arrive at once. */
export class LocalPlayer {
  readonly #game: Game<unknown>;
  readonly #bot: BotPlayer<unknown>;
  readonly #encoder: ClientMessageEncoder<unknown>;
  #deliver: MessageHandler = () => {};
  #seat = -1;
  readonly link: Link = {
    ordered: true,
    bufferedBytes: 0,
    send: (message) => this.#receive(new Uint8Array(message)),
    sendReliably: (message) => this.#receive(new Uint8Array(message)),
    onMessage: (handler) => this.#deliver = handler,
    onClose() {},
    close(code, reason) {
      throw new Error(`closed: ${code} ${reason}`);
    },
  };

  constructor({ game, newBot }: TimedPlayers, seed: number) {
    this.#game = game;
    this.#encoder = new ClientMessageEncoder(game.command, { ordered: true });
    this.#bot = newBot(seed);
  }

  send(message: ClientMessage<unknown>): void {
    this.#deliver(this.#encoder.encode(message).slice(), true);
  }

  /** The message that carries this player's command for a tick. */
  commandMessageFor(
    { tick, simulation }: { tick: number; simulation: Simulation<unknown> },
  ): ClientMessage<unknown> {
    this.#bot.attach({ seat: this.#seat, simulation });
    const command = this.#bot.next(tick, undefined);
    return {
      type: "command",
      tick,
      command,
      leadMs: LEAD_MS,
      received: tick - AHEAD_TICKS,
      isDesynced: false,
    };
  }

  #receive(message: Uint8Array): void {
    if (this.#seat >= 0) return;
    const welcome: ServerMessage<unknown> = new ServerMessageDecoder(this.#game.command).decode(
      message,
    );
    if (welcome.type === "welcome") this.#seat = welcome.seat ?? -1;
  }
}

/**
 * Lets a new player into a room.
 * @param options.seed of their bot
 * @param options.spectate whether they only watch
 */
export function joinPlayer(
  rooms: Rooms<unknown>,
  players: TimedPlayers,
  { room, seed, spectate = false }: { room: string; seed: number; spectate?: boolean },
): LocalPlayer {
  const player = new LocalPlayer(players, seed);
  rooms.admit(player.link);
  player.send({
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: players.game.id,
    room,
    name: `bot ${seed}`,
    spectate,
    bodyStreamMode: "no",
    choices: [],
    resume: undefined,
  });
  return player;
}
