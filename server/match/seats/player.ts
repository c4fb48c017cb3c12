/** A player's seat. Command queue and body stay the player's own while the connection is lost. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { Peer, TicketClaims } from "../clients/peer.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import { CommandQueue } from "../clients/command_queue.ts";
import type { RankedPlayer } from "../round_watch.ts";

/** What players read when they are back in their seats after another process ended. */
export const RESTORED_TEXT = "The server was restarted, and the match goes on.";

/** Hashes a token, so that nobody can steal one from a log or from a match's memory. */
export type HashToken = (token: ResumeToken) => string;

export interface PlayerOptions<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly peer: Peer;
  /** The name by which the operator's hook knows the player; undefined without a hook. */
  readonly identity: string | undefined;
  readonly timeline: Timeline<Command>;
  readonly hashToken: HashToken;
  /**
   * The log's hashes for a player of a resumed match; otherwise empty, and `renewToken` follows.
   */
  readonly tokenHashes: readonly string[];
}

/** Stands for a client of a resumed match that is not connected yet. */
export const NOBODY: Peer = { link: 0, address: "", addressBlock: "" };

/** One player, from their first hello until their seat is free again. */
export class Player<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly queue: CommandQueue<Command>;
  readonly #hashToken: HashToken;
  #resume: ResumeToken | undefined;
  /**
   * The token's hash, and the hash of the token that it replaced, until the player has shown that
   * the new one arrived.
   */
  #tokenHashes: readonly string[];
  /** Who took the seat. */
  readonly peer: Peer;
  readonly identity: string | undefined;
  /** Undefined for one who does not count in the table of the best. */
  ranked: RankedPlayer | undefined;
  /** The player's link; undefined while the connection is lost. */
  link: Link | undefined;
  /** The tick from which the player is in the game; undefined until their first command. */
  entersAt: Tick | undefined;
  /** The tick at which the connection was lost; undefined while it is open. */
  disconnectedAt: Tick | undefined;
  /** Whether the link was closed with a final code, so that the seat is not reserved. */
  hasLeft = false;
  /**
   * Whether the seat comes from another process's log, and no command of its player has arrived
   * since.
   */
  isRestored = false;
  /** Whether an NPC has taken over the seat. */
  isBotControlled = false;
  /** Ticks since any command arrived, late or not, or since a link got the seat. */
  silentTicks = 0;
  /**
   * Ticks since a command differed from the one before: over all links, and over the newest one
   * alone.
   */
  unchangedTicks = 0;
  stillTicks = 0;
  /** The newest command that arrived, and its tick; undefined if the comparison starts again. */
  #observed: Command | undefined;
  #observedTick: Tick = -1;

  constructor(options: PlayerOptions<Command>) {
    this.peer = options.peer;
    this.identity = options.identity;
    this.seat = options.seat;
    this.name = options.name;
    this.#hashToken = options.hashToken;
    this.#tokenHashes = options.tokenHashes;
    this.queue = new CommandQueue(options.seat, options.timeline);
  }

  /**
   * The token that gives the seat back after a lost connection; undefined after the server
   * restarted.
   */
  get resume(): ResumeToken | undefined {
    return this.#resume;
  }

  /** Hashes of the one or two tokens that give the seat back, newest first. */
  get tokenHashes(): readonly string[] {
    return this.#tokenHashes;
  }

  /** Whether a token gives back this seat. */
  hasToken(token: ResumeToken): boolean {
    return this.#tokenHashes.includes(this.#hashToken(token));
  }

  /**
   * Whether a hook knows a ticket's bearer under this player's name. Without a hook there are no
   * such names.
   */
  isPlayerOf(ticket: TicketClaims | undefined): boolean {
    return this.identity === ticket?.identity;
  }

  /**
   * Replaces the token. Each use of a token makes a new one, so that a stolen copy of the old one
   * is worthless.
   * @param shown the token that the client still has, because a new one may be lost on its way,
   * even several times in a row
   */
  renewToken(token: ResumeToken, shown?: ResumeToken): void {
    // A client that came with a ticket may have shown no token, or another seat's.
    const kept = shown !== undefined && this.hasToken(shown)
      ? [this.#hashToken(shown)]
      : this.#tokenHashes.slice(0, 1);
    this.#tokenHashes = [this.#hashToken(token), ...kept];
    this.#resume = token;
  }

  /**
   * Notes that a command has arrived, in time or not. Repeats of earlier ones, as in datagrams,
   * count only as a sign of life.
   * @param same the equality of the game's commands
   */
  observeCommand(
    tick: Tick,
    command: Command,
    same: (left: Command, right: Command) => boolean,
  ): void {
    this.silentTicks = 0;
    if (tick <= this.#observedTick) return;
    if (this.#observed !== undefined && !same(this.#observed, command)) {
      this.unchangedTicks = this.stillTicks = 0;
    }
    this.#observed = command;
    this.#observedTick = tick;
  }

  /**
   * Hands the commands back to the player, after an NPC or over another link. The next command
   * continues the NPC's presses, so it does not count as a change.
   */
  beginAnew(): void {
    this.silentTicks = 0;
    this.#observed = undefined;
  }

  /** Ends a tick. */
  endTick(): void {
    this.silentTicks++;
    this.unchangedTicks++;
    this.stillTicks++;
  }

  /**
   * Notes that a command came over the newest link, which proves that its player has what came with
   * the welcome: the newest token, and the notice that the match was resumed.
   */
  confirmWelcome(): void {
    this.isRestored = false;
    if (this.#tokenHashes.length > 1) this.#tokenHashes = this.#tokenHashes.slice(0, 1);
  }
}
