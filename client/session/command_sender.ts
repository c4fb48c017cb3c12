/**
 * Sends one command for each tick of the local clock. Commands also go out while the client is desynced, so that the
 * seat's input never pauses on the server.
 *
 *     reliable link:   sends each command once
 *     datagram link:   repeats each command in the next datagram; if datagrams are lost, in all of them until the server
 *                      has it, and sends datagrams several times (datagrams/copy_law.ts)
 */
import type { Game, SeatId, Tick } from "../../shared/netcode/game.ts";
import {
  type Arrivals,
  type CommandMessage,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  type Report,
} from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import { CopyLaw } from "./datagrams/copy_law.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Predictor } from "./predictor.ts";
import { SentDatagrams } from "./datagrams/sent_datagrams.ts";
import type { SessionStats } from "./session_stats.ts";
import type { CommandSource } from "./session_options.ts";

/** The most commands that one `advance` issues after the page slept. A lead beyond this is not playable. */
const COMMANDS_PER_ADVANCE_MAX = DATAGRAM_TICKS_MAX;
/** A change is recent for this many ticks, unless it is announced earlier. Loss bursts are shorter. */
const RECENT_CHANGE_TICKS = 3;
/** A datagram reports the lead of the one that it is coded against, if its own differs by at most so much. */
const LEAD_TOLERANCE_MS = 0.3, LEAD_TOLERANCE_SHARE = 0.065, LEAD_TOLERANCE_MS_MAX = 4;
/** A datagram confirms this many received ticks if no command does. It keeps the server's datagrams short. */
const CONFIRM_TICKS = 4;
/**
 * The server may be so many ticks further when a command arrives that is under way: a second at 20 Hz, the tail of a bad
 * line. A tick for which a later command was taken gets no other one: its presses would seem to count anew.
 */
const UNDER_WAY_TICKS = 20;

export interface CommandSenderOptions<Command> {
  readonly game: Pick<Game<Command>, "command" | "tickHz">;
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Whether the link is reliable. */
  readonly ordered: boolean;
  readonly commandSource: CommandSource<Command>;
  readonly predictor: Predictor<Command>;
  readonly reconciler: Reconciler<Command>;
  readonly stats: SessionStats;
  /** Used on a reliable link. @returns the id of a ping to send with a command now; undefined if none is due */
  readonly piggybackPing: () => number | undefined;
  readonly send: (message: CommandMessage<Command> | CommandsMessage<Command> | Report) => void;
}

export class CommandSender<Command> {
  readonly #options: CommandSenderOptions<Command>;
  /** The newest tick for which a command was issued. */
  #newestCommandTick: Tick = -1;
  /** The newest received tick that a message has confirmed to the server. */
  #confirmedTick: Tick = -CONFIRM_TICKS;
  /** On a reliable link: the newest received tick when this client last reported a desync or requested a state. */
  #desyncReportedAt: Tick = -1;
  /** The lead that was reported with the newest command, ms. */
  #leadMs = 0;
  /** When the newest datagram is repeated, ms on the clock; Infinity if it is not. */
  nextRepeatMs = Infinity;
  #repeatsLeft = 0;
  #repeatMs = 0;
  /** The newest datagram. Its copies have the same bytes, so that it does not matter which of them arrives. */
  #datagram: CommandsMessage<Command> | undefined;
  readonly #sentDatagrams = new SentDatagrams();
  readonly #copyLaw: CopyLaw;

  constructor(options: CommandSenderOptions<Command>) {
    this.#options = options;
    this.#copyLaw = new CopyLaw(1000 / options.game.tickHz);
  }

  /** Begins anew on another link: nothing that was measured, and nothing that was sent, counts there. */
  reset(): void {
    this.#sentDatagrams.reset();
    this.#copyLaw.reset();
    this.#datagram = undefined;
    this.#repeatsLeft = 0;
    this.nextRepeatMs = Infinity;
  }

  /** The share of datagrams to the server that are expected to be lost, 0 … 1. Only on a datagram link. */
  get lossUpShare(): number {
    return this.#copyLaw.lossShare;
  }

  /** The server reports which datagrams have arrived. @param slackMs the slack of the newest command */
  acknowledge(arrivals: Arrivals, slackMs: number): void {
    const leadMs = this.#sentDatagrams.merge(arrivals);
    if (leadMs !== undefined) this.#copyLaw.observeArrival(leadMs - slackMs, this.#sentDatagrams.takeOvertaken());
  }

  /** Starts. The next command is for the tick after this one. */
  begin(tick: Tick): void {
    this.#newestCommandTick = tick;
  }

