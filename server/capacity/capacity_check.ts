/** Decides whether there is room for one more: by the machine's load, by the limits of all, and by those of an address. */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { STOPPING } from "../../shared/netcode/wire/stop_reasons.ts";
import type { Limits } from "../settings/limits.ts";

/** Why a hello, or a wish for a ticket, is refused: the code that closes its link, and the reason in words. */
export interface HelloRefusal {
  readonly code: number;
  readonly reason: string;
}

/** What a client asks for. */
export interface Wish {
  /** Whether nobody has opened the room yet. */
  readonly opensRoom: boolean;
  /** Whether the client asks for no seat. */
  readonly spectate: boolean;
  /** The customer behind the client's address. */
  readonly addressBlock: string;
  /** Places of the address in other processes; by default none. */
  readonly elsewhere?: Places | undefined;
}

const NOTHING: Places = { rooms: 0, seats: 0, watchers: 0 };

/** What one address has: rooms that it opened, seats, reserved ones included, and places of spectators. */
export interface Places {
  readonly rooms: number;
  readonly seats: number;
  readonly watchers: number;
}

/** What all rooms take at the moment. */
export interface Occupancy {
  readonly roomCount: number;
  /** Share of the time that the ticks take. */
  readonly tickLoad: number;
  /** Whether a signal to stop has come. */
  readonly isStopping: boolean;
  placesOf(addressBlock: string): Places;
}

export class CapacityCheck {
  readonly #occupancy: Occupancy;
  readonly #limits: Limits;

  constructor(occupancy: Occupancy, limits: Limits) {
    this.#occupancy = occupancy;
    this.#limits = limits;
  }

  /** @returns why the client must wait or stop; undefined if there is a place */
  refusalOf({ opensRoom, spectate, addressBlock, elsewhere = NOTHING }: Wish): HelloRefusal | undefined {
    if (this.#occupancy.isStopping) return { code: CloseCode.busy, reason: STOPPING };
    const limits = this.#limits, { roomCount, tickLoad } = this.#occupancy;
    if (tickLoad > limits.tickLoad) return busy("the machine is busy");
    if (opensRoom && roomCount >= limits.rooms) return busy("no more rooms can be opened here");
    const places = this.#occupancy.placesOf(addressBlock);
    if (opensRoom && places.rooms + elsewhere.rooms >= limits.roomsPerAddress) return addressFull("rooms");
    const watchers = places.watchers + elsewhere.watchers, seats = places.seats + elsewhere.seats;
    if (spectate) return watchers >= limits.watchersPerAddress ? addressFull("spectators") : undefined;
    return seats >= limits.seatsPerAddress ? addressFull("players") : undefined;
  }
}

function busy(what: string): HelloRefusal {
  return { code: CloseCode.busy, reason: `${what}; try again in 10 s` };
}

function addressFull(what: string): HelloRefusal {
  return { code: CloseCode.addressFull, reason: `too many ${what} of your address` };
}
