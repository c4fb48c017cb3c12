/**
 * Nodes of one process that say each other their rooms and loads, on a clock of the test. Messages
 * arrive at once, unless a test keeps them back. Each node has the real parts of "Play now"; its
 * matches are numbers of players.
 */
import type { HelloRefusal } from "../../../server/capacity/capacity_check.ts";
import type { PlayAnswer } from "../../../server/http/join_route.ts";
import { Matchmaker, openSubject } from "../../../server/nodes/matchmaker.ts";
import { type NodeHeartbeat, Nodes } from "../../../server/nodes/nodes.ts";
import { Places } from "../../../server/nodes/places.ts";
import { roomsSubject } from "../../../server/nodes/advertised_rooms.ts";
import { SeatReservations, seatSubject } from "../../../server/nodes/seat_reservations.ts";
import type { Rooms } from "../../../server/rooms/rooms.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";

export const GAME = counterGame.id;
const BUSY: HelloRefusal = { code: 4008, reason: "the machine is busy; try again in 10 s" };

type OnMessage = (bytes: Uint8Array) => Promise<string> | void;

export class PlayCluster {
  readonly nodes: readonly PlayNode[];
  readonly random: Random;
  readonly #listeners: { readonly subject: string; readonly onMessage: OnMessage }[] = [];
  /** Rooms that are claimed or open, by code. */
  readonly claimed = new Set<string>();
  /** Subjects that get no answer. */
  readonly silent = new Set<string>();
  /** Whether messages about rooms and heartbeats are lost. */
  isDeaf = false;
  nowMs = 0;

  /** @param regions that of each node */
  constructor(regions: readonly string[], seed: number) {
    this.random = new Random(seed);
    this.nodes = regions.map((region, i) =>
      new PlayNode(this, { name: String(i + 1).padStart(16, "0"), region })
    );
    this.say();
    this.live(1_600);
  }

  /**
   * Time goes on, and nodes say what they are as often as real ones.
   * @param ms a multiple of 200
   */
  live(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += 200;
      this.say();
    }
  }

  /** All nodes say what they are. */
  say(): void {
    for (const node of this.nodes) node.say();
  }

  publish(subject: string, text: string): void {
    if (!this.isDeaf) this.deliver(subject, new TextEncoder().encode(text));
  }

  deliver(subject: string, bytes: Uint8Array): void {
    for (const { subject: wanted, onMessage } of this.#listeners) {
      if (wanted === subject || wanted === `${subject.split(".")[0]}.*`) void onMessage(bytes);
    }
  }

  subscribe(subject: string, onMessage: OnMessage): void {
    this.#listeners.push({ subject, onMessage });
  }

  async ask(subject: string, body: string): Promise<string | undefined> {
    const found = this.#listeners.find((each) => each.subject === subject);
    if (found === undefined || this.silent.has(subject)) return undefined;
    return await found.onMessage(new TextEncoder().encode(body)) as string;
  }
}

export class PlayNode {
  readonly name: string;
  readonly url: string;
  readonly region: string;
  /** By code. */
  readonly players = new Map<string, number>();
  load = 0.1;
  leaves = false;
  #asked = 0;
  readonly #cluster: PlayCluster;
  readonly #nodes: Nodes;
  readonly #seats: SeatReservations;
  readonly #matchmaker: Matchmaker;

  constructor(cluster: PlayCluster, { name, region }: { name: string; region: string }) {
    this.#cluster = cluster;
    this.name = name;
    this.region = region;
    this.url = `http://node${Number(name)}`;
    const bus = {
      isConnected: true,
      isInDoubt: false,
      publish: (subject: string, text: string) => cluster.publish(subject, text),
      subscribe: (subject: string, onMessage: OnMessage) => cluster.subscribe(subject, onMessage),
      request: (subject: string, body: string) => cluster.ask(subject, body),
    };
    const clock = { now: () => cluster.nowMs };
    const draw = () => cluster.random.fraction();
    const nodes = this.#nodes = new Nodes({ self: () => this.heartbeat, bus, clock });
    const rooms = {
      byGame: new Map([["counter", {
        game: { id: GAME } as Game<unknown>,
        openRooms: () => new Map(this.players),
      }]]),
      refusalOf: () => this.leaves || this.load > this.heartbeat.loadMax ? BUSY : undefined,
    } as unknown as Pick<Rooms<unknown>, "byGame" | "refusalOf">;
    const claim = async (_game: string, code: string) => {
      await Promise.resolve();
      if (cluster.claimed.has(code)) return false;
      cluster.claimed.add(code);
      return true;
    };
    const newCode = () =>
      Array.from({ length: 4 }, () => String.fromCharCode(65 + cluster.random.below(26))).join("");
    const node = name;
    const logs = { claim };
    const onGiven = () => this.#sayRooms();
    const seats = this.#seats = new SeatReservations({
      node,
      rooms,
      logs,
      clock,
      newCode,
      onGiven,
    });
    const places = new Places({ nodes, bus, games: [{ id: GAME }] });
    this.#matchmaker = new Matchmaker({
      node,
      region,
      games: { counter: { id: GAME } },
      nodes,
      places,
      seats,
      bus,
      clock,
      draw,
    });
    bus.subscribe(seatSubject(node), (bytes) => seats.answer(bytes));
    bus.subscribe(openSubject(node), (bytes) => this.#matchmaker.answer(bytes));
  }

  get heartbeat(): NodeHeartbeat {
    const { name: node, url, leaves, load, region } = this;
    return { node, url, leaves, matches: this.players.size, load, loadMax: 0.6, region };
  }

  say(): void {
    this.#nodes.sendHeartbeat();
    this.#sayRooms();
  }

  #sayRooms(): void {
    this.#cluster.publish(roomsSubject(this.name), JSON.stringify(this.#seats.advertised()));
  }

  get regions() {
    return this.#matchmaker.regions();
  }

  /** @param addressBlock by default another one for each request */
  play(body: unknown, { name = "", addressBlock = `${this.#asked++}` } = {}): Promise<PlayAnswer> {
    return this.#matchmaker.play(body, { name, addressBlock });
  }
}
