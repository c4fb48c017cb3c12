/** One client of a match as the server sees it: its line, and what it is owed. A player's member has a player, a watcher's none. */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import type { CommandMessage, CommandsMessage, Hello, Report } from "../../../shared/netcode/wire/messages.ts";
import { Advice } from "../../../shared/netcode/wire/advice_codec.ts";
import { ReceivedCommands } from "./received_commands.ts";
import { SendBacklog } from "./send_backlog.ts";
import { LeadAdvisor } from "../lead/lead_advisor.ts";
import type { PendingPing } from "./ping_responder.ts";
import type { Player } from "../seats/player.ts";
import { AnnounceHorizon } from "../lead/announce_horizon.ts";
import { BodyBaselineHistory } from "../broadcast/delta_state.ts";

/** Messages with commands that may arrive between two ticks: a line that stalled for ten seconds delivers 210 at once, a flood more than this. */
export const INBOX_MESSAGES_MAX = 256;
/** Heals that a client may ask for at once, and how many ticks pay for one more: two a second at 20 Hz. */
const RESYNCS_AT_ONCE = 3;
const TICKS_PER_RESYNC = 10;

/** A heal has failed whose client is out of step again within so many ticks: its engine cannot agree, after so many in a row. */
const FAILED_RESYNC_TICKS = 40;
const FAILED_RESYNCS_MAX = 3;

type SyncStatus = Pick<ReceivedCommands<never>, "received" | "isDesynced" | "bodyStreamRequest" | "bodiesAck">;

/** One connected client. */
export class Client<Command> {
  readonly link: Link;
  /** Whose line it is; undefined for a watcher. */
  readonly player: Player<Command> | undefined;
  readonly leadAdvisor = new LeadAdvisor();
  /** Its first `inboxCount` came since the last tick; the others are used again. */
  readonly inbox: ReceivedCommands<Command>[] = [];
  inboxCount = 0;
  /** Its next message must carry the state. */
  needsState = true;
  /** On the state stream: what it was told. */
  baselineHistory: BodyBaselineHistory | undefined;
  /** The newest tick by the ordered link had bodies. */
  hadBodies = false;
  readonly #bodyStreamMode: Hello["bodyStreamMode"] | "always";
  /** The state that it needs is a trial's: the stream goes on. */
  probe = false;
  /** Heals in a row after which it was soon out of step again. */
  #resyncsFailed = 0;
  /** The newest tick whose state it was sent. */
  stateTick: Tick = -1;
  /** On a datagram link: the newest tick up to which it has everything, as far as it said so. */
  #acknowledgedTick: Tick = -1;
  /** It can do nothing with ticks until a state has arrived. */
  #awaitingState = true;
  /** Of its newest command. */
  slackMs = 0;
  /** The newest; the ones before it go unanswered. */
  ping: PendingPing | undefined;
  /** What it was told of that and of its lead on an ordered link: what comes next is told by this. */
  sentAdvice: Advice | undefined;
  readonly backlog: SendBacklog;

  readonly #announceHorizon = new AnnounceHorizon();
  #resyncTokens = RESYNCS_AT_ONCE;

  /** @param bodyStreamMode whether it is on the state stream: for good, for as long as it says so, when it must, or never */
  constructor(link: Link, player?: Player<Command>, bodyStreamMode: Hello["bodyStreamMode"] | "always" = "no") {
    this.link = link;
    this.player = player;
    this.backlog = new SendBacklog({ acknowledges: link.ordered && player !== undefined });
    this.#bodyStreamMode = bodyStreamMode;
    if (bodyStreamMode === "always" || bodyStreamMode === "chosen") this.baselineHistory = new BodyBaselineHistory();
  }

  /** Puts a message into the inbox. @returns false where it is full */
  enqueue(message: CommandMessage<Command> | CommandsMessage<Command>, atMs: number): boolean {
    if (this.inboxCount === INBOX_MESSAGES_MAX) return false;
    const entry = this.inbox[this.inboxCount++] ??= new ReceivedCommands();
    entry.assign(message, atMs);
    return true;
  }

