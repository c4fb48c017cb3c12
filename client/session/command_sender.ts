/**
 * Sends one command for each tick of the local clock. Commands also go out while the client is desynced, so that the
 * seat's input never pauses on the server.
 *
 *     reliable link:   sends each command once
 *     datagram link:   repeats each command in all datagrams until the server has announced it, or its tick is
 *                      definitive without it; sends a changed command several times at once
 *
 * A late command matters only if it differs from the one that the server assumed. Hence only changes
 * go out several times.
 */
import type { Game, SeatId, Tick } from "../../shared/netcode/game.ts";
import {
  type CommandMessage,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  type Report,
} from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Predictor } from "./predictor.ts";
import type { SessionStats } from "./session_stats.ts";
import type { CommandSource } from "./session_options.ts";

/** The most commands that one `advance` issues after the page slept. A lead beyond this is not playable. */
const COMMANDS_PER_ADVANCE_MAX = DATAGRAM_TICKS_MAX;
/**
 * A datagram with a recent change is repeated `REPEATS` times, every `REPEAT_MS`. After a single loss or delay it is
 * then still in time. Later the next tick's datagram contains the command anyway.
 */
const REPEAT_MS = 10;
const REPEATS = 4;
/** A change is recent for this many ticks, unless it is announced earlier. Loss bursts are shorter. */
const RECENT_CHANGE_TICKS = 3;
/** A datagram confirms this many received ticks if no command does. It keeps the server's datagrams short. */
const CONFIRM_TICKS = 4;
/**
 * The server announces a command at most so many ticks after the one in which it answers a later ping. On a reliable
 * link one tick may be on its way to the log. Datagrams overtake each other by a second at 20 Hz, the tail of a bad line.
 */
const ANNOUNCED_AFTER_TICKS = { reliable: 2, datagram: 20 } as const;

export interface CommandSenderOptions<Command> {
  readonly game: Pick<Game<Command>, "command">;
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
  /** Sends a ping in a message of its own as soon as possible. @returns its number */
  readonly requestPing: () => number;
  /** Whether this ping or a later one is answered. */
  readonly isAnswered: (number: number) => boolean;
  readonly send: (message: CommandMessage<Command> | CommandsMessage<Command> | Report) => void;
}

export class CommandSender<Command> {
  readonly #options: CommandSenderOptions<Command>;
  /** The tick of the local clock. */
  #target: Tick = -1;
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
  /** After a jump back: the ping whose answer shows that the server has all commands of before; otherwise undefined. */
  #awaitedPing: number | undefined;
  /** The received tick when that answer came; undefined before. */
  #answeredAt: Tick | undefined;

  constructor(options: CommandSenderOptions<Command>) {
    this.#options = options;
  }

  /** Starts. The next command is for the tick after this one. */
  begin(tick: Tick): void {
    this.#newestCommandTick = this.#target = tick;
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
    this.#noticeRewind(target);
    if (target > this.#newestCommandTick) {
      if (seat !== undefined) this.#issueCommands(seat, { target, leadMsOf, tooLateTick });
      this.#leadMs = leadMsOf(target);
      if (!ordered) this.#sendDatagram(target, this.#leadMs);
      this.#newestCommandTick = target;
      this.#repeatsLeft = !ordered && this.#isRecentChange(target) ? REPEATS : 0;
      this.#scheduleRepeat(nowMs);
    } else if (nowMs >= this.nextRepeatMs) {
      this.#repeatsLeft--;
      this.#scheduleRepeat(nowMs);
      this.#sendDatagram(target, this.#leadMs);
    }
    this.#reportDesync();
    this.confirm();
  }

  /**
   * After the clock has jumped back, commands for ticks that come again are under way. The server takes those that are
   * not too far ahead of it when they arrive. A newer command for an earlier tick would make their presses count anew.
   * So none is issued for these ticks until the server has announced what it took.
   */
  #noticeRewind(target: Tick): void {
    const { requestPing, isAnswered, ordered, predictor, reconciler: { received } } = this.#options;
    if (target < this.#target) {
      this.#awaitedPing = requestPing();
      this.#answeredAt = undefined;
    }
    this.#target = target;
    if (target > this.#newestCommandTick) this.#awaitedPing = undefined;
    if (this.#awaitedPing === undefined || !isAnswered(this.#awaitedPing)) return;
    this.#answeredAt ??= received;
    if (received < this.#answeredAt + ANNOUNCED_AFTER_TICKS[ordered ? "reliable" : "datagram"]) return;
    this.#awaitedPing = undefined;
    this.#newestCommandTick = this.#newestAnnounced(target);
    predictor.forgetLocalCommands(this.#newestCommandTick);
  }

  /** The newest tick whose own command is announced; the one before `target` if that is later. */
  #newestAnnounced(target: Tick): Tick {
    const { seat, predictor, reconciler: { received } } = this.#options;
    if (seat === undefined) return target - 1;
    let tick = Math.min(this.#newestCommandTick, received + COMMANDS_AHEAD_TICKS_MAX);
    while (tick >= target && predictor.announcedAt(tick, seat) === undefined) tick--;
    return Math.max(tick, target - 1);
  }

  /** On a datagram link: confirms the received ticks if no command has done so for long. */
  confirm(): void {
    const { ordered, reconciler: { received } } = this.#options;
    if (!ordered && received >= 0 && received >= this.#confirmedTick + CONFIRM_TICKS) this.#sendDatagram(received, 0);
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
    this.nextRepeatMs = this.#repeatsLeft > 0 ? nowMs + REPEAT_MS : Infinity;
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
    const { received, isDesynced, bodyStreamRequest, bodiesAck } = this.#options.reconciler;
    this.#confirmedTick = received;
    const commands = this.#unannouncedCommands(tick, received);
    this.#options.send({
      type: "commands",
      tick,
      commands,
      received,
      leadMs,
      isDesynced,
      bodyStreamRequest,
      bodiesAck,
    });
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
