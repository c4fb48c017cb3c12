/**
 * The players' seats: assigned, reserved for disconnected players, and freed.
 *
 *     connection lost → assumed commands until 1 s after the last announced → bot takeover → free
 *     no command for 2 s, or none that differs for 20 s → bot takeover → a command comes, or one that differs → as before
 *
 * A seat is reserved for as long as its player has played, but at most 30 s, so that a stranger who
 * drops the connection at once holds nothing. Every change is announced for a tick that no client
 * has simulated yet, so that clients do not mispredict it.
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
import type { RankedPlayer } from "../round_watch.ts";
import { freeName, type NameForms } from "./player_names.ts";
import type { Presence } from "../../../shared/netcode/presence.ts";

/**
 * How long a disconnected player's seat stays reserved at most, s, while a phone changes cells or a
 * laptop its Wi-Fi.
 */
const RESERVED_SECONDS_MAX = 30;
/** How long a disconnected player's commands are assumed, s, before an NPC takes over. */
const BOT_TAKEOVER_DELAY_SECONDS = 1;
/**
 * How long a connected player may send nothing, s, before an NPC takes over, because the page is
 * hidden or frozen, or the network holds messages back.
 */
const SILENT_SECONDS_MAX = 2;
/**
 * How long a connected player's commands may stay the same, s, before an NPC takes over, because
 * people who play press something.
 */
const STILL_SECONDS_MAX = 20;

/**
 * Close codes after which the seat is not reserved. 1000 means that the player leaves (RFC 6455
 * §7.4.1). The others free the place for another client, or answer violations that honest clients
 * do not commit: if seats were reserved after those, sixteen strangers could block a whole room.
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
  CloseCode.differs,
]);

export interface SeatsOptions<Command> {
  /** Players whom the match takes, 1 … `PLAYER_SEATS`. */
  readonly seats: number;
  readonly tickHz: number;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  /**
   * Undefined if no NPC may play a player's seat, because the server only orders commands. The
   * player's commands are then assumed for as long as the seat is reserved.
   */
  readonly npcController: NpcController<Command> | undefined;
  /** @returns a new token each time, one that cannot be guessed */
  readonly newToken: () => ResumeToken;
  readonly hashToken: HashToken;
  readonly nameForms: NameForms;
  /** Names that players may not use. */
  readonly npcNames: readonly string[];
  /** Unsigned, 32 bits. Names are drawn from it. */
  readonly seed: number;
  /** Whether an NPC keeps a seat until the player leaves. */
  readonly keepsSeats: boolean;
  /**
   * After this time without a command that differs, s, a player is idle; 0 if players may stand
   * still for ever.
   */
  readonly idleSeconds: number;
}

/** What a client shows to get back a seat that it had. */
export interface ReturningClient {
  readonly resume: ResumeToken | undefined;
  readonly ticket?: TicketClaims | undefined;
}

/** What others may ask about the seats. */
export interface SeatQueries {
  /** Whether the client has a seat to return to. */
  hasSeat(client: ReturningClient): boolean;
  /** Whether a player holds this seat, connected or not. */
  isTaken(seat: SeatId): boolean;
}

