/**
 * Our own commands on their way up, one for each tick of our clock, whatever else is wrong: the server must not lose our seat's
 * pulse.
 *
 *     ordered link:    each once
 *     datagram link:   each again and again, with those that follow it, until the server has announced it, or its tick is
 *                      definitive without it; one that says something new several times at once: only such a one is missed when late
 */
import type { Game, SeatId, Tick } from "../../shared/netcode/game.ts";
import {
  type CommandMessage,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  type Report,
} from "../../shared/netcode/wire/messages.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Predictor } from "./predictor.ts";
import type { SessionStats } from "./session_stats.ts";
import type { CommandSource } from "./session_options.ts";

/** A page that slept has commands for at most so many ticks to catch up with; with a lead of more nobody can play. */
const COMMANDS_PER_ADVANCE_MAX = DATAGRAM_TICKS_MAX;
/**
 * A command that says something new goes again so soon, ms, and so often: what was lost or held up alone is still in time then.
 * Later the next tick's datagram holds it anyway.
 */
const REPEAT_MS = 10;
const REPEATS = 4;
/** For so many ticks a change is news, unless it is announced before: bursts are shorter than that. */
const RECENT_CHANGE_TICKS = 3;
/** Ticks received that are confirmed without a command to carry it: soon enough for the server's datagrams to stay short. */
const CONFIRM_TICKS = 4;

export interface CommandSenderOptions<Command> {
  readonly game: Pick<Game<Command>, "command">;
  /** Undefined for a watcher. */
  readonly seat: SeatId | undefined;
  /** Of the link. */
  readonly ordered: boolean;
  readonly commandSource: CommandSource<Command>;
  readonly predictor: Predictor<Command>;
  readonly reconciler: Reconciler<Command>;
  readonly stats: SessionStats;
  /** On an ordered link. @returns the id of a ping that goes with a command now; undefined where none is due */
  readonly piggybackPing: () => number | undefined;
  readonly send: (message: CommandMessage<Command> | CommandsMessage<Command> | Report) => void;
}

export class CommandSender<Command> {
  readonly #options: CommandSenderOptions<Command>;
  /** The newest tick that a command was sent for. */
  #newestCommandTick: Tick = -1;
  /** What the server was last told that we have received. */
  #confirmedTick: Tick = -CONFIRM_TICKS;
  /** On an ordered link: the newest tick received when we last said that we are out of step. */
  #desyncReportedAt: Tick = -1;
  /** The lead when our newest command was sent, ms. */
  #leadMs = 0;
  /** When it is sent again, ms on the clock, and how often. */
  nextRepeatMs = Infinity;
  #repeatsLeft = 0;

  constructor(options: CommandSenderOptions<Command>) {
    this.#options = options;
  }

  /** The next command will be for the tick after this one. */
  begin(tick: Tick): void {
    this.#newestCommandTick = tick;
  }

  /**
   * Sends what is due when our clock has reached `target`.
   * @param tooLateTick the newest tick that the server will have run before anything sent now can arrive: after a pause there is no
   * command for it and those before it, neither a new one nor once more
   */
  sendTo(target: Tick, { leadMs, tooLateTick, nowMs }: { leadMs: number; tooLateTick: Tick; nowMs: number }): void {
    const { seat, ordered } = this.#options;
    if (target > this.#newestCommandTick) {
      if (seat !== undefined) this.#issueCommands(seat, { target, leadMs, tooLateTick });
      if (!ordered) this.#sendDatagram(target, leadMs);
      this.#newestCommandTick = target;
      this.#leadMs = leadMs;
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

  /** On a datagram link: says what has been received where no command has said so for long. */
  confirm(): void {
    const { ordered, reconciler: { received } } = this.#options;
    if (!ordered && received >= 0 && received >= this.#confirmedTick + CONFIRM_TICKS) this.#sendDatagram(received, 0);
  }

  #issueCommands(
    seat: SeatId,
    { target, leadMs, tooLateTick }: { target: Tick; leadMs: number; tooLateTick: Tick },
  ): void {
    const {
      predictor,
      reconciler: { received, isDesynced, bodyStreamRequest, acknowledged },
      ordered,
      commandSource,
      stats,
    } = this.#options;
    // One command there always is: nobody knows for certain what is lost, and the server must hear of us.
    const firstTick =
      Math.max(this.#newestCommandTick, target - COMMANDS_PER_ADVANCE_MAX, Math.min(tooLateTick, target - 1)) + 1;
    for (let tick = firstTick; tick <= target; tick++) {
      // What is past, or promised to whoever flew for us while we were away, is not ours to decide.
      if (tick <= received || predictor.announcedAt(tick, seat) !== undefined) continue;
      const command = commandSource.next(tick, acknowledged);
      predictor.setLocalCommand(tick, command);
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
   * What the server may assume for it, should it not arrive, is something else: it differs from a command before it,
   * and the server is not known to have what lies between. A burst that swallowed the change must not swallow those that repeat it, too.
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
   * On an ordered link: says at once that we are out of step or want a state, and again with each tick that comes, where no command
   * has: a watcher has none, nor has who finds his clock behind what he received.
   */
  #reportDesync(): void {
    const { seat, reconciler: { received, isDesynced, bodyStreamRequest }, ordered, send } = this.#options;
    const isProbing = seat === undefined && bodyStreamRequest === "state"; // others say it with their commands
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

  /** Our commands for `newest` and the ticks before it, as far as the server may not have them. */
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
