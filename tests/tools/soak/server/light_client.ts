/**
 * A client that costs little, so that one process plays a thousand of them. It predicts nothing. On
 * a reliable link it decodes only the welcome and full states: each further tick message is the
 * next tick, so it is counted.
 *
 * The server sees a player who sends a command for each tick, also while nothing arrives, as a page
 * does.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { clock } from "../../../../server/ground/ticker.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import type { ResumeToken } from "../../../../shared/netcode/wire/messages.ts";
import { CodeReader } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  codeMessageType,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import { RandomDragonControls } from "../../lab/random_controls.ts";
import { HELLO } from "../../../support/sockets/stranger.ts";
import type { Transport } from "../../bench/transport/plan.ts";
import { type LightLink, openLightLink } from "./light_link.ts";

const TICK_MS = 1000 / dragonGame.tickHz;
/**
 * Commands are for the tick this many after the newest one received, so they arrive one to two
 * ticks early.
 */
const AHEAD_TICKS = 3;
/**
 * The server has dropped ticks if commands are so many ticks beyond its own. Their numbers then
 * begin anew.
 */
const RESET_TICKS = 8;
/** After a late timer so many commands are sent at once. */
const CATCH_UP_MAX = 4;
/** "Normal closure" (RFC 6455 §7.4.1). */
const LEFT = 1000;

/**
 * The server closes the links of three: an idler takes a seat and never plays, one who stands still
 * sends the same command for ever, and a hidden page sends none any more.
 */
export type Role = "player" | "watcher" | "idler" | "still" | "hidden";

/** So long do the last two play first, ticks. */
const PLAYED_TICKS = 60;

export interface LightClientOptions {
  readonly transport: Transport;
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
  readonly #link: LightLink;
  readonly #encoder: ClientMessageEncoder<DragonCommand>;
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #controls: RandomDragonControls;
  /** When in a tick it sends, ms: real players are not in step. */
  readonly #phaseMs: number;
  #command: DragonCommand | undefined;
  #tick = -1;
  #tickAtMs = 0;
  #commandTick = -1;
  #sent = 0;
  #changedAtMs: number | undefined;
  #hasEnded = false;
  resume: ResumeToken | undefined;

  constructor(options: LightClientOptions) {
    this.#options = options;
    this.resume = options.resume;
    this.#controls = new RandomDragonControls(options.seed);
    this.#phaseMs = (options.seed * 7) % TICK_MS;
    const { transport, port, address, room, role, seed, resume } = options;
    const hello = { ...HELLO, room, resume, spectate: role === "watcher", name: `light ${seed}` };
    const link = this.#link = openLightLink({ transport, port, address, request: hello });
    this.#encoder = new ClientMessageEncoder(dragonGame.command, link);
    link.onMessage((message) => this.#receive(message));
    link.onClose((code) => this.#end(code));
    link.sendReliably(this.#encoder.encode(hello));
  }

  /** Whether it has a state and its connection is open. */
  get isInside(): boolean {
    return this.#tick >= 0 && !this.#hasEnded;
  }

  /**
   * Since when its player does nothing, ms; undefined for one who plays, and for one without a
   * seat.
   */
  get idleSinceMs(): number | undefined {
    return this.#isDone ? this.#changedAtMs : undefined;
  }

  /** Whether its player has gone. */
  get #isDone(): boolean {
    const { role } = this.#options;
    return (role === "still" || role === "hidden") && this.#sent >= PLAYED_TICKS;
  }

  /** Sends the commands that are due. Call it several times in each tick. */
  advance(nowMs: number): void {
    const { role } = this.#options;
    if (!this.isInside || role === "watcher" || role === "idler") return;
    if (role === "hidden" && this.#isDone) return;
    const due = this.#tick + AHEAD_TICKS +
      Math.floor((nowMs - this.#tickAtMs - this.#phaseMs) / TICK_MS);
    if (this.#commandTick < 0 || due < this.#commandTick - RESET_TICKS) this.#commandTick = due - 1;
    this.#commandTick = Math.max(this.#commandTick, due - CATCH_UP_MAX);
    while (this.#commandTick < due) this.#sendCommand(++this.#commandTick);
  }

  /** Leaves as a page does. */
  leave(): void {
    this.#link.close(LEFT, "");
  }

  /** Ends the connection without a close frame. */
  cut(): void {
    this.#link.cut();
  }

  #receive(message: Uint8Array): void {
    const type = codeMessageType("tick", new CodeReader(message));
    if (type === "tick") this.#onTick(this.#tick + 1);
    else if (type === "welcome" || type === "state" || type === "ticks") this.#decode(message);
  }

  #decode(bytes: Uint8Array): void {
    const message = this.#decoder.decode(new Uint8Array(bytes));
    if (message.type === "welcome") this.resume = message.resume;
    if (message.type === "ticks" && this.#tick >= 0) this.#onTick(message.ticks.at(-1)!.tick);
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
    if (!this.#isDone) {
      this.#command = this.#controls.next(tick, this.#command);
      this.#changedAtMs = clock.now();
    }
    const command = this.#command!;
    const { ordered } = this.#link;
    this.#sent++;
    const common = { tick, received: this.#tick, leadMs: AHEAD_TICKS * TICK_MS, isDesynced: false };
    this.#link.send(this.#encoder.encode(
      ordered
        ? { type: "command", command, ...common }
        : { type: "commands", commands: [command], ...common },
    ));
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnded(code, this.#link.status);
  }
}
