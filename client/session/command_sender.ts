/**
 * Sends one command for each tick of the local clock. Commands also go out while the client is
 * desynced, so that the seat's input never pauses on the server.
 *
 *     reliable link:   sends each command once
 *     datagrams:       a datagram with this command and earlier ones (datagrams/datagram_sender.ts)
 */
import type { Game, SeatId, Tick } from "../../shared/netcode/game.ts";
import {
  type CommandMessage,
  DATAGRAM_TICKS_MAX,
  type Report,
} from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import type { DatagramSender } from "./datagrams/datagram_sender.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Predictor } from "./predictor.ts";
import type { SessionStats } from "./session_stats.ts";
import type { CommandSource, SessionOptions } from "./session_options.ts";

/**
 * The most commands that one `advance` issues after the page slept. A lead beyond this is not
 * playable.
 */
const COMMANDS_PER_ADVANCE_MAX = DATAGRAM_TICKS_MAX;
/**
 * The server announces a command at most so many ticks after the one in which it answers a later
 * ping. On a reliable link one tick may be on its way to the log. Datagrams overtake each other by
 * a second at 20 Hz, the tail of a bad connection.
 */
const ANNOUNCED_AFTER_TICKS = { reliable: 2, datagram: 20 } as const;

export interface CommandSenderOptions<Command> {
  readonly game: Pick<Game<Command>, "command" | "tickHz">;
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Whether commands go by the reliable channel now: it changes with a datagram path. */
  readonly ordered: boolean;
  /** @returns undefined while its code is not loaded */
  readonly datagramSender: () => DatagramSender<Command> | undefined;
  readonly commandSource: CommandSource<Command>;
  readonly isAway?: SessionOptions<Command>["isAway"];
  readonly predictor: Pick<
    Predictor<Command>,
    "localCommandAt" | "setLocalCommand" | "announcedAt" | "forgetLocalCommands"
  >;
  readonly reconciler: Pick<
    Reconciler<Command>,
    | "received"
    | "isDesynced"
    | "acknowledged"
    | "firstOwnTick"
    | "own"
    | "npcUntil"
    | "bodyStreamRequest"
    | "bodiesAck"
  >;
  readonly stats: SessionStats;
  /**
   * Used on a reliable link.
   * @returns the id of a ping to send with a command now; undefined if none is due
   */
  readonly piggybackPing: () => number | undefined;
  /** Sends a ping in a message of its own as soon as possible. @returns its number */
  readonly requestPing: () => number;
  /** Whether this ping or a later one is answered. */
  readonly isAnswered: (number: number) => boolean;
  readonly send: (message: CommandMessage<Command> | Report) => void;
}

export class CommandSender<Command> {
  readonly #options: CommandSenderOptions<Command>;
  /** The tick of the local clock. */
  #target: Tick = -1;
  /** The newest tick for which a command was issued. */
  #newestCommandTick: Tick = -1;
  /**
   * On a reliable link: the newest received tick when this client last reported a desync or
   * requested a state.
   */
  #desyncReportedAt: Tick = -1;
  /**
   * After a jump back: the ping whose answer shows that the server has all commands of before;
   * otherwise undefined.
   */
  #awaitedPing: number | undefined;
  /** The received tick when that answer came; undefined before. */
  #answeredAt: Tick | undefined;
  /** The newest command that was issued. */
  #issued: Command | undefined;
  /** The newest tick for which a sign of life was sent. */
  #signTick: Tick = -1;
  /**
   * The tick that shows, when it is received, that the server has heard of a key; Infinity before
   * one.
   */
  #heardAtTick: Tick = Infinity;
  /**
   * The tick up to which an NPC had given the commands when the press counters last went on from
   * them.
   */
  #resumedAfter: Tick = -1;

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
   * @param options.tooLateTick the newest tick that the server will have run before a message sent
   * now can arrive. After a pause, no command is issued for it and the ticks before it.
   */
  sendTo(
    target: Tick,
    { leadMsOf, tooLateTick, nowMs }: {
      leadMsOf: (tick: Tick) => number;
      tooLateTick: Tick;
      nowMs: number;
    },
  ): void {
    const options = this.#options;
    const datagramSender = options.ordered ? undefined : options.datagramSender();
    this.#noticeRewind(target);
    if (target > this.#newestCommandTick) {
      this.#give(target, { leadMsOf, tooLateTick, nowMs, datagramSender });
    } else datagramSender?.repeat(options, nowMs);
    this.#reportDesync();
    this.confirm();
  }

