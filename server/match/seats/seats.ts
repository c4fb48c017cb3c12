/**
 * The players' seats: who sits where, who is expected back, and when a seat is free again.
 *
 *     line lost → assumed for a second after the last announced command → flown by an NPC's mind → 30 s after the loss: free
 *
 * All that others see of it is announced farther ahead than anybody has simulated, so that nobody mispredicts it.
 */
import { PLAYER_SEATS, type Tick } from "../../../shared/netcode/game.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import type { NpcController } from "./npc_controller.ts";
import { Player } from "./player.ts";
import type { Presence } from "./presence.ts";

/** How long a lost player's seat is his, in seconds: a phone changes cells, a laptop its Wi-Fi. */
const RESERVED_SECONDS = 30;
/** How long a lost player's dragon goes on as assumed, in seconds, before a mind takes it over. */
const BOT_TAKEOVER_DELAY_SECONDS = 1;

export interface SeatsOptions<Command> {
  readonly tickHz: number;
  readonly timeline: Timeline<Command>;
  readonly presence: Presence<Command>;
  readonly npcController: NpcController<Command>;
  /** A new one each time, not to be guessed. */
  readonly newToken: () => ResumeToken;
}

/** The sixteen seats of one match. */
export class Seats<Command> {
  readonly #options: SeatsOptions<Command>;
  readonly #players: (Player<Command> | undefined)[] = new Array(PLAYER_SEATS).fill(undefined);
  /** By seat: the tick from which nobody sits there any more. */
  readonly #freeFrom: Tick[] = new Array(PLAYER_SEATS).fill(0);

  constructor(options: SeatsOptions<Command>) {
    this.#options = options;
  }

  /** A seat for a newcomer; undefined where all are taken or held. @param tick the newest definitive one */
  assign(name: string, tick: Tick): Player<Command> | undefined {
    const seat = this.#players.findIndex((player, seat) => player === undefined && this.#freeFrom[seat]! <= tick);
    if (seat < 0) return undefined;
    const player = new Player({ seat, name, resume: this.#options.newToken(), timeline: this.#options.timeline });
    this.#players[seat] = player;
    return player;
  }

  /** Whose token this is, whether his line is lost or not; undefined where it is nobody's. */
  ownerOf(token: ResumeToken): Player<Command> | undefined {
    return this.#players.find((player) => player?.resume === token);
  }

  /** He is back: his commands count from the first tick that was not promised to the mind that flew for him. */
  reconnect(player: Player<Command>): void {
    player.disconnectedAt = undefined;
    if (player.isBotControlled) this.#options.npcController.handBack(player.seat);
    player.isBotControlled = false;
  }

  /** What changes with a tick that has been run. @param horizonTicks what the slowest client needs to know in advance */
  updateReservations(tick: Tick, horizonTicks: number): void {
    for (const player of this.#players) {
      if (player === undefined) continue;
      if (player.entersAt === undefined) this.#announceEntry(player, tick + 1 + horizonTicks);
      if (player.disconnectedAt !== undefined) this.#updateDisconnected(player, { tick, horizonTicks });
    }
  }

  /** A player is in the game a little after his first command. */
  #announceEntry(player: Player<Command>, from: Tick): void {
    if (player.queue.newestTick < 0) return;
    player.entersAt = from;
    this.#options.presence.enter(player.seat, from, player.name);
  }

  #updateDisconnected(player: Player<Command>, { tick, horizonTicks }: { tick: Tick; horizonTicks: number }): void {
    const { tickHz, npcController } = this.#options;
    const isOver = player.hasLeft || player.entersAt === undefined ||
      tick - player.disconnectedAt! >= RESERVED_SECONDS * tickHz;
    if (isOver) return this.#free(player, tick + 1 + horizonTicks);
    if (player.isBotControlled) return;
    const from = Math.max(player.disconnectedAt!, player.queue.newestTick, player.entersAt!) +
      BOT_TAKEOVER_DELAY_SECONDS * tickHz;
    if (tick + 1 + horizonTicks < from) return;
    player.isBotControlled = true;
    npcController.takeOver(player.seat, tick + 1 + horizonTicks);
  }

  /** His leaving is announced, too, and comes after everything that was promised. */
  #free(player: Player<Command>, earliest: Tick): void {
    const { seat, entersAt } = player;
    this.#players[seat] = undefined;
    this.#freeFrom[seat] = 0;
    if (entersAt === undefined) return;
    const lastAnnounced = Math.max(player.queue.newestTick, this.#options.npcController.handBack(seat));
    const from = Math.max(earliest, lastAnnounced + 1, entersAt + 1);
    this.#options.presence.leave(seat, from);
    this.#freeFrom[seat] = from;
  }
}
