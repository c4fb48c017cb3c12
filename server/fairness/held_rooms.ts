/**
 * The rooms of all games as places of their openers. If the server is full, the largest holder
 * loses one to a newcomer.
 */
import type { Peer } from "../match/clients/peer.ts";
import type { Match } from "../match/match.ts";
import { NOBODY } from "../match/seats/player.ts";
import { HeldPlaces, type Newcomer } from "./held_places.ts";

/**
 * The worth of an active player from another address than the opener's, who counts 1. So rooms in
 * which only their openers play go first.
 */
const GUEST_WORTH = 2;

/** A room, as far as its place is concerned. */
export interface HeldRoom {
  readonly match: Pick<Match<unknown>, "reservedSeats" | "clients">;
  /** `NOBODY` for the room of a resumed match to which no player has come back. */
  readonly opener: Peer;
  /** Closes the room for a newcomer. */
  displace(): void;
}

export class HeldRooms {
  readonly #held = new HeldPlaces<HeldRoom>();

  /**
   * The room is a place of its opener's networks from now on. That of a match that awaits its
   * players has no holder.
   */
  add(room: HeldRoom): void {
    if (room.opener !== NOBODY) this.#held.add(room, room.opener.addressBlock);
  }

  delete(room: HeldRoom): void {
    this.#held.delete(room);
  }

  /** How many rooms each network of an address block holds, the widest first. */
  countsOf(addressBlock: string): number[] {
    return this.#held.countsOf(addressBlock);
  }

  /** The room in whose place a newcomer may open one; undefined if all stay. */
  roomFor(newcomer: Newcomer): HeldRoom | undefined {
    return this.#held.placeFor(newcomer, worthOf);
  }
}

/** Active players who would lose the room. Those who are away, but may return, count as well. */
function worthOf({ match, opener }: HeldRoom): number {
  let worth = match.reservedSeats;
  for (const { addressBlock } of match.clients.activePlayers) {
    worth += addressBlock === opener.addressBlock ? 1 : GUEST_WORTH;
  }
  return worth;
}
