/** A player's seat. The command queue and the body stay the player's own while the connection is lost. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { Peer } from "../clients/peer.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import { CommandQueue } from "../clients/command_queue.ts";

/** Hashes a token, so that neither a log nor the memory of a match has one that could be stolen. */
export type HashToken = (token: ResumeToken) => string;

export interface PlayerOptions<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly peer: Peer;
  readonly timeline: Timeline<Command>;
  readonly hashToken: HashToken;
  /** Those of the log for a player of a resumed match; otherwise none, and `renewToken` follows. */
  readonly tokenHashes: readonly string[];
}

/** One player, from their first hello until their seat is free again. */
export class Player<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly queue: CommandQueue<Command>;
  readonly #hashToken: HashToken;
  #resume: ResumeToken | undefined;
  /** Its hash, and that of the token that was shown for it, until the player has shown that the new one arrived. */
  #tokenHashes: readonly string[];
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

  constructor(options: PlayerOptions<Command>) {
    this.peer = options.peer;
    this.seat = options.seat;
    this.name = options.name;
    this.#hashToken = options.hashToken;
    this.#tokenHashes = options.tokenHashes;
    this.queue = new CommandQueue(options.seat, options.timeline);
  }

  /** The token that gives the seat back after a lost connection; undefined after a restart of the server. */
  get resume(): ResumeToken | undefined {
    return this.#resume;
  }

  /** Hashes of the tokens that give the seat back, one or two, the newest first. */
  get tokenHashes(): readonly string[] {
    return this.#tokenHashes;
  }

  /** Whether this token is the seat's. */
  hasToken(token: ResumeToken): boolean {
    return this.#tokenHashes.includes(this.#hashToken(token));
  }

  /**
   * Each use of a token makes a new one, so that a stolen copy of the old one is worth nothing.
   * @param shown the token that its client has: the new one may be lost on its way, several times in a row
   */
  renewToken(token: ResumeToken, shown?: ResumeToken): void {
    this.#tokenHashes = [token, ...(shown === undefined ? [] : [shown])].map((each) => this.#hashToken(each));
    this.#resume = token;
  }

  /** A command has come over the newest link, so its player has the newest token. */
  confirmToken(): void {
    if (this.#tokenHashes.length > 1) this.#tokenHashes = this.#tokenHashes.slice(0, 1);
  }
}