  /**
   * The clock has jumped back to `tick`. The server refuses the commands that are too far ahead of it when they arrive.
   * A datagram would repeat them when their ticks are near, with the presses of long ago.
   */
  rewind(tick: Tick): void {
    const newestTaken = tick + COMMANDS_AHEAD_TICKS_MAX + UNDER_WAY_TICKS;
    if (this.#newestCommandTick > newestTaken) this.#sentDatagrams.rewind();
    this.#newestCommandTick = Math.min(this.#newestCommandTick, newestTaken);
    this.#options.predictor.forgetLocalCommands(this.#newestCommandTick);
  }

  /**
   * Sends everything that is due when the local clock has reached `target`.
   * @param options.leadMsOf the lead to report with a command for a tick that is sent now
   * @param options.tooLateTick the newest tick that the server will have run before a message sent now can arrive.
   * After a pause, no command is issued for it and the ticks before it.
   */
  sendTo(
    target: Tick,
    { leadMsOf, tooLateTick, nowMs }: { leadMsOf: (tick: Tick) => number; tooLateTick: Tick; nowMs: number },
  ): void {
    const { seat, ordered } = this.#options;
    if (!ordered) this.#measureLosses();
    if (target > this.#newestCommandTick) {
      if (seat !== undefined) this.#issueCommands(seat, { target, leadMsOf, tooLateTick });
      this.#leadMs = leadMsOf(target);
      if (!ordered) this.#sendDatagram(target, this.#leadMs);
      this.#newestCommandTick = target;
      this.#repeatsLeft = ordered ? 0 : this.#copiesOf(target);
      this.#repeatMs = this.#copyLaw.spacingMs(this.#repeatsLeft);
      this.#scheduleRepeat(nowMs);
    } else if (nowMs >= this.nextRepeatMs) {
      this.#repeatsLeft--;
      this.#scheduleRepeat(nowMs);
      this.#options.stats.datagramsUpCopies++;
      this.#transmit(this.#datagram!);
    }
    this.#reportDesync();
    this.confirm();
  }

  /** On a datagram link: confirms the received ticks if no command has done so for long. */
  confirm(): void {
    const { ordered, reconciler: { received } } = this.#options;
    if (ordered || received < 0 || received < this.#confirmedTick + CONFIRM_TICKS) return;
    this.#confirmedTick = received;
    this.#options.send({ ...this.#report, tick: received, leadMs: 0, commands: [] });
  }

  #issueCommands(
    seat: SeatId,
    { target, leadMsOf, tooLateTick }: { target: Tick; leadMsOf: (tick: Tick) => number; tooLateTick: Tick },
  ): void {
    const {
      predictor,
      reconciler: { received, isDesynced, bodyStreamRequest, acknowledged, firstOwnTick },
      ordered,
      commandSource,
      stats,
    } = this.#options;
    // `tooLateTick` is only an estimate. The command for `target` is always issued, because the server
    // must receive something.
    const firstTick =
      Math.max(this.#newestCommandTick, target - COMMANDS_PER_ADVANCE_MAX, Math.min(tooLateTick, target - 1)) + 1;
    for (let tick = firstTick; tick <= target; tick++) {
      // Skip definitive ticks, and ticks whose command is announced: a bot flew for the player while they were away.
      if (tick <= received || tick < firstOwnTick || predictor.announcedAt(tick, seat) !== undefined) continue;
      const command = predictor.setLocalCommand(tick, commandSource.next(tick, acknowledged));
      const leadMs = leadMsOf(tick);
      stats.commandsSent++;
      stats.leadMsSum += leadMs;
      if (!ordered) continue;
      if (isDesynced) this.#desyncReportedAt = received;
      const ping = this.#options.piggybackPing();
      this.#options.send({
        type: "command",
        tick,
        command,
        leadMs,
        received,
        isDesynced,
        bodyStreamRequest,
        ping,
      });
    }
  }

