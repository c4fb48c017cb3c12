/**
 * One client of a match as the server sees it: its link, its inbox, and what the server measures
 * about it.
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
 * How soon a new player's first command must come, s, plus the time that the first state takes,
 * because seats are for those who play.
 */
const FIRST_COMMAND_SECONDS_MAX = 10;
/** The slowest connection on which a match can be played: 32 kbit/s. */
const STATE_BYTES_PER_SECOND = 4096;
/**
 * After this time with equal commands, s, a player counts as idle in a full server, because the
 * player has put the keyboard away or is a script. Waiting for the next round takes less time.
 */
const ACTIVE_SECONDS_MAX = 30;

/**
 * How many of one client's pings are answered between two ticks. A join needs five. Each answer
 * costs a write to a socket, ten times as much as reading the ping.
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
  /** Ticks since its first state was sent. */
  #ticks = 0;
  /** How long its first state may be on its way, s. */
  #stateSeconds = 0;
  /** The newest command's slack, ms. */
  slackMs = 0;
  /** The newest unanswered ping; earlier ones stay unanswered. */
  ping: PendingPing | undefined;
  readonly backlog: SendBacklog;
  /** Its datagram path. */
  readonly path: PathSwitch;

  /** One for each way, because their delays are unrelated and the client may return. */
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
   * Measures a command when it first arrives.
   * @param dueMs when the server runs the command's tick
   */
  observe(entry: ReceivedCommands<Command>, { tick, dueMs }: { tick: Tick; dueMs: number }): void {
    const { leadMs, received, atMs } = entry;
    this.slackMs = dueMs - atMs;
    const advisor = entry.commands === undefined ? this.#reliableAdvisor : this.#datagramAdvisor;
    advisor.observe({ leadMs, slackMs: this.slackMs, received, atMs });
    this.path.observe(entry, this.slackMs);
    // Copies that a datagram repeats are skipped, because they were given earlier, when the client
    // had received less.
    if (tick === entry.tick) this.#announceHorizon.observe(tick - received);
  }

  /** Advises a lead for the way that the client's commands take now. */
  get leadAdvisor(): LeadAdvisor {
    return this.link.ordered ? this.#reliableAdvisor : this.#datagramAdvisor;
  }

  /**
   * Notes that the client has left its datagram path.
   * @param received the newest tick that it has
   */
  onBack(received: Tick, tickHz: number): void {
    if (this.path.onBack(tickHz)) this.deltaState.leavePath(received);
    this.decoder.endPath();
  }

  /**
   * Notes that a state was sent. Only the first one gives the client more time.
   * @param bytes the message's length
   */
  onStateSent(bytes: number): void {
    if (this.#stateSeconds === 0) this.#stateSeconds = bytes / STATE_BYTES_PER_SECOND;
  }

  /**
   * Takes the sync status of a client that has no command to send.
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
   * Takes what a client reports with its commands: what it has, and whether it is in sync.
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

  /**
   * Ends a tick of a match that stands still. Its clients keep asking whether the server is there.
   */
  endPausedTick(): void {
    this.#pongs = 0;
  }

  /**
   * Counts the answer to a ping.
   * @returns false if the client has had enough answers in this tick
   */
  takePong(): boolean {
    return this.#pongs++ < PONGS_PER_TICK_MAX;
  }

  /** Whether its seat is not being played, so that it is given to someone else. */
  get isIdle(): boolean {
    if (this.player === undefined) return false;
    const { entersAt, unchangedTicks } = this.player;
    if (entersAt === undefined) {
      return this.#ticks > (FIRST_COMMAND_SECONDS_MAX + this.#stateSeconds) * this.#tickHz;
    }
    return this.#idleSeconds > 0 && unchangedTicks > this.#idleSeconds * this.#tickHz;
  }

  /** Whether it is being played: the client has a seat, and its commands have changed lately. */
  get isActive(): boolean {
    return this.player !== undefined &&
      this.player.unchangedTicks <= ACTIVE_SECONDS_MAX * this.#tickHz;
  }

  /** Ends a tick, after its commands were taken. @param tick the tick that is being run */
  endTick(tick: Tick): void {
    // Nobody can play before the first state, which a referee may still be computing.
    if (this.deltaState.stateTick >= 0) this.#ticks++;
    this.#pongs = 0;
    this.#reliableAdvisor.endTick(tick);
    this.#datagramAdvisor.endTick(tick);
    this.#announceHorizon.endTick();
    this.deltaState.endTick();
  }
}
