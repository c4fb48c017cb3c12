/**
 * The rooms with free seats and the nodes of all regions, as their heartbeats show them. It answers
 * in constant time for each region, so among a thousand nodes "Play now" is as fast as among three.
 */

/** 1,000 nodes with 100 rooms each, at about 200 bytes an entry. Further rooms are not offered. */
export const ROOMS_MAX = 100_000;
/**
 * A room is lively if this share of its seats is taken; more players do not make it better. If the
 * fullest rooms came first, all players between two heartbeats would be sent to the few rooms with
 * one free seat, and nearly all would be refused.
 */
const LIVELY_SHARE = 0.5;
/**
 * A node is offered up to this share of the load at which it refuses. Otherwise a node at its limit
 * would be offered whenever a player leaves: many would come before its next heartbeat, and it
 * would refuse most of them.
 */
const OFFERED_LOAD_SHARE = 0.9;

/** A node as its heartbeats show it. */
export interface NodeView {
  readonly region: string;
  /** The share of a tick's time that its ticks take, as `TickLoad` measures it. */
  readonly load: number;
  /** The load above which it takes no players: its `--tick-load` as a share. */
  readonly loadMax: number;
  /** Whether it is stopping. */
  readonly isDraining: boolean;
}

/** A room as its node's heartbeats show it. */
export interface RoomView {
  readonly node: string;
  /** Taken seats, reserved ones included. */
  readonly players: number;
  readonly seats: number;
}

interface Room extends RoomView {
  readonly code: string;
  /** The list that holds the room, and its index there; undefined if the room is not offered. */
  list: Room[] | undefined;
  at: number;
}

interface Node extends NodeView {
  readonly name: string;
  readonly rooms: Set<Room>;
  /** Its index among the takers of its region; -1 if it takes no players. */
  takerAt: number;
}

interface Region {
  /** Rooms with a free seat on a node that takes players, indexed by their company. */
  readonly byCompany: Room[][];
  /** Nodes that take players. */
  readonly takers: Node[];
}

export class OpenRooms {
  readonly #regions = new Map<string, Region>();
  readonly #nodes = new Map<string, Node>();
  readonly #rooms = new Map<string, Room>();

  /** Takes a node's heartbeat. A node that has moved to another region counts as another node. */
  setNode(name: string, view: NodeView): void {
    const before = this.#nodes.get(name);
    const node: Node = {
      ...view,
      name,
      rooms: before?.rooms ?? new Set(),
      takerAt: before?.takerAt ?? -1,
    };
    this.#nodes.set(name, node);
    if (before !== undefined && before.takerAt >= 0) {
      this.#region(before.region).takers[before.takerAt] = node;
    }

    // If it began or stopped taking players, its rooms are offered from now on, or no longer.
    const takes = !view.isDraining && view.load <= OFFERED_LOAD_SHARE * view.loadMax;
    if (takes === (node.takerAt >= 0)) return;
    if (takes) node.takerAt = this.#region(node.region).takers.push(node) - 1;
    else this.#stopTaking(node);
    for (const room of node.rooms) this.#offer(room);
  }

  /** Removes a node that is gone with its rooms, until another node shows them. */
  removeNode(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    if (node.takerAt >= 0) this.#stopTaking(node);
    for (const room of node.rooms) this.removeRoom(room.code);
    this.#nodes.delete(name);
  }

  /**
   * Adds or updates a room that a heartbeat has shown. It belongs to the node that showed it last.
   */
  setRoom(code: string, view: RoomView): void {
    const node = this.#nodes.get(view.node);
    const before = this.#rooms.get(code);
    if (node === undefined || before === undefined && this.#rooms.size >= ROOMS_MAX) return;
    if (before !== undefined) this.removeRoom(code);
    const room: Room = { ...view, code, list: undefined, at: 0 };
    this.#rooms.set(code, room);
    node.rooms.add(room);
    this.#offer(room);
  }

  removeRoom(code: string): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    withdraw(room);
    this.#nodes.get(room.node)?.rooms.delete(room);
    this.#rooms.delete(code);
  }

  /**
   * The company in a region's best room with a free seat: its players, but no more than make it
   * lively.
   * @returns undefined if there is no such room
   */
  bestCompany(region: string): number | undefined {
    const lists = this.#regions.get(region)?.byCompany ?? [];
    for (let company = lists.length - 1; company >= 0; company--) {
      if (lists[company]!.length > 0) return company;
    }
    return undefined;
  }

  /** Whether any node of the region opens rooms. */
  takesRooms(region: string): boolean {
    return (this.#regions.get(region)?.takers.length ?? 0) > 0;
  }

  /**
   * Draws two of the rooms with the best company, and returns the one on the less busy node.
   * @param draw a random number in [0, 1)
   */
  drawRoom(
    region: string,
    draw: () => number,
  ): { readonly code: string; readonly node: string } | undefined {
    const company = this.bestCompany(region);
    if (company === undefined) return undefined;
    const rooms = this.#region(region).byCompany[company]!;
    const { code, node } = drawLessBusy(rooms, {
      draw,
      loadOf: (room) => this.#nodes.get(room.node)!.load,
    })!;
    return { code, node };
  }

  /**
   * Chooses a region's node for a new room; undefined if all its nodes are full.
   * @param draw a random number in [0, 1)
   */
  drawNode(region: string, draw: () => number): string | undefined {
    return drawLessBusy(this.#regions.get(region)?.takers ?? [], {
      draw,
      loadOf: ({ load }) => load,
    })?.name;
  }

  /** Moves a room into the list where it belongs, or into none. */
  #offer(room: Room): void {
    withdraw(room);
    const { players, seats } = room;
    const node = this.#nodes.get(room.node)!;
    if (players >= seats || node.takerAt < 0) return;
    const { byCompany } = this.#region(node.region);
    const company = companyOf(room);
    while (byCompany.length <= company) byCompany.push([]);
    room.list = byCompany[company]!;
    room.at = room.list.push(room) - 1;
  }

  #stopTaking(node: Node): void {
    const { takers } = this.#region(node.region);
    const last = takers.pop()!;
    if (last !== node) takers[last.takerAt = node.takerAt] = last;
    node.takerAt = -1;
  }

  #region(name: string): Region {
    let region = this.#regions.get(name);
    if (region === undefined) this.#regions.set(name, region = { byCompany: [], takers: [] });
    return region;
  }
}

/** Takes a room out of its list; the list's last room fills the gap. */
function withdraw(room: Room): void {
  const { list, at } = room;
  if (list === undefined) return;
  const last = list.pop()!;
  if (last !== room) list[last.at = at] = last;
  room.list = undefined;
}

function companyOf({ players, seats }: RoomView): number {
  return Math.min(players, Math.ceil(seats * LIVELY_SHARE));
}

/**
 * Draws two items and returns the less busy one; undefined if there are none. The least busy item
 * of all would get every player between two heartbeats, whereas two random choices spread the
 * players (Mitzenmacher, 2001).
 * @param options.draw a random number in [0, 1)
 */
function drawLessBusy<Item>(
  items: readonly Item[],
  { draw, loadOf }: { draw: () => number; loadOf: (item: Item) => number },
): Item | undefined {
  const one = items[Math.floor(draw() * items.length)];
  const other = items[Math.floor(draw() * items.length)];
  return one === undefined || other === undefined || loadOf(one) <= loadOf(other) ? one : other;
}