  /** Takes note of a command's first arrival, for `tick`. @param dueMs when the server runs that tick */
  observe(entry: ReceivedCommands<Command>, { tick, dueMs }: { tick: Tick; dueMs: number }): void {
    const { leadMs, received } = entry;
    this.slackMs = dueMs - entry.atMs;
    this.leadAdvisor.observe({ leadMs, slackMs: this.slackMs, received });
    // What a datagram says once more was simulated earlier, when less was known.
    if (tick === entry.tick) this.#announceHorizon.observe(tick - received);
  }

  /** How it says it stands to the definitive state. */
  onSyncStatus({ received, isDesynced, bodyStreamRequest, bodiesAck }: SyncStatus): void {
    if (isDesynced) return this.#reportDesync(received);
    if (received < this.stateTick) return; // said before it knew
    if (this.baselineHistory !== undefined && bodyStreamRequest === undefined && this.#bodyStreamMode !== "always") {
      this.baselineHistory = undefined;
    }
    if (this.baselineHistory !== undefined && bodiesAck !== undefined && !this.link.ordered) {
      this.baselineHistory.baseTick = Math.max(this.baselineHistory.baseTick, bodiesAck);
    }
    if (bodyStreamRequest === "state") this.probe = this.#grantState(received) || this.probe;
  }

  /** It is out of step. @param received the newest definitive tick that it had when it said so */
  #reportDesync(received: Tick): void {
    const isSoon = this.stateTick >= 0 && received - this.stateTick <= FAILED_RESYNC_TICKS;
    if (!this.#grantState(received)) return;
    this.#resyncsFailed = isSoon ? this.#resyncsFailed + 1 : 0;
    if (
      this.#bodyStreamMode === "no" || this.baselineHistory !== undefined || this.#resyncsFailed < FAILED_RESYNCS_MAX
    ) return;
    this.baselineHistory = new BodyBaselineHistory();
    this.#resyncsFailed = 0;
  }

  /** It was not told all: what comes next must stand for itself. */
  restartDelta(): void {
    this.needsState = true;
    this.probe = false;
  }

  /** @returns whether it will get one that it would not have got */
  #grantState(received: Tick): boolean {
    // What was under way when the last state was sent is about the time before it; what comes twice is one.
    if (this.needsState || received < this.stateTick || this.#resyncTokens < 1) return false;
    this.#resyncTokens--;
    this.needsState = true;
    return true;
  }

  /** It has no command to say with how it stands. */
  onReport({ received, bodyStreamRequest }: Report): void {
    this.backlog.acknowledge(received);
    this.onSyncStatus({
      received,
      isDesynced: bodyStreamRequest === undefined,
      bodyStreamRequest,
      bodiesAck: undefined,
    });
  }

  /** It has everything up to `received`; datagrams say so in any order. */
  acknowledge({ received, isDesynced }: Pick<ReceivedCommands<never>, "received" | "isDesynced">): void {
    this.backlog.acknowledge(received);
    if (received > this.#acknowledgedTick) this.#awaitingState = isDesynced;
    else if (received === this.#acknowledgedTick && isDesynced) this.#awaitingState = true;
    this.#acknowledgedTick = Math.max(this.#acknowledgedTick, received);
  }

  /** A datagram cannot hold what it misses: it gets the state, unless one is under way to it or it had too many lately. */
  requestFullState(): void {
    this.#grantState(this.#acknowledgedTick);
  }

  /**
   * The tick after which a datagram to it begins. A state that was sent will arrive, so who waits for it needs only what follows
   * it; but who can go on without it, when it is late or lies behind him, gets what he misses.
   * @param oldest what is remembered begins here
   */
  datagramBaseTick(oldest: Tick): Tick {
    const isContinuous = !this.#awaitingState && this.#acknowledgedTick + 1 >= oldest;
    return isContinuous ? this.#acknowledgedTick : Math.max(this.#acknowledgedTick, this.stateTick);
  }

  /** How many ticks before their use this client must be told of commands. 0 while nothing is known of it. */
  get horizonTicks(): number {
    return this.#announceHorizon.horizonTicks;
  }

  /** Its commands for this tick have been taken. @param tick the one that is being run */
  endTick(tick: Tick): void {
    this.leadAdvisor.endTick(tick);
    this.#announceHorizon.endTick();
    this.#resyncTokens = Math.min(RESYNCS_AT_ONCE, this.#resyncTokens + 1 / TICKS_PER_RESYNC);
  }
}