  #scheduleRepeat(nowMs: number): void {
    this.nextRepeatMs = this.#repeatsLeft > 0 ? nowMs + this.#repeatMs : Infinity;
  }

  /** The copies of the datagram of `tick`, which has just been sent. */
  #copiesOf(tick: Tick): number {
    if (this.#datagram === undefined || this.#datagram.commands.length === 0) return 0;
    const { changed, unchanged } = this.#copyLaw.plan;
    return this.#isRecentChange(tick) ? changed : unchanged;
  }

  #measureLosses(): void {
    const { stats, predictor, seat } = this.#options;
    this.#sentDatagrams.takeOutcomes(({ tick, sent, lost, isRead }) => {
      // Datagrams that could not be read came too early or too late for others. They helped no more than lost ones.
      this.#copyLaw.observe({ sent, lost: isRead ? lost : sent });
      stats.datagramsUpJudged += sent;
      stats.datagramsUpLost += lost;
      if (lost === sent && predictor.announcedAt(tick, seat!) !== undefined) stats.commandsSaved++;
    });
  }

  /**
   * Whether the server may assume a wrong command for `tick` if this one is lost. This holds if the command has changed
   * within the last ticks and the server has announced none since the change. A loss burst may swallow the change, so
   * the commands that repeat it count, too.
   */
  #isRecentChange(tick: Tick): boolean {
    const { predictor, game, seat } = this.#options;
    const command = predictor.localCommandAt(tick);
    if (command === undefined || seat === undefined) return false;
    for (let before = tick - 1; before >= tick - RECENT_CHANGE_TICKS; before--) {
      const earlier = predictor.localCommandAt(before);
      if (earlier === undefined || !game.command.same(earlier, command)) return true;
      if (predictor.announcedAt(before, seat) !== undefined) return false;
    }
    return false;
  }

  /**
   * On a reliable link: reports a desync or requests a state at once, and again with each received tick. Needed when no
   * command can carry the report: for spectators, and for clients whose clock lags the received ticks.
   */
  #reportDesync(): void {
    const { seat, reconciler: { received, isDesynced, bodyStreamRequest }, ordered, send } = this.#options;
    const isProbing = seat === undefined && bodyStreamRequest === "state"; // players use their commands
    if (!ordered || !(isDesynced || isProbing) || received <= this.#desyncReportedAt) return;
    this.#desyncReportedAt = received;
    send({ type: "report", received, bodyStreamRequest });
  }

  #sendDatagram(tick: Tick, leadMs: number): void {
    const { received } = this.#options.reconciler;
    this.#confirmedTick = received;
    const commands = this.#shortDatagram(tick, leadMs) ??
      { commands: this.#unannouncedCommands(tick, received), leadMs };
    this.#datagram = { ...this.#report, tick, ...commands };
    this.#transmit(this.#datagram);
  }

  /** Each datagram reports this state of the client. */
  get #report() {
    const { received, isDesynced, bodyStreamRequest, bodiesAck } = this.#options.reconciler;
    return { type: "commands", received, isDesynced, bodyStreamRequest, bodiesAck } as const;
  }

  #transmit(datagram: CommandsMessage<Command>): void {
    if (datagram.commands.length > 0) {
      this.#sentDatagrams.record(datagram.tick, datagram.leadMs);
      this.#options.stats.datagramsUp++;
    }
    this.#options.send(datagram);
  }

  /**
   * The commands of a datagram that is coded against earlier ones. On a clean line it continues the datagram before
   * the last one, which the server will have. Otherwise it continues the newest one that the server has read.
   * @returns undefined if that is not possible
   */
  #shortDatagram(
    tick: Tick,
    leadMs: number,
  ): Pick<CommandsMessage<Command>, "commands" | "reference" | "leadMs"> | undefined {
    const sent = this.#sentDatagrams, { isShort, reachesBack } = this.#copyLaw.plan;
    const reference = isShort ? sent.referenceFor(tick) : undefined;
    const before = reachesBack ? sent.newestRead : sent.newestLikelyRead;
    const commands = reference === undefined || before < 0 ? undefined : this.#commandsAfter(before, tick);
    if (reference === undefined || commands === undefined) return undefined;
    const toleranceMs = Math.min(LEAD_TOLERANCE_MS_MAX, LEAD_TOLERANCE_MS + LEAD_TOLERANCE_SHARE * leadMs);
    const isNear = Math.abs(leadMs - reference.leadMs) <= toleranceMs;
    return { commands, reference: reference.tick, leadMs: isNear ? reference.leadMs : leadMs };
  }

  /** The local commands for `newest` and the ticks after `before`, newest first; undefined if one is missing. */
  #commandsAfter(before: Tick, newest: Tick): Command[] | undefined {
    const commands: Command[] = [];
    if (newest - before > DATAGRAM_TICKS_MAX) return undefined;
    for (let tick = newest; tick > before; tick--) {
      const command = this.#options.predictor.localCommandAt(tick);
      if (command === undefined) return undefined;
      commands.push(command);
    }
    return commands;
  }

  /** The local commands for `newest` and the ticks before it that the server may not have, newest first. */
  #unannouncedCommands(newest: Tick, received: Tick): Command[] {
    const { seat, predictor } = this.#options;
    const commands: Command[] = [];
    if (seat === undefined) return commands;
    for (let tick = newest; tick > received && commands.length < DATAGRAM_TICKS_MAX; tick--) {
      const command = predictor.localCommandAt(tick);
      if (command === undefined || predictor.announcedAt(tick, seat) !== undefined) break;
      commands.push(command);
    }
    return commands;
  }
}
