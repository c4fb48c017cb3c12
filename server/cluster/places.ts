/**
 * The places of all nodes by game, as far as this node has heard: rooms with free seats, and nodes
 * that open new ones. Beats and messages about rooms fill it, this node's own among them.
 * `OpenRooms` chooses among them.
 */
import { PLAY_NOW_PLAYERS_MAX } from "../../shared/netcode/game.ts";
import { messageFrom } from "../messages/message_parts.ts";
import type { Beat, BeatLine, Nodes } from "./nodes.ts";
import { type NodeView, OpenRooms } from "./open_rooms.ts";
import { roomsSubject, SAID_ROOMS } from "./said_rooms.ts";

/** A room that a node has shown. */
export interface ShownRoom {
  readonly game: string;
  readonly code: string;
  readonly node: string;
  /** Taken seats. */
  readonly players: number;
}

interface GamePlaces {
  readonly open: OpenRooms;
  /** The node of each room that is in `open`. */
  readonly nodes: Map<string, string>;
}

interface ShownNode {
  /** The one that counts in `OpenRooms`. */
  beat: Beat;
  /**
   * By game the rooms of its newest message, and those shown since. A node takes players of these
   * games alone.
   */
  readonly rooms: Map<string, Set<string>>;
}

export class Places {
  readonly #nodes: Pick<Nodes, "living" | "get">;
  readonly #games: ReadonlyMap<string, GamePlaces>;
  /** All of them live, so there are at most `NODES_MAX`. */
  readonly #shown = new Map<string, ShownNode>();

  /**
   * @param options.games the ids of the games that this node hosts. Others' further games are
   *   ignored.
   */
  constructor(
    { nodes, line, games }: {
      nodes: Pick<Nodes, "living" | "get">;
      line: Pick<BeatLine, "subscribe">;
      games: Iterable<string>;
    },
  ) {
    this.#nodes = nodes;
    this.#games = new Map(
      Array.from(games, (game) => [game, { open: new OpenRooms(), nodes: new Map() }]),
    );
    line.subscribe(roomsSubject("*"), (bytes) => this.#hear(bytes));
  }

  /** The places of a game; undefined for one that is not hosted here. */
  of(game: string): OpenRooms | undefined {
    return this.#games.get(game)?.open;
  }

  /** The nodes that have a game, as far as this one has heard. */
  nodesOf(game: string): string[] {
    return [...this.#shown].filter(([, { rooms }]) => rooms.has(game)).map(([node]) => node);
  }

  /** Takes over what the newest beats say, and forgets the rooms of nodes that went silent. */
  update(): void {
    const living = new Map(this.#nodes.living.map((beat) => [beat.node, beat]));
    for (const [node, shown] of this.#shown) {
      const beat = living.get(node);
      if (beat === undefined) this.#forget(node);
      else if (beat !== shown.beat) this.#setBeat(shown, beat);
    }
  }

  /**
   * A room of which this node knows more than the newest message said: it has just sent a player
   * there.
   */
  show({ game, code, node, players }: ShownRoom): void {
    const places = this.#games.get(game);
    const codes = this.#shown.get(node)?.rooms.get(game);
    if (places === undefined || codes === undefined) return;
    codes.add(code);
    places.open.setRoom(code, { node, players, seats: PLAY_NOW_PLAYERS_MAX });
    places.nodes.set(code, node);
  }

  /** A node has refused a player: it gets no other one before its next beat. */
  setFull(node: string): void {
    const shown = this.#shown.get(node);
    if (shown === undefined) return;
    const full = { ...viewOf(shown.beat), load: Infinity };
    for (const game of shown.rooms.keys()) this.#games.get(game)!.open.setNode(node, full);
  }

  #hear(bytes: Uint8Array): void {
    const said = messageFrom(SAID_ROOMS, bytes);
    const beat = said && this.#nodes.get(said.node);
    // A node that has no beat has no address.
    if (said === undefined || beat === undefined) return;

    const { node, games } = said;
    let shown = this.#shown.get(node);
    if (shown === undefined) this.#shown.set(node, shown = { beat, rooms: new Map() });

    for (const [game, { open }] of this.#games) {
      const rooms = games[game];
      if (rooms === undefined) continue;
      const before = shown.rooms.get(game);
      const codes = new Set(rooms.map(([code]) => code));
      shown.rooms.set(game, codes);

      if (before === undefined) open.setNode(node, viewOf(shown.beat));
      for (const code of before ?? []) if (!codes.has(code)) this.#removeRoom(game, { code, node });
      for (const [code, players] of rooms) this.show({ game, code, node, players });
    }
  }

  #setBeat(shown: ShownNode, beat: Beat): void {
    const hasMoved = shown.beat.region !== beat.region;
    const { node } = beat;
    shown.beat = beat;
    for (const game of shown.rooms.keys()) {
      const { open } = this.#games.get(game)!;
      // Its rooms come again with its next message.
      if (hasMoved) open.removeNode(node);
      open.setNode(node, viewOf(beat));
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

  /** @param room one that its node shows no more; another node may have it by now */
  #removeRoom(game: string, { code, node }: { code: string; node: string }): void {
    const { open, nodes } = this.#games.get(game)!;
    if (nodes.get(code) !== node) return;
    open.removeRoom(code);
    nodes.delete(code);
  }
}

function viewOf({ region, load, loadMax, leaves }: Beat): NodeView {
  return { region, load, loadMax, isDraining: leaves };
}
