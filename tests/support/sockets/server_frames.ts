/**
 * Splits the bytes that a server sends on one connection into the answer to the upgrade and
 * WebSocket frames.
 */
import { Buffer } from "node:buffer";

export interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export class ServerFrames {
  #received = Buffer.alloc(0);
  #isUpgraded = false;
  /** The received bytes that are no frame: an HTTP answer. */
  http = "";

  /** @returns the frames that these bytes complete @throws Error for a frame of 64 KiB or more */
  push(bytes: Uint8Array): ServerFrame[] {
    this.#received = Buffer.concat([this.#received, bytes]);
    if (!this.#isUpgraded) this.#takeHttp();
    const frames: ServerFrame[] = [];
    if (!this.#isUpgraded) return frames;
    for (let frame = this.#takeFrame(); frame !== undefined; frame = this.#takeFrame()) {
      frames.push(frame);
    }
    return frames;
  }

  #takeHttp(): void {
    const end = this.#received.indexOf("\r\n\r\n");
    this.#isUpgraded = end >= 0 && this.#received.toString("latin1").startsWith("HTTP/1.1 101 ");
    const httpLength = this.#isUpgraded ? end + 4 : this.#received.length;
    this.http += this.#received.toString("latin1", 0, httpLength);
    this.#received = this.#received.subarray(httpLength);
  }

  #takeFrame(): ServerFrame | undefined {
    const bytes = this.#received;
    if (bytes.length < 2) return undefined;
    const short = bytes[1]!;
    const from = short < 126 ? 2 : 4;
    if (short === 127) throw new Error("the server sends no frames of 64 KiB");
    if (bytes.length < from) return undefined;
    const length = short < 126 ? short : bytes.readUInt16BE(2);
    if (bytes.length < from + length) return undefined;
    this.#received = bytes.subarray(from + length);
    return { opcode: bytes[0]! & 15, payload: bytes.subarray(from, from + length) };
  }
}
