/**
 * Tickets that were issued but not used yet, by the customer behind the address. Each may become a
 * seat at any moment, so it counts as one. A process reports which ones were used; the others count
 * until they are too old.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { NO_PLACES, type Places } from "../capacity/capacity_check.ts";
import { TICKET_SECONDS } from "../tickets/tickets.ts";

/**
 * How many tickets are remembered. Beyond that the oldest are forgotten, because with so many
 * addresses none of them holds many.
 */
const TICKETS_MAX = 65_536;

interface OpenTicket {
  readonly addressBlock: string;
  readonly isPlayer: boolean;
  readonly atMs: number;
}

export class OpenTickets {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #tickets = new Set<OpenTicket>();
  readonly #byBlock = new Map<string, Set<OpenTicket>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The places that the address's tickets may take. */
  placesOf(addressBlock: string): Places {
    this.#forgetOld();
    const tickets = this.#byBlock.get(addressBlock) ?? new Set();
    let seats = 0;
    for (const { isPlayer } of tickets) if (isPlayer) seats++;
    return { ...NO_PLACES, seats, watchers: tickets.size - seats };
  }

  /** Counts a ticket. @returns an object that takes it back */
  add(addressBlock: string, { isPlayer }: { isPlayer: boolean }): { remove(): void } {
    const ticket = { addressBlock, isPlayer, atMs: this.#clock.now() };
    this.#tickets.add(ticket);
    const ofBlock = this.#byBlock.get(addressBlock) ?? new Set();
    this.#byBlock.set(addressBlock, ofBlock.add(ticket));
    this.#forgetOld();
    return { remove: () => this.#remove(ticket) };
  }

  /** Notes that some of an address's tickets were used; the oldest ones count as these. */
  use(addressBlock: string, count: number): void {
    const used = [...this.#byBlock.get(addressBlock) ?? []].slice(0, count);
    for (const ticket of used) this.#remove(ticket);
  }

  #remove(ticket: OpenTicket): void {
    this.#tickets.delete(ticket);
    const ofBlock = this.#byBlock.get(ticket.addressBlock);
    ofBlock?.delete(ticket);
    if (ofBlock?.size === 0) this.#byBlock.delete(ticket.addressBlock);
  }

  #forgetOld(): void {
    const oldestMs = this.#clock.now() - TICKET_SECONDS * 1000;
    for (const ticket of this.#tickets) {
      if (ticket.atMs > oldestMs && this.#tickets.size <= TICKETS_MAX) return;
      this.#remove(ticket);
    }
  }
}
