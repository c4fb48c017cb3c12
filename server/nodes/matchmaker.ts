/**
 * "Play now" over all nodes. Any node answers it, based on what it has heard of the others:
 *
 *     place, by round trips, company and load → its node keeps a seat → the room, whose owner has it
 *     no room is open within the cap → one node opens rooms for all, in turn, so that the next player finds the room
 *
 * A node knows the others only from their messages, so its choice is a hint. The chosen node
 * decides, and answers with the room in which it keeps a seat. If it is full, it refuses, and the
 * next place is chosen.
 */
import * as z from "zod";
import type { Bus } from "../bus/bus.ts";
import type { Rate } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { type Game, PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import type { PlayAnswer } from "../http/join_route.ts";
import { REGION } from "../settings/cluster.ts";
import { GAME_ID, messageFrom, NODE_NAME, ROOM_NAME } from "../messages/message_parts.ts";
import { type NodeHeartbeat, type Nodes, takesMatches, ticketsAt } from "./nodes.ts";
import { type Place, placeFor, REGIONS_MAX, WAIT_MS } from "./placement.ts";
import type { Places } from "./places.ts";
import { candidatesFor } from "./rendezvous.ts";
import { SEAT_ANSWER, type SeatReservations, seatSubject } from "./seat_reservations.ts";

/** The longest round trip that a page may claim, ms. No game can be played with a longer one. */
const ROUND_TRIP_MS_MAX = 10_000;
/** The longest wait that a page may claim, ms. The cap reaches its maximum long before. */
const WAITED_MS_MAX = 600_000;
/**
 * How far away a region counts that the page has not measured, ms. The page's request there was
 * refused or slow, so a player is sent there only after four seconds, when all nearer nodes are
 * full.
 */
const UNMEASURED_MS = 250;
/**
 * How many places are tried for one request. Because heartbeats show a full node within 0.2 s, more
 * than one refusal is rare.
 */
const TRIES_MAX = 4;
/**
 * How long a node may take to keep a seat, ms. It answers after a claim, which is an append of at
 * most 7 ms, or a stall of the servers.
 */
const SEAT_MS_MAX = 800;
/** How long the node that opens rooms may take, ms, because it asks the place's node in turn. */
const OPEN_MS_MAX = 1_500;
/** How many nodes are asked, one after another, to open a room. A page waits 4 s for its answer. */
const OPENERS_MAX = 2;
/**
 * How many answers one address gets. Each answer keeps a seat for some seconds, so without this
 * limit a script could occupy a cluster's seats. A lecture hall of 200 is in after 17 s.
 */
const PLAYS_PER_ADDRESS: Rate = { burst: 64, perSecond: 8 };
/**
 * How many requests for new rooms may wait for their turn. Further players ask again after a
 * second.
 */
const OPENING_MAX = 64;

/** The message to the node that opens rooms. */
const PLAY_REQUEST = z.object({
  game: GAME_ID,
  /** By region, as far as the page has measured them, ms. */
  roundTripsMs: z.record(REGION, z.number().min(0).max(ROUND_TRIP_MS_MAX))
    .refine((trips) => Object.keys(trips).length <= REGIONS_MAX, `at most ${REGIONS_MAX} regions`)
    .default({}),
  /** Since the player pressed the button, ms. */
  waitedMs: z.number().min(0).max(WAITED_MS_MAX).default(0),
});

/** A page's request, which may name its game by its URL instead. */
const PAGE_REQUEST = PLAY_REQUEST.partial({ game: true });

type PlayRequest = z.output<typeof PLAY_REQUEST>;

/** A room with a seat for the player, or a wait because all rooms within the cap are full. */
const FOUND = z.union([
  z.object({ code: ROOM_NAME, node: NODE_NAME, players: z.int().min(0).max(PLAYER_SEATS) }),
  z.object({ waitMs: z.number() }),
]);

type Found = z.output<typeof FOUND>;

const WAIT = { waitMs: WAIT_MS };

/** One node of a region, to which a page measures its round trip. */
export interface RegionPlace {
  readonly name: string;
  /** The node's origin. */
  readonly url: string;
}

/** The subject on which one node is asked to open rooms for all of them. */
export function openSubject(node: string): string {
  return `open.${node}`;
}

export interface MatchmakerOptions {
  readonly node: string;
  readonly region: string;
  /** The hosted games, by name. */
  readonly games: Readonly<Record<string, Pick<Game<never>, "id">>>;
  readonly nodes: Pick<Nodes, "living" | "get" | "hasHeardAll">;
  readonly places: Places;
  /** This process's own; undefined for a gateway, which has no rooms. */
  readonly seats: Pick<SeatReservations, "seat"> | undefined;
  readonly bus: Pick<Bus, "request">;
  readonly clock: Clock;
  /** @returns a random number in [0, 1) */
  readonly draw: () => number;
}

export class Matchmaker {
  readonly #options: MatchmakerOptions;
  readonly #plays: NetworkBuckets;
  #turn: Promise<unknown> = Promise.resolve();
  #opening = 0;

  constructor(options: MatchmakerOptions) {
    this.#options = options;
    this.#plays = new NetworkBuckets(PLAYS_PER_ADDRESS, options.clock);
  }

  /** Lists the regions where a node takes players, this node's own region first. */
  regions(): RegionPlace[] {
    const { nodes, node, draw } = this.#options;
    const takers = nodes.living.filter(takesMatches);
    const ownFirst = takers.toSorted((a, b) => Number(b.node === node) - Number(a.node === node));
    const byRegion = new Map<string, NodeHeartbeat[]>();
    for (const heartbeat of ownFirst) {
      byRegion.set(heartbeat.region, [...byRegion.get(heartbeat.region) ?? [], heartbeat]);
    }

    const regions = Array.from(byRegion, ([name, [first, ...others]]) => {
      // Pages measure different nodes of a region. In this node's own region they measure this
      // node, because the browser is already connected to it.
      const all = [first!, ...others];
      const one = first!.node === node ? first! : all[Math.floor(draw() * all.length)]!;
      return { name, url: ticketsAt(one) };
    });
    return regions.slice(0, REGIONS_MAX);
  }

  /**
   * Finds a seat for a player.
   * @param body the request's JSON value; undefined if it is not JSON
   * @param asked.name the game's name, for a body without its id; empty if only one game is hosted
   */
  async play(
    body: unknown,
    { name, addressBlock }: { name: string; addressBlock: string },
  ): Promise<PlayAnswer> {
    const parsed = PAGE_REQUEST.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return {
        code: CloseCode.protocol,
        reason: `${issue!.path.join(".") || "the body"}: ${issue!.message}`,
      };
    }

    const { places, nodes, region } = this.#options;
    const game = parsed.data.game ?? this.#idOf(name);
    if (game === undefined || places.of(game) === undefined) {
      return { code: CloseCode.game, reason: "this game is not played here" };
    }
    if (!this.#plays.take(addressBlock)) return WAIT;

    // A page that has measured nothing came to this node, so this node counts as near.
    const { waitedMs, roundTripsMs } = parsed.data;
    const hasMeasured = Object.keys(roundTripsMs).length > 0;
    const request = { game, waitedMs, roundTripsMs: hasMeasured ? roundTripsMs : { [region]: 0 } };
    const found = await this.#find(request, { mayOpen: false });
    if (!("code" in found)) return found;
    const heartbeat = nodes.get(found.node);
    return heartbeat === undefined ? WAIT : { room: found.code, server: ticketsAt(heartbeat) };
  }

  /** Answers a node that asks this one to open a room. */
  async answer(bytes: Uint8Array): Promise<string> {
    const request = messageFrom(PLAY_REQUEST, bytes);
    return JSON.stringify(request === undefined ? WAIT : await this.#openInTurn(request));
  }

  #idOf(name: string): string | undefined {
    const { games } = this.#options;
    const [first, ...others] = Object.values(games);
    if (name === "" && others.length === 0) return first?.id;
    return Object.hasOwn(games, name) ? games[name]!.id : undefined;
  }

  /** @param options.mayOpen whether this node now chooses the nodes for new rooms */
  async #find(request: PlayRequest, { mayOpen }: { mayOpen: boolean }): Promise<Found> {
    const { places } = this.#options;
    const { game } = request;

    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const place = this.#placeFor(request);
      if (place.kind === "wait") return WAIT;
      if (place.kind === "new room" && !mayOpen) return await this.#askForRoom(request);

      const { node } = place;
      const seat = await this.#seatAt(node, {
        game,
        hint: place.kind === "room" ? place.code : undefined,
      });
      if (seat === undefined) {
        places.setFull(node);
        continue;
      }

      places.show({ game, node, ...seat });
      return { node, ...seat };
    }

    return WAIT;
  }

  #placeFor({ game, roundTripsMs, waitedMs }: PlayRequest): Place {
    const { places, draw } = this.#options;
    const rooms = places.of(game);
    if (rooms === undefined) return { kind: "wait" };
    places.update();
    return placeFor({ roundTripsMs: this.#roundTrips(roundTripsMs), waitedMs }, { rooms, draw });
  }

  /** Completes the measured round trips, by region, for regions that the page has not measured. */
  #roundTrips(measured: Readonly<Record<string, number>>): Map<string, number> {
    const trips = new Map(Object.entries(measured));
    for (const { region } of this.#options.nodes.living) {
      if (!trips.has(region)) trips.set(region, UNMEASURED_MS);
    }
    return trips;
  }

  async #seatAt(node: string, request: { game: string; hint: string | undefined }) {
    const { node: own, seats, bus } = this.#options;
    if (node === own && seats !== undefined) return await seats.seat(request);
    const answer = await bus.request(seatSubject(node), JSON.stringify(request), SEAT_MS_MAX);
    return messageFrom(SEAT_ANSWER, new TextEncoder().encode(answer ?? ""))?.seat;
  }

  /**
   * Asks one node to choose a new room for all nodes, so that players who press the button at the
   * same moment meet. Every node derives the same opener from the game's name, and the same next
   * one if the first does not answer. If the second does not answer either, this node chooses.
   */
  async #askForRoom(request: PlayRequest): Promise<Found> {
    const { node, nodes, places, bus } = this.#options;
    const takers = places.nodesOf(request.game).filter((each) => {
      const heartbeat = nodes.get(each);
      return heartbeat !== undefined && takesMatches(heartbeat);
    });
    for (const opener of candidatesFor(`open ${request.game}`, takers).slice(0, OPENERS_MAX)) {
      if (opener === node) break;
      const answer = await bus.request(openSubject(opener), JSON.stringify(request), OPEN_MS_MAX);
      const found = messageFrom(FOUND, new TextEncoder().encode(answer ?? ""));
      if (found !== undefined) return found;
    }
    return await this.#openInTurn(request);
  }

  async #openInTurn(request: PlayRequest): Promise<Found> {
    // A node that has just started, or was partitioned, might open a room although another node has
    // one.
    if (this.#opening >= OPENING_MAX || !this.#options.nodes.hasHeardAll) return WAIT;

    this.#opening++;
    const found = this.#turn
      .then(() => this.#find(request, { mayOpen: true }))
      .finally(() => this.#opening--);
    this.#turn = found.catch(() => {});
    return await found;
  }
}
