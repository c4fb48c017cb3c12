/**
 * The rooms of all games, as places of their openers. If the server is full, the largest holder
 * loses a room to a newcomer.
 */
import type { Peer } from "../match/clients/peer.ts";
import type { Match } from "../match/match.ts";
import { NOBODY } from "../match/seats/player.ts";
import { HeldPlaces, type Newcomer } from "./held_places.ts";

/**
 * What an active player is worth who plays from another address than the opener's; the opener
 * counts 1. So rooms in which only their openers play go first.
 */
const GUEST_WORTH = 2;

/** What a room's place depends on. */
export interface HeldRoom {
  readonly match: Pick<Match<unknown>, "reservedSeats" | "clients">;
  /** `NOBODY` for a resumed match's room until a player comes back. */
  readonly opener: Peer;
  /** Closes the room for a newcomer. */
  displace(): void;
}

export class HeldRooms {
  readonly #held = new HeldPlaces<HeldRoom>();

  /**
   * Counts the room as a place of its opener's networks. While a resumed match awaits its players,
   * its room has no holder.
   */
  add(room: HeldRoom): void {
    if (room.opener !== NOBODY) this.#held.add(room, room.opener.addressBlock);
  }

  delete(room: HeldRoom): void {
    this.#held.delete(room);
  }

  /** Counts the rooms that each of an address block's networks holds, the widest first. */
  countsOf(addressBlock: string): number[] {
    return this.#held.countsOf(addressBlock);
  }

  /** Finds the room that a newcomer may replace with a new one; undefined if all stay. */
  roomFor(newcomer: Newcomer): HeldRoom | undefined {
    return this.#held.placeFor(newcomer, worthOf);
  }
}

/**
 * Counts the active players who would lose the room, including those who are away but may return.
 */
function worthOf({ match, opener }: HeldRoom): number {
  let worth = match.reservedSeats;
  for (const { addressBlock } of match.clients.activePlayers) {
    worth += addressBlock === opener.addressBlock ? 1 : GUEST_WORTH;
  }
  return worth;
}
