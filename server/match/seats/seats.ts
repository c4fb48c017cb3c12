/**
 * The players' seats: assigned, reserved for disconnected players, and freed.
 *
 *     connection lost → assumed commands until 1 s after the last announced → bot takeover → free
 *     no command for 2 s, or none that differs for 20 s → bot takeover → a command comes, or one that differs → as before
 *
 * A seat is reserved as long as its player has played, at most for 30 s, so that a stranger who
 * drops the connection at once holds nothing. Every change is announced for a tick that no client
 * has simulated yet, so that no client mispredicts it.
 */
import { PLAYER_SEATS, type SeatId, type Tick } from "../../../shared/netcode/game.ts";
import {
  type Announcement,
  CloseCode,
  type ResumeToken,
} from "../../../shared/netcode/wire/messages.ts";
import type { LoggedPlayer, LogState } from "../../../shared/netcode/match_log/records.ts";
import { COMMANDS_AHEAD_TICKS_MAX, type Timeline } from "../../../shared/netcode/timeline.ts";
import { Random } from "../../../shared/random.ts";
import type { NpcController } from "./npc_controller.ts";
import type { Peer, TicketClaims } from "../clients/peer.ts";
import { type HashToken, NOBODY, Player } from "./player.ts";
import { freeName, type NameForms } from "./player_names.ts";
import type { Presence } from "../../../shared/netcode/presence.ts";

/**
 * How long a disconnected player's seat is reserved at most, s: a phone changes cells, or a laptop
 * its Wi-Fi.
 */
const RESERVED_SECONDS_MAX = 30;
/** How long a disconnected player's commands are assumed, s, before an NPC takes over. */
const BOT_TAKEOVER_DELAY_SECONDS = 1;
/**
 * A connected player may send nothing for this long, s, before an NPC takes over: the page is
 * hidden or frozen, or the network holds messages back.
 */
const SILENT_SECONDS_MAX = 2;
/**
 * A connected player's commands may stay the same for this long, s, before an NPC takes over:
 * somebody who plays presses something.
 */
const STILL_SECONDS_MAX = 20;

/**
 * Close codes after which the seat is not reserved. 1000 means that the player leaves (RFC 6455
 * §7.4.1). The others free the place for another client, or answer violations that no honest client
 * commits: if seats were reserved after those, sixteen strangers could block a whole room.
 */
export const FINAL_CLOSE_CODES: ReadonlySet<number> = new Set([
  1000,
  1002,
  1003,
  1007,
  1008,
  1009,
  CloseCode.protocol,
  CloseCode.flood,
  CloseCode.idle,
  CloseCode.kicked,
  CloseCode.roomClosed,
  CloseCode.displaced,
]);

export interface SeatsOptions<Command> {
  /** Players whom the match takes, 1 … `PLAYER_SEATS`. */
  readonly seats: number;
  readonly tickHz: number;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  readonly npcController: NpcController<Command>;
  /** @returns a new token each time, which cannot be guessed */
  readonly newToken: () => ResumeToken;
  readonly hashToken: HashToken;
  readonly nameForms: NameForms;
  /** Names that no player may have. */
  readonly npcNames: readonly string[];
  /** Unsigned, 32 bits. Drawn names follow from it. */
  readonly seed: number;
  /** Whether a seat stays with its NPC until the player leaves. */
  readonly keepsSeats: boolean;
  /**
   * After so long without a command that differs, s, a player is idle; 0 if players may stand still
   * for ever.
   */
  readonly idleSeconds: number;
}

/** What a client shows for a seat that it had. */
export interface ReturningClient {
  readonly resume: ResumeToken | undefined;
  readonly ticket?: TicketClaims | undefined;
}

/** Queries about the seats. */
export interface SeatQueries {
  /** Whether the client has a seat to return to. */
  hasSeat(client: ReturningClient): boolean;
  /** Whether a player has this seat, connected or not. */
  isTaken(seat: SeatId): boolean;
}

/** What seats need of a state to be as they were. */
export type SeatsState = Pick<LogState<unknown>, "tick" | "seats" | "presence" | "players">;

/** The players' seats of one match. */
export class Seats<Command> implements SeatQueries {
  readonly #options: SeatsOptions<Command>;
  readonly #players: (Player<Command> | undefined)[] = new Array(PLAYER_SEATS).fill(undefined);
  /** By seat: the tick from which it is empty. */
  readonly #freeFrom: Tick[] = new Array(PLAYER_SEATS).fill(0);
  readonly #random: Random;

