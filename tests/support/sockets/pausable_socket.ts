/**
 * A WebSocket as a client's `Link` that can stop reading, unlike a browser's. Bytes that arrive
 * meanwhile stay in the operating systems of both ends and in the server.
 */
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";

/**
 * All of 127.0.0.0/8 is this machine on Linux. By its own address this socket's connection is found
 * among others.
 */
export const PAUSABLE_ADDRESS = Deno.build.os === "linux" ? "127.0.0.3" : "127.0.0.1";

export class PausableSocket implements Link {
  readonly ordered = true;
  readonly #socket: WebSocket;
  readonly #waiting: Uint8Array[] = [];

  /** @param url ws://… */
  constructor(url: string) {
    this.#socket = new WebSocket(url, { localAddress: PAUSABLE_ADDRESS, perMessageDeflate: false });
    this.#socket.on("open", () => {
      for (const message of this.#waiting.splice(0)) this.#socket.send(message);
    });
    this.#socket.on("error", () => {}); // "close" follows
  }

  get bufferedBytes(): number {
    return this.#waiting.reduce((bytes, { length }) => bytes + length, this.#socket.bufferedAmount);
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  send(message: Uint8Array): void {
    const copy = message.slice();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(copy);
    else this.#waiting.push(copy);
  }

  sendReliably(message: Uint8Array): void {
    this.send(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#socket.on("message", (data) => handler(new Uint8Array(data as Buffer), true));
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#socket.on("close", (code, reason) => handler(code, reason.toString()));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
