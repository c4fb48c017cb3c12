/**
 * The places on all nodes that this node has heard of, by game: rooms with free seats, and nodes
 * that open new ones. Heartbeats and messages about rooms, including this node's own, fill it;
 * `OpenRooms` chooses among them.
 */
import { type Game, playersOf } from "../../shared/netcode/game.ts";
import { messageFrom } from "../messages/message_parts.ts";
import type { Bus } from "../bus/bus.ts";
import { type NodeHeartbeat, type Nodes, takesMatches } from "./nodes.ts";
import { type NodeView, OpenRooms } from "./open_rooms.ts";
import { ADVERTISED_ROOMS, roomsSubject } from "./advertised_rooms.ts";

/** A room that a node has shown. */
export interface ShownRoom {
  readonly game: string;
  readonly code: string;
  readonly node: string;
  /** Taken seats. */
  readonly players: number;
}

interface GamePlaces {
  /** Players with whom a room is full for newcomers. */
  readonly seats: number;
  readonly open: OpenRooms;
  /** The node of each room that `open` holds. */
  readonly nodes: Map<string, string>;
}

interface ShownNode {
  /** The heartbeat that `OpenRooms` knows. */
  heartbeat: NodeHeartbeat;
  /**
   * By game: the rooms in the node's newest message, and those shown since. A node takes players
   * only for these games.
   */
  readonly rooms: Map<string, Set<string>>;
}

export class Places {
  readonly #nodes: Pick<Nodes, "living" | "get">;
  readonly #games: ReadonlyMap<string, GamePlaces>;
  /** Only living nodes, so at most `NODES_MAX`. */
  readonly #shown = new Map<string, ShownNode>();

  /**
   * @param options.games those that this node hosts. Others' further games are ignored.
   */
  constructor(
    { nodes, bus, games }: {
      nodes: Pick<Nodes, "living" | "get">;
      bus: Pick<Bus, "subscribe">;
      games: Iterable<Pick<Game<never>, "id" | "players">>;
    },
  ) {
    this.#nodes = nodes;
    this.#games = new Map(
      Array.from(games, (game) => {
        const { playNow: seats } = playersOf(game);
        return [game.id, { seats, open: new OpenRooms(), nodes: new Map() }];
      }),
    );
    bus.subscribe(roomsSubject("*"), (bytes) => this.#hear(bytes));
  }

  /** A game's places; undefined for a game that is not hosted here. */
  of(game: string): OpenRooms | undefined {
    return this.#games.get(game)?.open;
  }

  /** The nodes that host a game, as far as this node has heard. */
  nodesOf(game: string): string[] {
    return [...this.#shown].filter(([, { rooms }]) => rooms.has(game)).map(([node]) => node);
  }

  /** Takes in the newest heartbeats, and forgets the rooms of nodes that fell silent. */
  update(): void {
    const living = new Map(this.#nodes.living.map((heartbeat) => [heartbeat.node, heartbeat]));
    for (const [node, shown] of this.#shown) {
      const heartbeat = living.get(node);
      if (heartbeat === undefined) this.#forget(node);
      else if (heartbeat !== shown.heartbeat) this.#setHeartbeat(shown, heartbeat);
    }
  }

  /**
   * Updates a room about which this node knows more than the newest message said, because it has
   * just sent a player there.
   */
  show({ game, code, node, players }: ShownRoom): void {
    const places = this.#games.get(game);
    const codes = this.#shown.get(node)?.rooms.get(game);
    if (places === undefined || codes === undefined) return;
    codes.add(code);
    places.open.setRoom(code, { node, players, seats: places.seats });
    places.nodes.set(code, node);
  }

  /** Notes that a node has refused a player. It gets no other player before its next heartbeat. */
  setFull(node: string): void {
    const shown = this.#shown.get(node);
    if (shown === undefined) return;
    const full = { ...viewOf(shown.heartbeat), load: Infinity };
    for (const game of shown.rooms.keys()) this.#games.get(game)!.open.setNode(node, full);
  }

  #hear(bytes: Uint8Array): void {
    const advertised = messageFrom(ADVERTISED_ROOMS, bytes);
    const heartbeat = advertised && this.#nodes.get(advertised.node);
    // The address of a node is known only from its heartbeat.
    if (advertised === undefined || heartbeat === undefined) return;

    const { node, games } = advertised;
    let shown = this.#shown.get(node);
    if (shown === undefined) this.#shown.set(node, shown = { heartbeat, rooms: new Map() });

    for (const [game, { open }] of this.#games) {
      const rooms = games[game];
      if (rooms === undefined) continue;
      const before = shown.rooms.get(game);
      const codes = new Set(rooms.map(([code]) => code));
      shown.rooms.set(game, codes);

      if (before === undefined) open.setNode(node, viewOf(shown.heartbeat));
      for (const code of before ?? []) if (!codes.has(code)) this.#removeRoom(game, { code, node });
      for (const [code, players] of rooms) this.show({ game, code, node, players });
    }
  }

  #setHeartbeat(shown: ShownNode, heartbeat: NodeHeartbeat): void {
    const hasMoved = shown.heartbeat.region !== heartbeat.region;
    const { node } = heartbeat;
    shown.heartbeat = heartbeat;
    for (const game of shown.rooms.keys()) {
      const { open } = this.#games.get(game)!;
      // The node's rooms come again with its next message.
      if (hasMoved) open.removeNode(node);
      open.setNode(node, viewOf(heartbeat));
    }
  }

  #forget(node: string): void {
    for (const game of this.#shown.get(node)!.rooms.keys()) {
      const { open, nodes } = this.#games.get(game)!;
      open.removeNode(node);
      for (const [code, owner] of nodes) if (owner === node) nodes.delete(code);
    }
    this.#shown.delete(node);
  }

  /** @param room one that its node no longer shows; by now another node may own it */
  #removeRoom(game: string, { code, node }: { code: string; node: string }): void {
    const { open, nodes } = this.#games.get(game)!;
    if (nodes.get(code) !== node) return;
    open.removeRoom(code);
    nodes.delete(code);
  }
}

function viewOf(heartbeat: NodeHeartbeat): NodeView {
  const { region, load, loadMax } = heartbeat;
  return { region, load, loadMax, isDraining: !takesMatches(heartbeat) };
}