  constructor(options: SeatsOptions<Command>) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  /**
   * A seat for a new player, under a name that no other player of the match has.
   * @param wantedName the player's choice; may be empty
   * @param options.tick the newest definitive tick
   * @param options.peer who takes the seat; a ticket may name the only one that they get
   * @returns undefined if all seats are taken or reserved
   */
  assign(
    wantedName: string,
    { tick, peer }: { tick: Tick; peer: Peer },
  ): Player<Command> | undefined {
    // A free seat, or the only one that the ticket names
    const only = peer.ticket?.seat;
    const seat = this.#players.findIndex((player, seat) =>
      seat < this.#options.seats && player === undefined && this.#freeFrom[seat]! <= tick &&
      (only ?? seat) === seat
    );
    if (seat < 0) return undefined;

    // A name that no other player has
    const { newToken, hashToken, timeline, presence, npcNames, nameForms } = this.#options;
    const taken = [
      ...npcNames,
      ...presence.names,
      ...this.#players.flatMap((player) => player?.name ?? []),
    ];
    const name = freeName(wantedName, { taken, nameForms, random: this.#random });

    const { identity } = peer.ticket ?? {};
    const player = new Player({ seat, name, peer, identity, timeline, hashToken, tokenHashes: [] });
    player.renewToken(newToken());
    this.#players[seat] = player;
    return player;
  }

  /**
   * Gives the players of a resumed match their seats back. They are not connected yet, as if their
   * connections had been lost.
   * @param state.seats those that are present, with their names
   * @param state.presence changes announced beyond the tick
   */
  restore({ tick, seats, presence, players }: SeatsState): void {
    const { timeline, hashToken } = this.#options;
    for (const { seat, tokenHashes, identity, entersAt } of players) {
      // The name stands in the state, or in the change with which the player enters.
      const entry = presence.find((change) => change.seat === seat && change.present);
      const name = entry?.name ?? seats.find((record) => record.seat === seat)?.name;
      if (name === undefined || entersAt === undefined) continue;

      const player = new Player({
        seat,
        name,
        peer: NOBODY,
        identity,
        timeline,
        hashToken,
        tokenHashes,
      });
      player.entersAt = entersAt;
      player.disconnectedAt = tick;
      player.isRestored = true;

      // The queue goes on after the newest command that the process before this one announced.
      for (
        let ahead = tick + COMMANDS_AHEAD_TICKS_MAX;
        ahead > tick && player.queue.newestTick < 0;
        ahead--
      ) {
        if (timeline.isAnnounced(ahead, seat)) player.queue.newestTick = ahead;
      }

      this.#players[seat] = player;
    }

    // Seats whose players are about to leave are free from then on.
    for (const { seat, tick: from, present } of presence) {
      if (!present && seat < PLAYER_SEATS) this.#freeFrom[seat] = from;
    }
  }

  /** Every player who has a seat, as the log has them. */
  get logged(): LoggedPlayer[] {
    return this.#players.filter((player) => player !== undefined);
  }

  /** Seats that wait for players whose connection was lost. */
  get reservedCount(): number {
    return this.#players.filter((player) =>
      player?.disconnectedAt !== undefined && !this.#isOver(player, 0)
    ).length;
  }

  /** Seats that an address has, reserved ones included. */
  countOf(addressBlock: string): number {
    return this.#players.filter((player) => player?.peer.addressBlock === addressBlock).length;
  }

