/**
 * A player without a game, behind a proxy with TLS: it joins from an address of its own, and keeps
 * its seat.
 */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { NEUTRAL } from "../support/dragons.ts";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { socketUrlOf } from "../../client/net/join.ts";
import { HELLO } from "../support/sockets/stranger.ts";

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
  /** The proxy's certificate, as PEM. */
  readonly caCert: string;
}

/** A ticket, and the path of the process that takes it, if there are several. */
interface Joined {
  readonly ticket: string;
  readonly server?: string;
}

export class ProxiedPlayer {
  #socket: WebSocket | undefined;
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  readonly #options: ProxiedPlayerOptions;
  readonly #status = Promise.withResolvers<number>();
  /** The newest tick in which it has sent a command. */
  #commandedAt = -COMMAND_EVERY_TICKS;

  constructor(options: ProxiedPlayerOptions) {
    this.#options = options;
    this.#open().catch(this.#status.reject);
  }

  /**
   * 101 with a seat; otherwise the status of the socket's refusal, or the code of the ticket's
   * refusal or of the close.
   */
  get status(): Promise<number> {
    return this.#status.promise;
  }

  async #open(): Promise<void> {
    const { url, room, address, headers = {} } = this.#options;
    const { hostname, port, origin } = new URL(url);
    const joined = await this.#ticket();
    if ("code" in joined) return this.#status.resolve(joined.code);
    const socket = this.#socket = new WebSocket(socketUrlOf(origin, ticketTextOf(joined)), {
      headers,
      origin,
      perMessageDeflate: false,
      createConnection: () =>
        connectTls({
          socket: connectTcp({ host: hostname, port: Number(port), localAddress: address }),
          rejectUnauthorized: false,
        }),
    });
    socket.binaryType = "arraybuffer";
    socket.on(
      "open",
      () => socket.send(this.#encoder.encode({ ...HELLO, room, name: address }).slice()),
    );
    socket.on("unexpected-response", (_, { statusCode = 0 }) => {
      this.#status.resolve(statusCode);
      this.cut();
    });
    socket.on("error", () => {}); // "close" follows
    socket.on("close", (code) => this.#status.resolve(code));
    socket.on("message", (bytes) => this.#onMessage(new Uint8Array(bytes as ArrayBuffer)));
  }

  /** Asks for a ticket from the player's own address. */
  async #ticket(): Promise<Joined | { code: number }> {
    const { url, room, address, headers, caCert } = this.#options;
    using client = Deno.createHttpClient({ caCerts: [caCert], localAddress: address });
    const request = {
      game: dragonGame.id,
      protocol: PROTOCOL_VERSION,
      role: "player",
      name: address,
    };
    const options: RequestInit & { client: Deno.HttpClient } = {
      client,
      method: "POST",
      body: JSON.stringify(request),
      headers: { ...headers, "Content-Type": "application/json" },
    };
    const answer = await fetch(`${url}api/rooms/${room}/join`, options);
    if (answer.headers.get("Content-Type") === "application/json") return await answer.json();
    await answer.body?.cancel();
    return { code: answer.status };
  }

  /** The same player's next attempt. */
  again(): ProxiedPlayer {
    return new ProxiedPlayer(this.#options);
  }

  cut(): void {
    this.#socket?.terminate();
  }

  #onMessage(bytes: Uint8Array): void {
    const message = this.#decoder.decode(bytes);
    if (message.type !== "tick") return;
    if (message.tick - this.#commandedAt >= COMMAND_EVERY_TICKS) this.#sendCommand(message.tick);
    this.#status.resolve(101);
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
    this.#socket!.send(this.#encoder.encode({ ...command, isDesynced: false }).slice());
  }
}

function ticketTextOf({ ticket, server }: Joined): string {
  return server === undefined ? ticket : `${ticket}@${server}`;
}
