/**
 * One client of a match as the server sees it: its link, its inbox, and what the server measures of
 * it.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { HostLink } from "../../../shared/netcode/link.ts";
import type { ClientMessageDecoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { Report } from "../../../shared/netcode/wire/messages.ts";
import type { ReceivedCommands } from "./received_commands.ts";
import { Inbox } from "./inbox.ts";
import type { Peer } from "./peer.ts";
import { SendBacklog } from "./send_backlog.ts";
import { LeadAdvisor } from "../lead/lead_advisor.ts";
import { PathSwitch } from "./path_switch.ts";
import type { PendingPing } from "./ping_responder.ts";
import type { Player } from "../seats/player.ts";
import { AnnounceHorizon } from "../lead/announce_horizon.ts";
import type { DeltaState } from "../broadcast/delta_state.ts";

/**
 * A seat is for a player who plays: the first command must come within this time, s, plus the time
 * that the first state needs.
 */
const FIRST_COMMAND_SECONDS_MAX = 10;
/** The slowest connection on which a match can be played: 32 kbit/s. */
const STATE_BYTES_PER_SECOND = 4096;
/**
 * A player whose commands have been equal for longer, s, counts as idle in a full server: the
 * player has put the keyboard away, or is a script. Waiting for a next round takes less time.
 */
const ACTIVE_SECONDS_MAX = 30;

/**
 * Answers to one client's pings between two ticks. A join waits for five. Each costs a write to a
 * socket, ten times as much as reading the ping.
 */
const PONGS_PER_TICK_MAX = 8;

/** One connected client. */
export class Client<Command> {
  readonly link: HostLink;
  readonly peer: Peer;
  readonly decoder: ClientMessageDecoder<Command>;
  /** Undefined for a spectator. */
  readonly player: Player<Command> | undefined;
  readonly deltaState: DeltaState;
  readonly inbox = new Inbox<Command>();
  readonly #tickHz: number;
  readonly #idleSeconds: number;
  /** Ticks since it has joined. */
  #ticks = 0;
  /** How long its first state may be on its way, s. */
  #stateSeconds = 0;
  /** The slack of the newest command, ms. */
  slackMs = 0;
  /** The newest one; earlier ones stay without an answer. */
  ping: PendingPing | undefined;
  readonly backlog: SendBacklog;
  /** Its datagram path. */
  readonly path: PathSwitch;

  /** One for each way: their delays have nothing in common, and the client may come back. */
  readonly #reliableAdvisor = new LeadAdvisor({ isReliable: true });
  readonly #datagramAdvisor = new LeadAdvisor({ isReliable: false });
  readonly #announceHorizon = new AnnounceHorizon();
  /** Pings answered at once since the last tick. */
  #pongs = 0;

  constructor(
    link: HostLink,
    { peer, decoder, player, deltaState, tickHz, idleSeconds }:
      & Pick<Client<Command>, "peer" | "decoder" | "player" | "deltaState">
      & { tickHz: number; idleSeconds: number },
  ) {
    this.link = link;
    this.peer = peer;
    this.decoder = decoder;
    this.player = player;
    this.deltaState = deltaState;
    this.#tickHz = tickHz;
    this.#idleSeconds = idleSeconds;
    this.path = new PathSwitch(link);
    this.backlog = new SendBacklog({
      get acknowledges() {
        return link.ordered && player !== undefined;
      },
    });
  }

  /**
   * Measures a command at its first arrival.
   * @param dueMs when the server runs the command's tick
   */
  observe(entry: ReceivedCommands<Command>, { tick, dueMs }: { tick: Tick; dueMs: number }): void {
    const { leadMs, received, atMs } = entry;
    this.slackMs = dueMs - atMs;
    const advisor = entry.commands === undefined ? this.#reliableAdvisor : this.#datagramAdvisor;
    advisor.observe({ leadMs, slackMs: this.slackMs, received, atMs });
    this.path.observe(entry, this.slackMs);
    // A command that a datagram repeats was given earlier, when the client had received less.
    if (tick === entry.tick) this.#announceHorizon.observe(tick - received);
  }

  /** Advises a lead for the way that its commands take now. */
  get leadAdvisor(): LeadAdvisor {
    return this.link.ordered ? this.#reliableAdvisor : this.#datagramAdvisor;
  }

  /** The client has left its datagram path. @param received the newest tick that it has */
  onBack(received: Tick, tickHz: number): void {
    if (this.path.onBack(tickHz)) this.deltaState.leavePath(received);
    this.decoder.endPath();
  }

  /**
   * It was sent a state. Those after the first one give it no more time.
   * @param bytes the message's length
   */
  onStateSent(bytes: number): void {
    if (this.#stateSeconds === 0) this.#stateSeconds = bytes / STATE_BYTES_PER_SECOND;
  }

  /**
   * A client without a command to send reports its sync status alone.
   * @returns whether this is a new desync
   */
  onReport({ received, bodyStreamRequest }: Report): boolean {
    this.backlog.acknowledge(received);
    const isDesynced = bodyStreamRequest === undefined;
    return this.deltaState.onSyncStatus({
      received,
      isDesynced,
      bodyStreamRequest,
      bodiesAck: undefined,
    });
  }

  /**
   * The client reports with its commands what it has, and whether it is in sync.
   * @returns whether this is a new desync
   */
  onStatus(entry: ReceivedCommands<Command>): boolean {
    this.backlog.acknowledge(entry.received);
    this.deltaState.acknowledge(entry);
    return this.deltaState.onSyncStatus(entry);
  }

  /**
   * How many ticks before their use commands must be announced to this client; 0 before its first
   * commands.
   */
  get horizonTicks(): number {
    return this.#announceHorizon.horizonTicks;
  }

  /** A tick of a match that stands still. Its clients ask whether the server is there. */
  endPausedTick(): void {
    this.#pongs = 0;
  }

  /** Counts the answer to a ping. @returns false if the client got enough of them in this tick */
  takePong(): boolean {
    return this.#pongs++ < PONGS_PER_TICK_MAX;
  }

  /** Whether its seat is not played, so that the seat is given away. */
  get isIdle(): boolean {
    if (this.player === undefined) return false;
    const { entersAt, unchangedTicks } = this.player;
    if (entersAt === undefined) {
      return this.#ticks > (FIRST_COMMAND_SECONDS_MAX + this.#stateSeconds) * this.#tickHz;
    }
    return this.#idleSeconds > 0 && unchangedTicks > this.#idleSeconds * this.#tickHz;
  }

  /** Whether it is played: the client has a seat, and its commands have changed lately. */
  get isActive(): boolean {
    return this.player !== undefined &&
      this.player.unchangedTicks <= ACTIVE_SECONDS_MAX * this.#tickHz;
  }

  /** Its commands for this tick have been taken. @param tick the one that is being run */
  endTick(tick: Tick): void {
    this.#ticks++;
    this.#pongs = 0;
    this.#reliableAdvisor.endTick(tick);
    this.#datagramAdvisor.endTick(tick);
    this.#announceHorizon.endTick();
    this.deltaState.endTick();
  }
}