  /**
   * The player who returns, connected or not: by the seat's token, or because a hook gives the seat
   * to the same name again. A token of another name, or of another seat than the ticket's, is worth
   * nothing.
   * @returns undefined for a client without a seat here
   */
  ownerOf({ resume, ticket }: ReturningClient): Player<Command> | undefined {
    return this.#players.find((player) => {
      if (player === undefined || !player.isPlayerOf(ticket)) return false;
      if ((ticket?.seat ?? player.seat) !== player.seat) return false;
      if (resume !== undefined && player.hasToken(resume)) return true;
      // All players without a name have the same one.
      return ticket?.seat !== undefined && ticket.identity !== "";
    });
  }

  hasSeat(client: ReturningClient): boolean {
    return this.ownerOf(client) !== undefined;
  }

  isTaken(seat: SeatId): boolean {
    return this.#players[seat] !== undefined;
  }

  /**
   * The player has returned. Their commands count from the first tick that the NPC has not
   * announced.
   */
  reconnect(player: Player<Command>): void {
    player.disconnectedAt = undefined;
    player.stillTicks = 0;
    this.#handBack(player);
  }

  #handBack(player: Player<Command>): void {
    if (player.isBotControlled) this.#options.npcController.handBack(player.seat);
    player.isBotControlled = false;
    player.beginAnew();
  }

  /**
   * A player who enters at `tick`, and whose command for it has not come, enters with the one
   * before it.
   * @param announce gets the command that the server announces for them
   */
  completeEntries(tick: Tick, announce: (announcement: Announcement<Command>) => void): void {
    for (const player of this.#players) {
      if (player === undefined || player.entersAt !== tick) continue;
      const command = player.queue.repeatNewest(tick);
      if (command !== undefined) announce({ seat: player.seat, tick, command });
    }
  }

  /**
   * Updates the seats after a tick has run.
   * @param horizonTicks how far ahead the clients need commands
   */
  updateReservations(tick: Tick, horizonTicks: number): void {
    for (const player of this.#players) {
      if (player === undefined) continue;
      if (player.entersAt === undefined) this.#announceEntry(player, tick + 1 + horizonTicks);
      player.endTick();
      if (player.disconnectedAt !== undefined) {
        this.#updateDisconnected(player, { tick, horizonTicks });
      } else this.#updateConnected(player, tick + 1 + horizonTicks);
    }
  }

  /**
   * A player enters the game shortly after their first command, and never before its tick: an
   * assumed command would have none of the player's choices.
   */
  #announceEntry(player: Player<Command>, earliest: Tick): void {
    const { newestTick } = player.queue;
    if (newestTick < 0) return;
    player.entersAt = Math.max(earliest, newestTick);
    this.#options.presence.enter(player.seat, player.entersAt, player.name);
  }

  /**
   * An NPC plays while a connected player does not.
   * @param earliest the first tick that no client has simulated
   */
  #updateConnected(player: Player<Command>, earliest: Tick): void {
    const { tickHz, idleSeconds } = this.#options;
    const { entersAt, silentTicks, stillTicks, isBotControlled } = player;
    if (idleSeconds === 0 || entersAt === undefined) return;
    const isAway = silentTicks > SILENT_SECONDS_MAX * tickHz ||
      stillTicks > Math.min(STILL_SECONDS_MAX, idleSeconds) * tickHz;
    if (isAway === isBotControlled) return;
    if (isAway) this.#takeOver(player, Math.max(earliest, entersAt));
    else this.#handBack(player);
  }

  #takeOver(player: Player<Command>, firstTick: Tick): void {
    player.isBotControlled = true;
    this.#options.npcController.takeOver(player.seat, firstTick);
  }

  #updateDisconnected(
    player: Player<Command>,
    { tick, horizonTicks }: { tick: Tick; horizonTicks: number },
  ): void {
    const { tickHz } = this.#options;
    if (this.#isOver(player, tick - player.disconnectedAt!)) {
      return this.#free(player, tick + 1 + horizonTicks);
    }
    if (player.isBotControlled) return;

    // The NPC's first command is for a tick after the last assumed ones.
    const from = Math.max(player.disconnectedAt!, player.queue.newestTick, player.entersAt!) +
      BOT_TAKEOVER_DELAY_SECONDS * tickHz;
    if (tick + 1 + horizonTicks < from) return;
    this.#takeOver(player, tick + 1 + horizonTicks);
  }

  /**
   * @param lostTicks ticks since the connection was lost
   * @returns whether the seat is reserved no longer
   */
  #isOver({ hasLeft, entersAt, disconnectedAt }: Player<Command>, lostTicks: number): boolean {
    if (hasLeft || entersAt === undefined) return true;
    if (this.#options.keepsSeats) return false;
    const playedTicks = disconnectedAt! - entersAt;
    return lostTicks >= Math.min(playedTicks, RESERVED_SECONDS_MAX * this.#options.tickHz);
  }

  /** Announces that the player leaves, after all their announced commands. */
  #free(player: Player<Command>, earliest: Tick): void {
    const { seat, entersAt } = player;
    this.#players[seat] = undefined;
    this.#freeFrom[seat] = 0;
    if (entersAt === undefined) return;

    const lastAnnounced = Math.max(
      player.queue.newestTick,
      this.#options.npcController.handBack(seat),
    );
    const from = Math.max(earliest, lastAnnounced + 1, entersAt + 1);
    this.#options.presence.leave(seat, from);
    this.#freeFrom[seat] = from;
  }
}