/** What seats need from a state to be restored. */
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
   * Assigns a seat to a new player, under a name that no other player in the match uses.
   * @param wantedName the player's choice; may be empty
   * @param options.tick the newest definitive tick
   * @param options.peer who takes the seat; a ticket may name the only seat that they may get
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

    // A name that no other player uses
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
   * Gives a resumed match's players their seats back. They are not connected yet, as if their
   * connections had been lost.
   * @param state.seats the seats that are present, with their names
   * @param state.presence changes announced beyond the tick
   */
  restore({ tick, seats, presence, players }: SeatsState): void {
    const { timeline, hashToken } = this.#options;
    for (const { seat, tokenHashes, identity, entersAt } of players) {
      // The state holds the name, or the change with which the player enters does.
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

      // The queue continues after the newest command that the previous process announced.
      for (
        let ahead = tick + COMMANDS_AHEAD_TICKS_MAX;
        ahead > tick && player.queue.newestTick < 0;
        ahead--
      ) {
        if (timeline.isAnnounced(ahead, seat)) player.queue.newestTick = ahead;
      }

      this.#players[seat] = player;
    }

    // Seats that players are about to leave are free from then on.
    for (const { seat, tick: from, present } of presence) {
      if (!present && seat < PLAYER_SEATS) this.#freeFrom[seat] = from;
    }
  }

  /** Every player with a seat, as the log records them. */
  get logged(): LoggedPlayer[] {
    return this.#players.filter((player) => player !== undefined);
  }

  /** How many seats are reserved for players who lost their connection. */
  get reservedCount(): number {
    return this.#players.filter((player) =>
      player?.disconnectedAt !== undefined && !this.#isOver(player, 0)
    ).length;
  }

  /** Counts an address's seats, including reserved ones. */
  countOf(addressBlock: string): number {
    return this.#players.filter((player) => player?.peer.addressBlock === addressBlock).length;
  }

  /**
   * Finds the player who returns, connected or not: by the seat's token, or because a hook gives
   * the same name the same seat again. A token is worthless with another name, or with a ticket for
   * another seat.
   * @returns undefined for a client without a seat here
   */
  ownerOf({ resume, ticket }: ReturningClient): Player<Command> | undefined {
    return this.#players.find((player) => {
      if (player === undefined || !player.isPlayerOf(ticket)) return false;
      if ((ticket?.seat ?? player.seat) !== player.seat) return false;
      if (resume !== undefined && player.hasToken(resume)) return true;
      // The empty name identifies nobody, because all players without a name share it.
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
   * A player as the table of the best knows them.
   * @param enteredBy who entered after this tick has not played the round
   * @returns undefined for one who has typed no name, plays no more, or cannot be told from others
   */
  rankedPlayer(seat: SeatId, enteredBy: Tick): RankedPlayer | undefined {
    const player = this.#players[seat];
    if (player?.entersAt === undefined || player.entersAt > enteredBy) return undefined;
    if (player.disconnectedAt !== undefined || player.isBotControlled) return undefined;
    return player.ranked;
  }

  /**
   * Notes whom a seat's player is to count for in the table of the best. A name that the server has
   * drawn counts for nobody, because strangers draw the same ones.
   * @param typed.name the player's choice; may be empty
   */
  identify(
    player: Player<Command>,
    { name, account }: { readonly name: string; readonly account: string | undefined },
  ): void {
    const isTyped = this.#options.nameForms(name)[0] !== "";
    player.ranked = isTyped && account !== undefined ? { account, name } : undefined;
  }

  /**
   * Notes that the player has returned. Their commands count from the first tick that the NPC has
   * not announced.
   */
  reconnect(player: Player<Command>): void {
    player.disconnectedAt = undefined;
    player.stillTicks = 0;
    this.#handBack(player);
  }

  #handBack(player: Player<Command>): void {
    if (player.isBotControlled) this.#options.npcController!.handBack(player.seat);
    player.isBotControlled = false;
    player.beginAnew();
  }

  /**
   * Completes the entry of players who enter at `tick`: if a player's command for it has not
   * arrived, the player enters with the previous command.
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
   * Lets a player enter the game shortly after their first command, and never before its tick,
   * because an assumed command would carry none of the player's choices.
   */
  #announceEntry(player: Player<Command>, earliest: Tick): void {
    const { newestTick } = player.queue;
    if (newestTick < 0) return;
    player.entersAt = Math.max(earliest, newestTick);
    this.#options.presence.enter(player.seat, player.entersAt, player.name);
  }

  /**
   * Lets an NPC play while a connected player does not.
   * @param earliest the first tick that no client has simulated
   */
  #updateConnected(player: Player<Command>, earliest: Tick): void {
    const { tickHz, idleSeconds, npcController } = this.#options;
    if (npcController === undefined) return;
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
    this.#options.npcController!.takeOver(player.seat, firstTick);
  }

  #updateDisconnected(
    player: Player<Command>,
    { tick, horizonTicks }: { tick: Tick; horizonTicks: number },
  ): void {
    const { tickHz, npcController } = this.#options;
    if (this.#isOver(player, tick - player.disconnectedAt!)) {
      return this.#free(player, tick + 1 + horizonTicks);
    }
    if (player.isBotControlled || npcController === undefined) return;

    // The NPC's first command is for a tick after the last assumed one.
    const from = Math.max(player.disconnectedAt!, player.queue.newestTick, player.entersAt!) +
      BOT_TAKEOVER_DELAY_SECONDS * tickHz;
    if (tick + 1 + horizonTicks < from) return;
    this.#takeOver(player, tick + 1 + horizonTicks);
  }

  /**
   * @param lostTicks ticks since the connection was lost
   * @returns whether the seat's reservation has ended
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
      this.#options.npcController?.handBack(seat) ?? -1,
    );
    const from = Math.max(earliest, lastAnnounced + 1, entersAt + 1);
    this.#options.presence.leave(seat, from);
    this.#freeFrom[seat] = from;
  }
}
