/**
 * The rooms with free seats and the nodes of all regions, as their beats have shown them. It answers in constant time
 * for each region, so a node of a thousand answers "Play now" as fast as one of three.
 */

/** 1,000 nodes with 100 rooms each; an entry takes about 200 bytes. Further rooms are not offered. */
export const ROOMS_MAX = 100_000;

/** A node as its beats show it. */
export interface NodeView {
  readonly region: string;
  /** Share of a tick that its ticks take, as `TickLoad` measures it. */
  readonly load: number;
  /** The load above which it takes nobody: its `--tick-load` as a share. */
  readonly loadMax: number;
  /** Whether it is stopping. */
  readonly isDraining: boolean;
}

/** A room as its node's beats show it. */
export interface RoomView {
  readonly node: string;
  /** Taken seats, reserved ones included. */
  readonly players: number;
  readonly seats: number;
}

interface Room extends RoomView {
  readonly code: string;
  /** The list that it is in, and its index there; undefined if it is not offered. */
  list: Room[] | undefined;
  at: number;
}

interface Node extends NodeView {
  readonly name: string;
  readonly rooms: Set<Room>;
  /** Its index among the takers of its region; -1 if it takes nobody. */
  takerAt: number;
}

interface Region {
  /** By the number of players: the rooms that have a free seat on a node that takes players. */
  readonly byPlayers: Room[][];
  /** Nodes that take players. */
  readonly takers: Node[];
}

export class OpenRooms {
  readonly #regions = new Map<string, Region>();
  readonly #nodes = new Map<string, Node>();
  readonly #rooms = new Map<string, Room>();

  /** A beat has come. A node that has moved to another region is another node. */
  setNode(name: string, view: NodeView): void {
    const before = this.#nodes.get(name);
    const node: Node = { ...view, name, rooms: before?.rooms ?? new Set(), takerAt: before?.takerAt ?? -1 };
    this.#nodes.set(name, node);
    if (before !== undefined && before.takerAt >= 0) this.#region(before.region).takers[before.takerAt] = node;
    const takes = !view.isDraining && view.load <= view.loadMax;
    if (takes === (node.takerAt >= 0)) return;
    if (takes) node.takerAt = this.#region(node.region).takers.push(node) - 1;
    else this.#stopTaking(node);
    for (const room of node.rooms) this.#offer(room);
  }

  /** The node is gone, and so are its rooms until another node has them. */
  removeNode(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    if (node.takerAt >= 0) this.#stopTaking(node);
    for (const room of node.rooms) this.removeRoom(room.code);
    this.#nodes.delete(name);
  }

  /** A beat has shown a room. The newest node that shows it has it. */
  setRoom(code: string, view: RoomView): void {
    const node = this.#nodes.get(view.node), before = this.#rooms.get(code);
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

  /** The number of players of the fullest room of a region that has a free seat; undefined if there is none. */
  mostPlayers(region: string): number | undefined {
    const lists = this.#regions.get(region)?.byPlayers ?? [];
    for (let players = lists.length - 1; players >= 0; players--) if (lists[players]!.length > 0) return players;
    return undefined;
  }

  /** Whether a node of the region opens rooms. */
  takesRooms(region: string): boolean {
    return (this.#regions.get(region)?.takers.length ?? 0) > 0;
  }

  /** One of the fullest rooms of a region that have a free seat. @param draw a random number in [0, 1) */
  drawRoom(region: string, draw: () => number): { readonly code: string; readonly node: string } | undefined {
    const players = this.mostPlayers(region);
    if (players === undefined) return undefined;
    const { code, node } = drawn(this.#region(region).byPlayers[players]!, draw);
    return { code, node };
  }

  /**
   * The less busy of two nodes that are drawn. The least busy of all would get every new room of the time between two
   * beats; of two that are drawn, hardly any node gets many (Mitzenmacher, 2001).
   */
  drawNode(region: string, draw: () => number): string | undefined {
    const takers = this.#regions.get(region)?.takers ?? [];
    if (takers.length === 0) return undefined;
    const one = drawn(takers, draw), other = drawn(takers, draw);
    return (other.load < one.load ? other : one).name;
  }

  /** Puts a room into the list where it belongs, or into none. */
  #offer(room: Room): void {
    withdraw(room);
    const { players, seats } = room, node = this.#nodes.get(room.node)!;
    if (players >= seats || node.takerAt < 0) return;
    const { byPlayers } = this.#region(node.region);
    while (byPlayers.length <= players) byPlayers.push([]);
    room.list = byPlayers[players]!;
    room.at = room.list.push(room) - 1;
  }

  #stopTaking(node: Node): void {
    const { takers } = this.#region(node.region), last = takers.pop()!;
    if (last !== node) takers[last.takerAt = node.takerAt] = last;
    node.takerAt = -1;
  }

  #region(name: string): Region {
    let region = this.#regions.get(name);
    if (region === undefined) this.#regions.set(name, region = { byPlayers: [], takers: [] });
    return region;
  }
}

/** Takes a room out of its list; the last one fills the gap. */
function withdraw(room: Room): void {
  const { list, at } = room;
  if (list === undefined) return;
  const last = list.pop()!;
  if (last !== room) list[last.at = at] = last;
  room.list = undefined;
}

/** @param list not empty */
function drawn<Item>(list: readonly Item[], draw: () => number): Item {
  return list[Math.floor(draw() * list.length)]!;
}
