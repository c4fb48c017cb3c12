/**
 * Players press "Play now", ask the nearest node for a place, get a ticket there, connect, play and
 * leave. If the room or the node has filled up in the meantime, it refuses them, and they ask
 * again.
 */
import { type Place, placeFor, roomAtNode, WAIT_MS } from "../../../server/nodes/placement.ts";
import { ASSUMPTIONS } from "./assumptions.ts";
import type { Node, Player, Room, ScaledWorld } from "./scaled_world.ts";

const {
  askRoundTrips,
  connectRoundTrips,
  patienceSeconds,
  seats,
  sessionMinutes,
  ticketRoundTrips,
} = ASSUMPTIONS;
const SESSION_MS = sessionMinutes.value * 60_000;

export class Players {
  readonly #world: ScaledWorld;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #shares: readonly number[];

  constructor(world: ScaledWorld) {
    this.#world = world;
    this.#nodes = new Map(world.nodes.map((node) => [node.name, node]));
    this.#shares = world.setting.regions.map(({ share }) => share);
  }

  /**
   * Fills the world with its mean number of players, one after the other and each with a fresh
   * view. Then more arrive, as often as others leave. Sessions are memoryless, so those who are
   * there leave like newcomers.
   */
  start(): void {
    const { chance, nodes, queue, setting, view } = this.#world;
    const count = setting.playersPerNode * nodes.length;
    for (const node of nodes) this.#world.publish(node);
    for (let i = 0; i < count; i++) {
      const player = this.#newPlayer();
      const place = placeFor({ roundTripsMs: player.roundTripsMs, waitedMs: Infinity }, {
        rooms: view,
        draw: chance.draw,
      });
      if (place.kind === "wait") continue;
      this.#seat(
        player,
        this.#roomAt(this.#nodes.get(place.node)!, place.kind === "room" ? place.code : undefined),
      );
      this.#world.publish(player.room!.node);
    }

    for (const node of nodes) this.#world.startBeats(node);
    const arrive = () => {
      this.#ask(this.#newPlayer(), queue.nowMs);
      queue.after(chance.wait(SESSION_MS / count), arrive);
    };
    queue.after(chance.wait(SESSION_MS / count), arrive);
  }

  #newPlayer(): Player {
    return this.#world.newPlayer(this.#world.chance.index(this.#shares));
  }

  /** @param sinceMs when the player pressed the button */
  #ask(player: Player, sinceMs: number): void {
    const { chance, figures, queue, view } = this.#world;
    const bestMs = Math.min(...player.roundTripsMs.values());
    queue.after(askRoundTrips.value * bestMs / 2, () => {
      figures.asks++;
      const waitedMs = queue.nowMs - sinceMs;
      const place = placeFor({ roundTripsMs: player.roundTripsMs, waitedMs }, {
        rooms: view,
        draw: chance.draw,
      });
      if (place.kind === "wait") return this.#wait(player, sinceMs);
      queue.after(
        askRoundTrips.value * bestMs / 2,
        () => this.#connect(player, { place, sinceMs }),
      );
    });
  }

  #wait(player: Player, sinceMs: number): void {
    const { figures, queue } = this.#world;
    figures.waits++;
    if (queue.nowMs - sinceMs > patienceSeconds.value * 1000) figures.gaveUp++;
    else queue.after(WAIT_MS, () => this.#ask(player, sinceMs));
  }

  /**
   * The node decides when it gives the ticket, which is for one room, and looks again when the
   * hello comes. "Play now" does not name a room, so if the proposed one is full, the node takes
   * another and the player need not ask again.
   */
  #connect(
    player: Player,
    { place, sinceMs }: { place: Exclude<Place, { kind: "wait" }>; sinceMs: number },
  ): void {
    const { figures, queue } = this.#world;
    const node = this.#nodes.get(place.node)!;
    const tripMs = this.#world.roundTripMs(player, node);
    const refuse = () => {
      figures.refusals++;
      queue.after(tripMs / 2, () => this.#ask(player, sinceMs));
    };
    queue.after((ticketRoundTrips.value - 0.5) * tripMs, () => {
      if (!this.#world.takesPlayers(node)) return refuse();
      const room = this.#roomAt(node, place.kind === "room" ? place.code : undefined);
      room.onTheirWay++;
      queue.after(connectRoundTrips.value * tripMs, () => {
        room.onTheirWay--;
        if (!room.isOpen || room.isAway || room.players.length >= seats.value) {
          this.#world.closeIfEmpty(room);
          return refuse();
        }
        this.#seat(player, room);
        figures.timesToSeatMs.push(queue.nowMs + tripMs / 2 - sinceMs);
        figures.roundTripsMs.push(tripMs);
        figures.bestRoundTripsMs.push(Math.min(...player.roundTripsMs.values()));
      });
    });
  }

  #roomAt(node: Node, hint: string | undefined): Room {
    const own = new Map<string, { players: number; seats: number }>();
    for (const { code, isAway, onTheirWay, players } of node.rooms.values()) {
      if (!isAway) own.set(code, { players: players.length + onTheirWay, seats: seats.value });
    }
    const code = roomAtNode(hint, own);
    return code === undefined ? this.#world.openRoom(node) : node.rooms.get(code)!;
  }

  #seat(player: Player, room: Room): void {
    const { chance, queue } = this.#world;
    this.#world.enter(player, room);
    queue.after(chance.wait(SESSION_MS), () => this.#world.leave(player));
  }
}
