/** A player without a game, behind a proxy with TLS: it joins from an address of its own, and keeps its seat. */
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { NEUTRAL } from "../../shared/games/dragons/command.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { HELLO } from "../support/stranger.ts";

/** Twice a second is enough to keep a seat. */
const COMMAND_EVERY_TICKS = 10;
/** So that commands of a busy process are in time. */
const AHEAD_TICKS = 6;

export interface ProxiedPlayerOptions {
  /** Of the proxy, https. */
  readonly url: string;
  readonly room: string;
  /** The address that it comes from, of this machine. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ProxiedPlayer {
  readonly #socket: WebSocket;
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  /** 101 with a seat; otherwise the status of the refusal, or the code of the close. */
  readonly status: Promise<number>;

  readonly #options: ProxiedPlayerOptions;
  /** The newest tick in which it has sent a command. */
  #commandedAt = -COMMAND_EVERY_TICKS;

  constructor(options: ProxiedPlayerOptions) {
    this.#options = options;
    const { url, room, address, headers = {} } = options;
    const { hostname, port, origin } = new URL(url), { promise, resolve } = Promise.withResolvers<number>();
    this.status = promise;
    this.#socket = new WebSocket(socketUrlOf(url), {
      ...{ headers, origin, perMessageDeflate: false },
      createConnection: () =>
        connectTls({
          socket: connectTcp({ host: hostname, port: Number(port), localAddress: address }),
          rejectUnauthorized: false,
        }),
    });
    this.#socket.binaryType = "arraybuffer";
    this.#socket.on("open", () => this.#socket.send(this.#encoder.encode({ ...HELLO, room, name: address }).slice()));
    this.#socket.on("unexpected-response", (_, { statusCode = 0 }) => {
      resolve(statusCode);
      this.cut();
    });
    this.#socket.on("error", () => {}); // "close" follows
    this.#socket.on("close", (code) => resolve(code));
    this.#socket.on("message", (bytes) => this.#onMessage(new Uint8Array(bytes as ArrayBuffer), resolve));
  }

  /** The same player's next attempt. */
  again(): ProxiedPlayer {
    return new ProxiedPlayer(this.#options);
  }

  cut(): void {
    this.#socket.terminate();
  }

  #onMessage(bytes: Uint8Array, resolve: (status: number) => void): void {
    const message = this.#decoder.decode(bytes);
    if (message.type !== "tick") return;
    if (message.tick - this.#commandedAt >= COMMAND_EVERY_TICKS) this.#sendCommand(message.tick);
    resolve(101);
  }

  #sendCommand(tick: number): void {
    this.#commandedAt = tick;
    const command = {
      type: "command",
      tick: tick + AHEAD_TICKS,
      command: NEUTRAL,
      leadMs: 200,
      received: tick,
    } as const;
    this.#socket.send(this.#encoder.encode({ ...command, isDesynced: false }).slice());
  }
}

/** Where a player's socket opens. What a server asks for before it, such as a ticket, belongs here. */
function socketUrlOf(url: string): string {
  return `${url.replace("https", "wss")}socket`;
}
