/**
 * A client that costs little, so that one process plays a thousand of them. It predicts nothing and decodes only the
 * welcome and full states: each further tick message is the next tick, so it is counted.
 *
 * The server sees a player who sends a command for each tick, also while nothing arrives, as a page does.
 */
import { connect, type Socket } from "node:net";
import { clock } from "../../../server/ticker.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { SOCKET_PATH } from "../../../shared/netcode/link.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { ClientMessage, ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import { CodeReader } from "../../../shared/netcode/wire/range_coder.ts";
import { codeMessageType, ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { RandomDragonControls } from "../../lab/random_controls.ts";
import { HANDSHAKE, OPCODE } from "../../support/sockets/raw_socket.ts";
import { ServerFrames } from "../../support/sockets/server_frames.ts";
import { HELLO } from "../../support/sockets/stranger.ts";

const TICK_MS = 1000 / dragonGame.tickHz;
/** Commands are for the tick so many after the newest one received: they arrive one to two ticks early. */
const AHEAD_TICKS = 3;
/** The server has dropped ticks if commands are so many ticks beyond its own. Their numbers then begin anew. */
const RESET_TICKS = 8;
/** After a late timer so many commands are sent at once. */
const CATCH_UP_MAX = 4;
/** "Normal closure" and "no close frame" (RFC 6455 §7.4.1). */
const LEFT = 1000, CUT = 1006;

/** An idler takes a seat and never plays; the server closes its link. */
export type Role = "player" | "watcher" | "idler";

export interface LightClientOptions {
  readonly port: number;
  /** The address of this machine that it comes from. */
  readonly address: string;
  readonly room: string;
  readonly role: Role;
  readonly seed: number;
  /** The token of the seat that it had. */
  readonly resume?: ResumeToken | undefined;
  /** Called with the first state. */
  readonly onJoined: () => void;
  /** Called once when the connection has ended. @param status of the HTTP answer; 0 without one */
  readonly onEnded: (code: number, status: number) => void;
}

export class LightClient {
  readonly #options: LightClientOptions;
  readonly #socket: Socket;
  readonly #frames = new ServerFrames();
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #controls: RandomDragonControls;
  /** When in a tick it sends, ms: real players are not in step. */
  readonly #phaseMs: number;
  #command: DragonCommand | undefined;
  #closeCode = CUT;
  #tick = -1;
  #tickAtMs = 0;
  #commandTick = -1;
  #isUpgraded = false;
  #hasEnded = false;
  resume: ResumeToken | undefined;

  constructor(options: LightClientOptions) {
    this.#options = options;
    this.resume = options.resume;
    this.#controls = new RandomDragonControls(options.seed);
    this.#phaseMs = (options.seed * 7) % TICK_MS;
    const { port, address: localAddress } = options;
    this.#socket = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
    this.#socket.on("connect", () => this.#requestUpgrade());
    this.#socket.on("data", (bytes) => this.#receive(bytes as Uint8Array));
    this.#socket.on("error", () => {}); // "close" follows
    this.#socket.on("end", () => this.#socket.destroy());
    this.#socket.on("close", () => this.#end());
  }

  /** Whether it has a state and its connection is open. */
  get isInside(): boolean {
    return this.#tick >= 0 && !this.#hasEnded;
  }

  /** Sends the commands that are due. Call it several times in each tick. */
  advance(nowMs: number): void {
    if (!this.isInside || this.#options.role !== "player") return;
    const due = this.#tick + AHEAD_TICKS + Math.floor((nowMs - this.#tickAtMs - this.#phaseMs) / TICK_MS);
    if (this.#commandTick < 0 || due < this.#commandTick - RESET_TICKS) this.#commandTick = due - 1;
    this.#commandTick = Math.max(this.#commandTick, due - CATCH_UP_MAX);
    while (this.#commandTick < due) this.#sendCommand(++this.#commandTick);
  }

  /** Leaves as a page does. */
  leave(): void {
    if (!this.#isUpgraded) return this.cut();
    this.#frame(OPCODE.close, new Uint8Array([LEFT >> 8, LEFT & 255]));
  }

  /** Ends the connection without a close frame. */
  cut(): void {
    this.#socket.destroy();
  }

  #requestUpgrade(): void {
    const { port } = this.#options;
    this.#socket.write([`GET ${SOCKET_PATH} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...HANDSHAKE, "", ""].join("\r\n"));
  }

  #receive(bytes: Uint8Array): void {
    for (const { opcode, payload } of this.#frames.push(bytes)) this.#takeFrame(opcode, payload);
    if (this.#isUpgraded || this.#frames.http === "") return;
    if (!this.#frames.http.startsWith("HTTP/1.1 101 ")) return this.cut();
    this.#isUpgraded = true;
    const { room, role, seed, resume } = this.#options;
    this.#send({ ...HELLO, room, resume, spectate: role === "watcher", name: `light ${seed}` });
  }

  #takeFrame(opcode: number, payload: Uint8Array): void {
    if (opcode === OPCODE.ping) return this.#frame(OPCODE.pong, payload);
    if (opcode === OPCODE.close) {
      if (payload.length >= 2) this.#closeCode = payload[0]! << 8 | payload[1]!;
      this.#frame(OPCODE.close, payload.subarray(0, 2));
      return void this.#socket.end();
    }
    const type = codeMessageType("tick", new CodeReader(payload));
    if (type === "tick") this.#onTick(this.#tick + 1);
    else if (type === "welcome" || type === "state") this.#decode(payload);
  }

  #decode(payload: Uint8Array): void {
    const message = this.#decoder.decode(new Uint8Array(payload));
    if (message.type === "welcome") this.resume = message.resume;
    if (message.type !== "tick") return;
    const isFirst = this.#tick < 0;
    this.#onTick(message.tick);
    if (isFirst) this.#options.onJoined();
  }

  #onTick(tick: number): void {
    this.#tick = tick;
    this.#tickAtMs = clock.now();
  }

  #sendCommand(tick: number): void {
    this.#command = this.#controls.next(tick, this.#command);
    this.#send({
      ...{ type: "command", tick, command: this.#command, received: this.#tick },
      ...{ leadMs: AHEAD_TICKS * TICK_MS, isDesynced: false },
    });
  }

  #send(message: ClientMessage<DragonCommand>): void {
    this.#frame(OPCODE.binary, this.#encoder.encode(message));
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

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnded(this.#closeCode, Number(this.#frames.http.split(" ", 2)[1] ?? 0));
  }
}
