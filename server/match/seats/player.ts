/** A player's seat. The command queue and the body stay the player's own while the connection is lost. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { Peer, TicketClaims } from "../clients/peer.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import { CommandQueue } from "../clients/command_queue.ts";

/** One player, from their first hello until their seat is free again. */
export class Player<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly queue: CommandQueue<Command>;
  #resume: ResumeToken;
  /** The token before it, until the player has shown that the new one arrived. */
  #earlierResume: ResumeToken | undefined;
  /** Who took the seat. */
  readonly peer: Peer;
  /** The player's link; undefined while the connection is lost. */
  link: Link | undefined;
  /** The tick from which the player is in the game; undefined until their first command. */
  entersAt: Tick | undefined;
  /** The tick at which the connection was lost; undefined while it is open. */
  disconnectedAt: Tick | undefined;
  /** Whether the link was closed with a final code, so that the seat is not reserved. */
  hasLeft = false;
  /** Whether an NPC has taken over the seat. */
  isBotControlled = false;

  constructor(
    options: { seat: SeatId; name: string; resume: ResumeToken; peer: Peer; timeline: Timeline<Command> },
  ) {
    this.peer = options.peer;
    this.seat = options.seat;
    this.name = options.name;
    this.#resume = options.resume;
    this.queue = new CommandQueue(options.seat, options.timeline);
  }

  /** The token that gives the seat back after a lost connection. */
  get resume(): ResumeToken {
    return this.#resume;
  }

  /** Whether this token is the seat's. */
  hasToken(token: ResumeToken): boolean {
    return token === this.#resume || token === this.#earlierResume;
  }

  /** Whether a hook knows the bearer of a ticket by this player's name. Without a hook there are no such names. */
  isPlayerOf(ticket: TicketClaims | undefined): boolean {
    return this.peer.ticket?.identity === ticket?.identity;
  }

  /** Each use of a token makes a new one, so that a stolen copy of the old one is worth nothing. */
  renewToken(token: ResumeToken): void {
    this.#earlierResume = this.#resume;
    this.#resume = token;
  }

  /** A command has come over the newest link, so its player has the newest token. */
  confirmToken(): void {
    this.#earlierResume = undefined;
  }
}
