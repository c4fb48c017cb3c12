/**
 * A WebSocket peer that sends whatever a test requires, from an address of its own, and records
 * every answer. It encodes and decodes messages but plays no game.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import {
  type ClientMessage,
  type CommandMessage,
  type Hello,
  type Offer,
  type PresenceChange,
  PROTOCOL_VERSION,
  type TickMessage,
  type Welcome,
} from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { HANDSHAKE, OPCODE } from "./raw_socket.ts";
import { ServerFrames } from "./server_frames.ts";

/**
 * All of 127.0.0.0/8 is this machine on Linux, so that a stranger need not share the honest
 * players' address.
 */
const STRANGER_ADDRESS = Deno.build.os === "linux" ? "127.0.0.2" : "127.0.0.1";

/** The server's close; code 1006 if no close frame came. */
export interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

export const HELLO: Hello = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: dragonGame.id,
  room: "BOTS",
  name: "stranger",
  spectate: false,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

/** A command of a well-behaved player who holds "right", with the fields of `wrong` replaced. */
export function commandOf(
  stranger: Stranger,
  wrong: Partial<CommandMessage<DragonCommand>> = {},
): CommandMessage<DragonCommand> {
  const { tick: received } = stranger;
  const command: DragonCommand = { ...dragonGame.command.neutral, dir: 1 };
  return {
    type: "command",
    tick: received + 4,
    command,
    leadMs: 100,
    received,
    isDesynced: false,
    ...wrong,
  };
}

/** Where a stranger comes from. */
export interface StrangerOptions {
  /** An address of this machine. */
  readonly address?: string;
}

