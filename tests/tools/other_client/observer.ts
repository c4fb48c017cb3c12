/**
 * A spectator that has every definitive state of a room exactly. With `--stream commands` it steps
 * its own simulation,
 *
 *     S(n) = f( S(n−1), C(n) )
 *
 * and with `--stream state` each message has S(n) itself (SPEC 6.10). In both cases the hash in the
 * message proves that S(n) is the server's. So the record is the truth that another client is
 * compared with.
 */
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { HASH_MASK } from "../../../client/session/state_hash_check.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { BodyList } from "../../../shared/body_list.ts";
import { type SeatId, SEATS, type Tick } from "../../../shared/netcode/game.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { Timeline } from "../../../shared/netcode/timeline.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { FullState, TickMessage, Welcome } from "../../../shared/netcode/wire/messages.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { HELLO } from "../../support/sockets/stranger.ts";

const game = dragonGame;

/**
 * A body of S(n): its kind as the body stream numbers it, the seat that moves it or −1, and its
 * place in metres.
 */
export interface TrueBody {
  readonly kind: number;
  readonly seat: SeatId;
  readonly x: number;
  readonly y: number;
}

/** The definitive ticks of one room. */
export interface MatchRecord {
  /** The newest definitive tick; −1 before the first. */
  readonly tick: Tick;
  /** By tick and entity: all bodies of moving kinds. */
  readonly bodies: ReadonlyMap<Tick, ReadonlyMap<number, TrueBody>>;
  /** By seat and tick: the announced commands. */
  readonly announced: readonly ReadonlyMap<Tick, DragonCommand>[];
}

export class Observer implements MatchRecord, Disposable {
  tick: Tick = -1;
  readonly bodies = new Map<Tick, ReadonlyMap<number, TrueBody>>();
  readonly announced = Array.from({ length: SEATS }, () => new Map<Tick, DragonCommand>());
  /** Called after each definitive tick. */
  onTick: (tick: Tick) => void = () => {};

  readonly #link: Link;
  readonly #decoder = new ServerMessageDecoder(game.command);
  readonly #timeline = new Timeline(game);
  readonly #snapshot = new Snapshot();
  readonly #bodyList = new BodyList();
  /** Undefined before the welcome. */
  #simulation: DragonSimulation | undefined;
  #changed = Promise.withResolvers<void>();
  #error: unknown;

  /** Joins a room as a spectator. @param url http://… of the server, with a slash at its end */
  constructor(url: string, room: string) {
    this.#link = openNodeWebSocketLink(`${url.replace("http", "ws")}socket`);
    this.#link.onMessage((bytes) => this.#receive(bytes));
    this.#link.onClose((code, reason) =>
      this.#fail(new Error(`the observer's link closed: ${code} ${reason}`))
    );
    const encoder = new ClientMessageEncoder(game.command, this.#link);
    this.#link.sendReliably(encoder.encode({ ...HELLO, room, name: "observer", spectate: true }));
  }

  /** Whether a player or an NPC has this seat at the newest tick. */
  isPresent(seat: SeatId): boolean {
    return this.#timeline.isPresent(this.tick, seat);
  }

  /**
   * Resolves when the condition holds. It is evaluated after each tick.
   * @throws Error if the observer has failed
   */
  async until(condition: () => boolean): Promise<void> {
    while (this.#error === undefined && !condition()) await this.#changed.promise;
    if (this.#error !== undefined) throw this.#error;
  }

  [Symbol.dispose](): void {
    this.#link.close(1000, "left");
  }

  #receive(bytes: Uint8Array): void {
    if (this.#error !== undefined) return;
    try {
      const message = this.#decoder.decode(bytes);
      if (message.type === "welcome") this.#simulation = startOf(message);
      if (message.type === "tick") this.#take(message, this.#simulation!);
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(message: TickMessage<DragonCommand>, simulation: DragonSimulation): void {
    const { tick, state } = message;
    if (this.tick >= 0 && tick !== this.tick + 1) {
      throw new Error(`the observer lacks the ticks before ${tick}`);
    }
    if (state !== undefined) this.#load(tick, state, simulation);
    for (const { tick, seat, command } of message.announcements) {
      this.#announce(tick, seat, command);
    }
    for (const { tick, seat, present } of message.presence) {
      this.#timeline.setPresence(tick, seat, present);
    }
    if (state === undefined) this.#step(tick, simulation);
    simulation.save(this.#snapshot);
    if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== message.hash) {
      throw new Error(`a hash differs at tick ${tick}`);
    }
    this.tick = tick;
    this.bodies.set(tick, this.#bodiesOf(simulation));
    this.onTick(tick);
    this.#notifyWaiting();
  }

  #load(
    tick: Tick,
    { seats, snapshot }: FullState<DragonCommand>,
    simulation: DragonSimulation,
  ): void {
    this.#snapshot.setBytes(snapshot);
    simulation.load(this.#snapshot);
    this.#timeline.begin(tick, seats);
    for (const { seat, last, ticksMissing } of seats) {
      if (last !== undefined) this.announced[seat]!.set(tick - ticksMissing, last);
    }
  }

  #announce(tick: Tick, seat: SeatId, command: DragonCommand): void {
    this.#timeline.announce(tick, seat, command);
    this.announced[seat]!.set(tick, command);
  }

  #step(tick: Tick, simulation: DragonSimulation): void {
    this.#timeline.finalize(tick);
    this.#timeline.resolve(tick);
    simulation.step(this.#timeline.commands(tick));
  }

  #bodiesOf(simulation: DragonSimulation): ReadonlyMap<number, TrueBody> {
    const { fill, schemas } = game.bodies!;
    const list = this.#bodyList;
    const bodies = new Map<number, TrueBody>();
    fill(simulation, list);
    for (let i = 0; i < list.count; i++) {
      const { entity, schemaIndex: kind, seat, x, y } = list.at(i);
      if (schemas[kind]!.moves) bodies.set(entity, { kind, seat, x, y });
    }
    return bodies;
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#notifyWaiting();
  }

  #notifyWaiting(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function startOf({ npcs, seed }: Welcome): DragonSimulation {
  return game.start({ npcs }, seed);
}