  /** Gives the command of a tick. While an NPC plays, sends a sign of life in its place. */
  #give(
    target: Tick,
    { leadMsOf, tooLateTick, nowMs, datagramSender }: {
      leadMsOf: (tick: Tick) => number;
      tooLateTick: Tick;
      nowMs: number;
      datagramSender: DatagramSender<Command> | undefined;
    },
  ): void {
    const options = this.#options;
    const { seat, reconciler, isAway, ordered } = options;

    // While the player cannot see the match, an NPC plays. Who has not entered yet has no body to
    // play with.
    const isPlayed = seat !== undefined &&
      !(reconciler.acknowledged !== undefined && isAway?.() === true);
    const command = isPlayed ? this.#signOfLife(target) : undefined;
    if (command === undefined && isPlayed) {
      this.#issueCommands(seat, { target, leadMsOf, tooLateTick });
    }

    // No tick gets two different commands. Only for one with an announced command is the sign sure
    // not to count.
    const tick = command === undefined ? target : Math.min(target, reconciler.npcUntil);
    const isSign = command !== undefined && tick > this.#signTick;
    const sentTick = isSign ? tick : target;
    const leadMs = leadMsOf(sentTick);

    if (isSign) this.#noteSign(command, { tick, target });
    if (isSign && ordered) this.#send(tick, command, leadMs);

    this.#newestCommandTick = target;
    datagramSender?.send(options, {
      tick: sentTick,
      leadMs,
      nowMs,
      sign: isSign ? command : undefined,
    });
  }

  /**
   * After the clock has jumped back, commands for ticks that come again are under way. The server
   * takes those that are not too far ahead of it when they arrive. A newer command for an earlier
   * tick would make their presses count anew. So none is issued for these ticks until the server
   * has announced what it took.
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
    if (received < this.#answeredAt + ANNOUNCED_AFTER_TICKS[ordered ? "reliable" : "datagram"]) {
      return;
    }
    this.#awaitedPing = undefined;
    this.#newestCommandTick = this.#newestAnnounced(target);
    this.#options.datagramSender()?.rewind();
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
    if (!this.#options.ordered) this.#options.datagramSender()?.confirm(this.#options);
  }

  #issueCommands(
    seat: SeatId,
    { target, leadMsOf, tooLateTick }: {
      target: Tick;
      leadMsOf: (tick: Tick) => number;
      tooLateTick: Tick;
    },
  ): void {
    const {
      predictor,
      reconciler: { received, acknowledged, firstOwnTick },
      ordered,
      commandSource,
      stats,
    } = this.#options;

    // `tooLateTick` is only an estimate. The command for `target` is always issued, because the
    // server must receive something.
    const firstTick = Math.max(
      this.#newestCommandTick,
      target - COMMANDS_PER_ADVANCE_MAX,
      Math.min(tooLateTick, target - 1),
    ) + 1;

    for (let tick = firstTick; tick <= target; tick++) {
      // Skip definitive ticks, and ticks whose command is announced: a bot flew for the player
      // while they were away.
      if (
        tick <= received || tick < firstOwnTick || predictor.announcedAt(tick, seat) !== undefined
      ) continue;

      this.#resumeCounters();
      const command = this.#issued = predictor.setLocalCommand(
        tick,
        commandSource.next(tick, acknowledged),
      );

      const leadMs = leadMsOf(tick);
      stats.commandsSent++;
      stats.leadMsSum += leadMs;
      if (ordered) this.#send(tick, command, leadMs);
    }
  }

  #send(tick: Tick, command: Command, leadMs: number): void {
    const { reconciler: { received, isDesynced, bodyStreamRequest }, piggybackPing, send } =
      this.#options;
    if (isDesynced) this.#desyncReportedAt = received;
    send({
      type: "command",
      tick,
      command,
      leadMs,
      received,
      isDesynced,
      bodyStreamRequest,
      ping: piggybackPing(),
    });
  }

  /** An NPC has given the seat's last commands, and has pressed. */
  #resumeCounters(): void {
    const { reconciler: { npcUntil, own }, commandSource } = this.#options;
    if (npcUntil <= this.#resumedAfter) return;
    this.#resumedAfter = npcUntil;
    this.#heardAtTick = Infinity;
    commandSource.resume?.(own);
  }

  /**
   * While an NPC plays, the server gets a command that does not count: the newest own one, with
   * what the player has pressed since. When it differs from the one before, the server hands the
   * seat back. The NPC's announced commands stay in force.
   * @returns undefined if this client gives the command of `target`
   */
  #signOfLife(target: Tick): Command | undefined {
    const { reconciler: { received, npcUntil, firstOwnTick, acknowledged }, commandSource } =
      this.#options;
    if (target < firstOwnTick || npcUntil <= Math.max(received, this.#resumedAfter)) {
      return undefined;
    }
    const newest = this.#issued ??= acknowledged;
    const command = commandSource.peek?.(newest) ?? commandSource.next(target, newest);
    // An announcement of the NPC may be late. Only when the server has heard of a key is the next
    // tick this client's.
    return target > npcUntil && this.#heardAtTick <= received ? undefined : command;
  }

  /**
   * A sign that is sent when the clock has reached `target` is heard before the server runs that
   * tick.
   */
  #noteSign(sign: Command, { tick, target }: { tick: Tick; target: Tick }): void {
    const { game } = this.#options;
    const newest = this.#issued;
    this.#signTick = tick;
    if (newest !== undefined && game.command.same(sign, newest)) return;
    this.#heardAtTick = Math.min(this.#heardAtTick, target);
  }

  /**
   * On a reliable link: reports a desync or requests a state at once, and again with each received
   * tick. Needed when no command can carry the report: for spectators, and for clients whose clock
   * lags the received ticks.
   */
  #reportDesync(): void {
    const { seat, reconciler: { received, isDesynced, bodyStreamRequest }, ordered, send } =
      this.#options;

    // A player's commands carry the request, so only a spectator reports it.
    const isProbing = seat === undefined && bodyStreamRequest === "state";
    if (!ordered || !(isDesynced || isProbing) || received <= this.#desyncReportedAt) return;
    this.#desyncReportedAt = received;
    send({ type: "report", received, bodyStreamRequest });
  }
}