export class Stranger {
  readonly #socket: Socket;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #frames = new ServerFrames();
  #changed = Promise.withResolvers<void>();
  closeInfo: CloseInfo | undefined;
  welcome: Welcome | undefined;
  /** The newest offer of a datagram path. */
  offer: Offer | undefined;
  readonly ticks: TickMessage<DragonCommand>[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#receive(bytes as Buffer));
    socket.on("error", () => {}); // a reset; "close" follows
    socket.on("close", () => this.#end({ code: 1006, reason: "" }));
  }

  /** A TCP connection on which nothing has been sent. */
  static connect(
    port: number,
    { address = STRANGER_ADDRESS }: StrangerOptions = {},
  ): Promise<Stranger> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: address });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Stranger(socket)));
    });
  }

  /** Requests an upgrade. @returns after the answer, which `status` shows */
  static async upgrade(
    port: number,
    { path = "/socket", headers = [], ...options }: StrangerOptions & {
      path?: string;
      headers?: readonly string[];
    } = {},
  ): Promise<Stranger> {
    const stranger = await Stranger.connect(port, options);
    const host = headers.some((line) => line.startsWith("Host:"))
      ? []
      : [`Host: 127.0.0.1:${port}`];
    stranger.write(
      [`GET ${path} HTTP/1.1`, ...host, ...HANDSHAKE, ...headers, "", ""].join("\r\n"),
    );
    await stranger.until(() =>
      stranger.http.includes("\r\n\r\n") || stranger.closeInfo !== undefined
    );
    return stranger;
  }

  /** Upgrades and sends a hello. @returns after the welcome and a first tick, or after a close */
  static async join(
    port: number,
    hello: Partial<Hello> = {},
    options: StrangerOptions = {},
  ): Promise<Stranger> {
    const stranger = await Stranger.upgrade(port, options);
    stranger.send({ ...HELLO, ...hello });
    await stranger.until(() => stranger.ticks.length > 0 || stranger.closeInfo !== undefined);
    return stranger;
  }

  /** The announced entry of the own player; undefined before it. */
  get entry(): PresenceChange | undefined {
    const seat = this.welcome?.seat;
    const changes = this.ticks.flatMap(({ presence }) => presence);
    return changes.find((change) => change.seat === seat && change.present);
  }

  /** Plays with a command for each tick. @returns once it is done, or after a close */
  async playUntil(isDone: () => boolean): Promise<void> {
    while (!isDone() && this.closeInfo === undefined) {
      const { tick } = this;
      this.send(commandOf(this));
      await this.until(() => this.tick > tick || this.closeInfo !== undefined);
    }
  }

  /** The same for so many ticks. */
  async play(ticks: number): Promise<void> {
    const last = this.tick + ticks;
    await this.playUntil(() => this.tick >= last);
  }

  /** The received bytes that are no frame: an HTTP answer. */
  get http(): string {
    return this.#frames.http;
  }

  /** Status of the HTTP answer. */
  get status(): number {
    return Number(this.http.split(" ", 2)[1]);
  }

  /** The newest definitive tick received, or −1. */
  get tick(): number {
    return this.ticks.at(-1)?.tick ?? -1;
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Sends one frame of any length, masked with zeros. */
  frame(payload: Uint8Array, options: FrameOptions = {}): void {
    this.write(headerOf(payload, options));
    if (payload.length > 0) this.write(payload);
  }

  /**
   * The frame of a message, to be written later or many times. The message must be one that follows
   * no other.
   */
  frameOf(message: ClientMessage<DragonCommand>): Uint8Array {
    const payload = this.#encoder.encode(message).slice();
    return new Uint8Array([...headerOf(payload), ...payload]);
  }

  send(message: ClientMessage<DragonCommand>): void {
    this.frame(this.#encoder.encode(message).slice());
  }

  /** Resolves when the condition holds. It is evaluated whenever bytes have arrived. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  /** Waits for the server's close. */
  async ended(): Promise<CloseInfo> {
    await this.until(() => this.closeInfo !== undefined);
    return this.closeInfo!;
  }

  /** Leaves as a page does. */
  async leave(): Promise<void> {
    this.frame(new Uint8Array([1000 >> 8, 1000 & 255]), { opcode: OPCODE.close });
    await this.ended();
    this.cut();
  }

  /**
   * Reads nothing until `resume`. What arrives waits in the operating systems and in the server.
   */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection without a close frame. */
  cut(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    for (const { opcode, payload } of this.#frames.push(bytes)) this.#takePayload(opcode, payload);
    this.#notifyWaiting();
  }

  #takePayload(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.close) {
      this.#end({ code: payload.readUInt16BE(0), reason: payload.toString("utf8", 2) });
      this.frame(payload.subarray(0, 2), { opcode: OPCODE.close });
    } else if (opcode === OPCODE.binary) {
      const message = this.#decoder.decode(new Uint8Array(payload));
      if (message.type === "welcome") this.welcome = message;
      if (message.type === "offer") this.offer = message;
      if (message.type === "tick") this.ticks.push(message);
    }
  }

  #end(closeInfo: CloseInfo): void {
    this.closeInfo ??= closeInfo;
    this.#notifyWaiting();
  }

  #notifyWaiting(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

interface FrameOptions {
  readonly opcode?: number;
  readonly last?: boolean;
  readonly masked?: boolean;
}

/** The header of a frame; its mask is zero. */
function headerOf(
  { length }: Uint8Array,
  { opcode = OPCODE.binary, last = true, masked = true }: FrameOptions = {},
): Uint8Array {
  const header = new DataView(new ArrayBuffer(10));
  header.setUint8(0, (last ? 0x80 : 0) | opcode);
  const mask = masked ? 0x80 : 0;
  let size = 2;
  if (length < 126) header.setUint8(1, mask | length);
  else if (length < 65_536) {
    header.setUint8(1, mask | 126);
    header.setUint16(2, length);
    size = 4;
  } else {
    header.setUint8(1, mask | 127);
    header.setBigUint64(2, BigInt(length));
    size = 10;
  }
  return new Uint8Array([
    ...new Uint8Array(header.buffer, 0, size),
    ...(masked ? [0, 0, 0, 0] : []),
  ]);
}
