/**
 * Links that cost little, for clients by the thousand: a WebSocket on a TCP connection of its own,
 * from any address of this machine; or a session of datagrams by Deno's own client, which comes
 * from 127.0.0.1.
 */
import { connect, type Socket } from "node:net";
import { openWholeSession } from "../../../../client/net/datagram_session.ts";
import type { JoinRequest } from "../../../../client/net/join.ts";
import { type Link, type MessageHandler, SOCKET_PATH } from "../../../../shared/netcode/link.ts";
import type { Transport } from "../../bench/transport/plan.ts";
import { HANDSHAKE, OPCODE } from "../../../support/sockets/raw_socket.ts";
import { ServerFrames } from "../../../support/sockets/server_frames.ts";

/** "No close frame" (RFC 6455 §7.4.1). */
const CUT = 1006;

/** A link that can also end without a word. */
export interface LightLink extends Link {
  /** The status of the HTTP answer; 0 without one. */
  readonly status: number;
  cut(): void;
}

export interface LightLinkOptions {
  readonly transport: Transport;
  readonly port: number;
  /** The address of this machine that a WebSocket comes from. */
  readonly address: string;
  /** The client of a ticket, which datagrams need. */
  readonly request: JoinRequest;
}

export function openLightLink(options: LightLinkOptions): LightLink {
  return options.transport === "websocket" ? new LightSocket(options) : openLightDatagrams(options);
}

/**
 * The page of a closed tab says that it leaves, but gives no code. A session of Deno cannot vanish
 * without its process.
 */
function openLightDatagrams({ port, request }: LightLinkOptions): LightLink {
  const link = openWholeSession(`http://127.0.0.1:${port}`, request);
  return Object.assign(link, { status: 0, cut: () => link.close(0, "") });
}

class LightSocket implements LightLink {
  readonly ordered = true;
  readonly #socket: Socket;
  readonly #frames = new ServerFrames();
  #isUpgraded = false;
  /** Waits for the upgrade. */
  #waiting: Uint8Array[] = [];
  #closeCode = CUT;
  #onMessage: MessageHandler = () => {};
  #onClose: (code: number, reason: string) => void = () => {};

  constructor({ port, address }: LightLinkOptions) {
    const socket = this.#socket = connect({
      host: "127.0.0.1",
      port,
      localAddress: address,
      noDelay: true,
    });
    const request = [
      `GET ${SOCKET_PATH} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      ...HANDSHAKE,
      "",
      "",
    ];
    socket.on("connect", () => socket.write(request.join("\r\n")));
    socket.on("data", (bytes) => this.#receive(bytes as Uint8Array));
    socket.on("error", () => {}); // "close" follows
    socket.on("end", () => socket.destroy());
    socket.on("close", () => this.#onClose(this.#closeCode, ""));
  }

  get status(): number {
    return Number(this.#frames.http.split(" ", 2)[1] ?? 0);
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  send(message: Uint8Array): void {
    if (this.#isUpgraded) this.#frame(OPCODE.binary, message);
    else this.#waiting.push(message.slice());
  }

  sendReliably(message: Uint8Array): void {
    this.send(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#onClose = handler;
  }

  close(code: number): void {
    if (!this.#isUpgraded) return this.cut();
    this.#frame(OPCODE.close, new Uint8Array([code >> 8, code & 255]));
  }

  cut(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Uint8Array): void {
    for (const { opcode, payload } of this.#frames.push(bytes)) this.#takeFrame(opcode, payload);
    if (this.#isUpgraded || this.#frames.http === "") return;
    if (this.status !== 101) return this.cut();
    this.#isUpgraded = true;
    for (const message of this.#waiting) this.send(message);
    this.#waiting = [];
  }

  #takeFrame(opcode: number, payload: Uint8Array): void {
    if (opcode === OPCODE.ping) return this.#frame(OPCODE.pong, payload);
    if (opcode !== OPCODE.close) return this.#onMessage(payload, true);
    if (payload.length >= 2) this.#closeCode = payload[0]! << 8 | payload[1]!;
    this.#frame(OPCODE.close, payload.subarray(0, 2));
    this.#socket.end();
  }

  /** Sends a frame of less than 126 bytes, masked with zeros. */
  #frame(opcode: number, payload: Uint8Array): void {
    if (!this.#socket.writable) return;
    const frame = new Uint8Array(6 + payload.length);
    frame[0] = 0x80 | opcode;
    frame[1] = 0x80 | payload.length;
    frame.set(payload, 6);
    this.#socket.write(frame);
  }
}
