/**
 * Decides whether there is room for one more, by the machine's load, by the server's limits and by
 * an address's own. In a full server a newcomer may get a client's place from a network that holds
 * more (`HeldPlaces`).
 */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { STOPPING } from "../../shared/netcode/wire/stop_reasons.ts";
import type { Newcomer } from "../fairness/held_places.ts";
import type { Limits } from "../settings/limits.ts";

/**
 * Why a hello, or a request for a ticket, is refused: the code that closes its link, and the reason
 * in words.
 */
export interface HelloRefusal {
  readonly code: number;
  readonly reason: string;
}

/** Why a link ends that gives its place to a newcomer. */
export const DISPLACED = "the server is full, and your network holds the most places";

/** What a client asks for. */
export interface PlaceRequest {
  /** The room's code. */
  readonly room: string;
  /** Whether the room is not open yet. */
  readonly opensRoom: boolean;
  /** Whether the client only watches, and needs no seat. */
  readonly spectate: boolean;
  /** The customer behind the client's address. */
  readonly addressBlock: string;
  /** The address's places in other processes; by default none. */
  readonly elsewhere?: Places | undefined;
}

/**
 * The places that one address uses: rooms that it opened, seats including reserved ones, and
 * spectators' places. The arrays count what each of its networks uses, the widest first.
 */
export interface Places {
  readonly rooms: number;
  readonly seats: number;
  readonly watchers: number;
  readonly networkRooms: readonly number[];
  readonly networkClients: readonly number[];
}

export const NO_PLACES: Places = {
  rooms: 0,
  seats: 0,
  watchers: 0,
  networkRooms: [],
  networkClients: [],
};

/** Adds up one address's places in several games or processes. */
export function sumOfPlaces(all: Iterable<Places>): Places {
  let sum = NO_PLACES;
  for (const each of all) {
    sum = {
      rooms: sum.rooms + each.rooms,
      seats: sum.seats + each.seats,
      watchers: sum.watchers + each.watchers,
      networkRooms: sumOfLevels(sum.networkRooms, each.networkRooms),
      networkClients: sumOfLevels(sum.networkClients, each.networkClients),
    };
  }
  return sum;
}

function sumOfLevels(left: readonly number[], right: readonly number[]): number[] {
  const levels = Math.max(left.length, right.length);
  return Array.from({ length: levels }, (_, level) => (left[level] ?? 0) + (right[level] ?? 0));
}

/** A room or a client that can give its place to a newcomer. */
export interface Displaceable {
  displace(): void;
}

/** How much of the server is occupied at the moment. */
export interface Occupancy {
  readonly roomCount: number;
  /** The share of real time that the ticks take. */
  readonly tickLoad: number;
  /** Whether a signal to stop has come. */
  readonly isStopping: boolean;
  /** Whether an operator has closed this process to newcomers. */
  readonly isCordoned: boolean;
  placesOf(addressBlock: string): Places;
  /** @returns the room that a newcomer may replace with a new one; undefined if all stay */
  roomFor(newcomer: Newcomer): Displaceable | undefined;
  /** @returns the client whose place a newcomer may have; undefined if all stay */
  clientFor(newcomer: Newcomer): Displaceable | undefined;
}

/** @returns the client that a newcomer may displace; undefined if all stay */
export type Decision = HelloRefusal | { readonly displaced: readonly Displaceable[] };

export class CapacityCheck {
  readonly #occupancy: Occupancy;
  readonly #limits: Limits;

  constructor(occupancy: Occupancy, limits: Limits) {
    this.#occupancy = occupancy;
    this.#limits = limits;
  }

  /** Decides; the caller displaces. */
  decide(
    { room, opensRoom, spectate, addressBlock, elsewhere = NO_PLACES }: PlaceRequest,
  ): Decision {
    const { roomCount, tickLoad, isStopping, isCordoned } = this.#occupancy;
    const limits = this.#limits;
    if (isStopping) return { code: CloseCode.busy, reason: STOPPING };
    if (opensRoom && spectate) return noRoom(room);
    if (isCordoned) return busy("this machine takes no new players");

    // A full server finds a place by taking one from a larger holder: a room for a room, a client
    // for a client.
    const isBusy = tickLoad > limits.tickLoad;
    const hasAllRooms = opensRoom && roomCount >= limits.rooms;
    const displaced: Displaceable[] = [];
    if (isBusy || hasAllRooms) {
      const place = opensRoom
        ? this.#occupancy.roomFor({
          addressBlock,
          isIdle: spectate,
          elsewhere: elsewhere.networkRooms,
        })
        : this.#occupancy.clientFor({
          addressBlock,
          isIdle: spectate,
          elsewhere: elsewhere.networkClients,
        });
      if (place === undefined) {
        return busy(isBusy ? "the machine is busy" : "no more rooms can be opened here");
      }
      displaced.push(place);
    }

    // An address's limits, over all processes
    const places = this.#occupancy.placesOf(addressBlock);
    const watchers = places.watchers + elsewhere.watchers;
    const seats = places.seats + elsewhere.seats;
    if (opensRoom && places.rooms + elsewhere.rooms >= limits.roomsPerAddress) {
      return addressFull("rooms");
    }
    if (spectate && watchers >= limits.watchersPerAddress) return addressFull("spectators");
    if (!spectate && seats >= limits.seatsPerAddress) return addressFull("players");

    return { displaced };
  }
}

/** Refuses a spectator, who cannot open a room. */
export function noRoom(room: string): HelloRefusal {
  return { code: CloseCode.noRoom, reason: `nobody plays in room ${room}` };
}

function busy(what: string): HelloRefusal {
  return { code: CloseCode.busy, reason: `${what}; try again in 10 s` };
}

function addressFull(what: string): HelloRefusal {
  return { code: CloseCode.addressFull, reason: `too many ${what} of your address` };
}
