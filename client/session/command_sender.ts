/**
 * Sends one command for each tick of the local clock, even while the client is desynced, so that
 * the seat's input never pauses on the server.
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
 * The most commands that one `advance` issues after the page slept. A lead beyond this would not be
 * playable.
 */
const COMMANDS_PER_ADVANCE_MAX = DATAGRAM_TICKS_MAX;
/**
 * After the tick in which it answers a ping, the server takes at most this many ticks to announce
 * all commands that were sent before that ping. On a reliable link one tick may still be on its way
 * to the log. Datagrams overtake each other by up to a second at 20 Hz, the tail of a bad
 * connection.
 */
const ANNOUNCED_AFTER_TICKS = { reliable: 2, datagram: 20 } as const;

export interface CommandSenderOptions<Command> {
  readonly game: Pick<Game<Command>, "command" | "tickHz">;
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Whether commands go by the reliable channel now, which changes with a datagram path. */
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
  /** Sends a separate ping as soon as possible. @returns its number */
  readonly requestPing: () => number;
  /** Whether this ping or a later one is answered. */
  readonly isAnswered: (number: number) => boolean;
  readonly send: (message: CommandMessage<Command> | Report) => void;
}

export class CommandSender<Command> {
  readonly #options: CommandSenderOptions<Command>;
  /** The tick of the local clock. */
  #target: Tick = -1;
  /** The newest tick with an issued command. */
  #newestCommandTick: Tick = -1;
  /**
   * On a reliable link: the newest received tick when this client last reported a desync or
   * requested a state.
   */
  #desyncReportedAt: Tick = -1;
  /**
   * After a jump back: the ping that, once answered, shows that the server received all earlier
   * commands; otherwise undefined.
   */
  #awaitedPing: number | undefined;
  /** The received tick when that answer came; undefined before. */
  #answeredAt: Tick | undefined;
  /** The newest issued command. */
  #issued: Command | undefined;
  /** The newest tick with a sign of life. */
  #signTick: Tick = -1;
  /** The tick that shows, once received, that the server heard of a key; Infinity before one. */
  #heardAtTick: Tick = Infinity;
  /**
   * Up to which tick an NPC had given the commands when the press counters last continued from
   * them.
   */
  #resumedAfter: Tick = -1;

  constructor(options: CommandSenderOptions<Command>) {
    this.#options = options;
  }

  /** Starts with the tick after this one. */
  begin(tick: Tick): void {
    this.#newestCommandTick = this.#target = tick;
  }

  /**
   * Sends everything that is due when the local clock has reached `target`.
   * @param options.leadMsOf the lead to report with a command for a tick that is sent now
   * @param options.tooLateTick the newest tick that the server will have run before a message sent
   * now can arrive. After a pause, it and the ticks before it get no command.
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

  /**
   * Issues and sends the commands up to a tick. While an NPC plays, sends a sign of life instead.
   */
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

    // While the player cannot see the match, an NPC plays, but only once the player has entered,
    // because before that there is no body to play with.
    const isPlayed = seat !== undefined &&
      !(reconciler.acknowledged !== undefined && isAway?.() === true);
    const command = isPlayed ? this.#signOfLife(target) : undefined;
    if (command === undefined && isPlayed) {
      this.#issueCommands(seat, { target, leadMsOf, tooLateTick });
    }

    // A tick must not get two different commands, so the sign goes to a tick with an announced
    // command, where it cannot count.
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
   * Notices when the clock jumped back. Then commands for ticks that come again are in transit, and
   * the server takes those that are not too far ahead of it when they arrive. A newer command for
   * an earlier tick would make their presses count again, so this client issues none for these
   * ticks until the server has announced what it took.
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

  /** Finds the newest tick with an announced own command, but at least the tick before `target`. */
  #newestAnnounced(target: Tick): Tick {
    const { seat, predictor, reconciler: { received } } = this.#options;
    if (seat === undefined) return target - 1;
    let tick = Math.min(this.#newestCommandTick, received + COMMANDS_AHEAD_TICKS_MAX);
    while (tick >= target && predictor.announcedAt(tick, seat) === undefined) tick--;
    return Math.max(tick, target - 1);
  }

  /** On a datagram link: confirms the received ticks if no command did so for long. */
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

    // `tooLateTick` is only an estimate, so the command for `target` is always issued, because the
    // server must receive something.
    const firstTick = Math.max(
      this.#newestCommandTick,
      target - COMMANDS_PER_ADVANCE_MAX,
      Math.min(tooLateTick, target - 1),
    ) + 1;

    for (let tick = firstTick; tick <= target; tick++) {
      // Skip definitive ticks, and ticks with an announced command, because a bot flew for the
      // player while they were away.
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

  /** Lets press counters continue after an NPC's commands, because the NPC pressed, too. */
  #resumeCounters(): void {
    const { reconciler: { npcUntil, own }, commandSource } = this.#options;
    if (npcUntil <= this.#resumedAfter) return;
    this.#resumedAfter = npcUntil;
    this.#heardAtTick = Infinity;
    commandSource.resume?.(own);
  }

  /**
   * While an NPC plays, this client sends a command that does not count: its newest own one, with
   * what the player pressed since. When it differs from the one before, the server hands the seat
   * back. The NPC's announced commands stay in force.
   * @returns undefined if this client gives the command for `target`
   */
  #signOfLife(target: Tick): Command | undefined {
    const { reconciler: { received, npcUntil, firstOwnTick, acknowledged }, commandSource } =
      this.#options;
    if (target < firstOwnTick || npcUntil <= Math.max(received, this.#resumedAfter)) {
      return undefined;
    }
    const newest = this.#issued ??= acknowledged;
    const command = commandSource.peek?.(newest) ?? commandSource.next(target, newest);
    // The NPC's announcement may be late, so the next tick belongs to this client only once the
    // server heard of a key.
    return target > npcUntil && this.#heardAtTick <= received ? undefined : command;
  }

  /**
   * Notes a sign that is sent when the clock reaches `target`. The server hears it before it runs
   * that tick.
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
   * tick. Spectators need it, and clients with a clock that lags the received ticks, because no
   * command can carry their report.
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
