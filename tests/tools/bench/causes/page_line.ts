/**
 * The network between a page and its server: a proxy with a loss that can be changed at any time,
 * and that can be blocked. It records when each server tick passed it, which the page cannot know.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Proxy } from "../../../support/proxy.ts";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { ServerFrames } from "../../../support/sockets/server_frames.ts";
import { epochMs } from "./timed_rider.ts";

export class PageLine implements AsyncDisposable {
  /** The share of segments that are lost in each direction, 0 … 0.5. */
  loss = 0;
  /** By tick: when its message passed the line, ms since 1970. */
  readonly passedMs = new Map<Tick, number>();
  readonly #proxy: Proxy;

  /** @param port the server's @param rttMs round trip, ms */
  constructor(port: number, rttMs: number) {
    const loss = () => this.loss;
    const model = {
      oneWayMs: rttMs / 2,
      jitterMs: 0,
      get loss() {
        return loss();
      },
    };
    this.#proxy = new Proxy(port, { model, seed: 1, watch: () => this.#watch() });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#proxy.port}/`;
  }

  /** Fills the line with a flood of other data, so that nothing passes until `drain`. */
  fill(): void {
    this.#proxy.stall();
  }

  drain(): void {
    this.#proxy.unstall();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
  }

  /** @returns the receiver of one connection's bytes */
  #watch(): (bytes: Uint8Array) => void {
    const frames = new ServerFrames();
    const decoder = new ServerMessageDecoder(dragonGame.command);
    return (bytes) => {
      for (const { opcode, payload } of frames.push(bytes)) {
        if (opcode !== OPCODE.binary) continue;
        const message = decoder.decode(new Uint8Array(payload));
        if (message.type === "tick") this.passedMs.set(message.tick, epochMs());
      }
    };
  }
}
