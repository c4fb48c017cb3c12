/**
 * Sends commands by datagram. Each datagram repeats earlier commands: on a clean connection one,
 * otherwise all that the server lacks. Copies follow as losses demand (`copy_law.ts`).
 */
import type { Game, SeatId, Tick } from "../../../shared/netcode/game.ts";
import { isKept } from "../../../shared/netcode/wire/uplink/datagram_history.ts";
import {
  type Arrivals,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
} from "../../../shared/netcode/wire/messages.ts";
import { CopyLaw } from "./copy_law.ts";
import type { Predictor } from "../predictor.ts";
import type { Reconciler } from "../reconciler.ts";
import { SentDatagrams } from "./sent_datagrams.ts";
import type { DatagramStats } from "./datagram_stats.ts";

/**
 * For how many ticks a change is recent, unless it is announced earlier. Loss bursts are shorter.
 */
const RECENT_CHANGE_TICKS = 3;
/** A datagram reports the same lead as its reference if its own differs by at most this much. */
const LEAD_TOLERANCE_MS = 0.3;
const LEAD_TOLERANCE_SHARE = 0.065;
const LEAD_TOLERANCE_MS_MAX = 4;
/**
 * After this many received ticks a datagram confirms them if no command does, to keep the server's
 * datagrams short.
 */
const CONFIRM_TICKS = 4;

/** The match that commands are sent for. */
interface SentMatch<Command> {
  readonly game: Pick<Game<Command>, "command">;
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  readonly predictor: Pick<Predictor<Command>, "localCommandAt" | "announcedAt">;
  readonly reconciler: Pick<
    Reconciler<Command>,
    "received" | "isDesynced" | "bodyStreamRequest" | "bodiesAck"
  >;
}

interface DatagramSenderOptions<Command> {
  readonly tickMs: number;
  readonly stats: DatagramStats;
  readonly send: (message: CommandsMessage<Command>) => void;
}

export class DatagramSender<Command> {
  readonly #options: DatagramSenderOptions<Command>;
  readonly #sentDatagrams = new SentDatagrams();
  readonly #copyLaw: CopyLaw;
  /** The newest received tick that a datagram confirmed to the server. */
  #confirmedTick: Tick = -CONFIRM_TICKS;
  /**
   * The newest datagram. Its copies carry the same bytes, so it does not matter which one arrives.
   */
  #datagram: CommandsMessage<Command> | undefined;
  #repeatsLeft = 0;
  #repeatMs = 0;
  /** When to repeat the newest datagram, ms on the clock; Infinity if never. */
  nextRepeatMs = Infinity;

  constructor(options: DatagramSenderOptions<Command>) {
    this.#options = options;
    this.#copyLaw = new CopyLaw(options.tickMs);
  }

  /** Begins anew on another path, where earlier measurements and datagrams do not count. */
  reset(): void {
    this.#sentDatagrams.reset();
    this.#copyLaw.reset();
    this.#confirmedTick = -CONFIRM_TICKS;
    this.#datagram = undefined;
    this.#repeatsLeft = 0;
    this.nextRepeatMs = Infinity;
  }

  /**
   * Call it when the clock jumped back, so that ticks that were already sent get other commands.
   */
  rewind(): void {
    this.#sentDatagrams.rewind();
  }

  /**
   * Takes the server's report on which datagrams arrived.
   * @param slackMs the newest command's slack
   */
  acknowledge(arrivals: Arrivals, slackMs: number): void {
    const leadMs = this.#sentDatagrams.merge(arrivals);
    if (leadMs !== undefined) {
      this.#copyLaw.observeArrival(leadMs - slackMs, this.#sentDatagrams.takeOvertaken());
    }
  }

  /**
   * Sends a tick's datagram, just after its command was issued.
   * @param options.leadMs the lead to report
   * @param options.sign a command to send instead of issued ones, which cannot count
   */
  send(
    match: SentMatch<Command>,
    { tick, leadMs, nowMs, sign }: {
      tick: Tick;
      leadMs: number;
      nowMs: number;
      sign?: Command | undefined;
    },
  ): void {
    const { received } = match.reconciler;
    this.#measureLosses(match);
    this.#confirmedTick = received;
    const commands = sign !== undefined
      ? { commands: [sign], leadMs }
      : this.#shortDatagram(match, { tick, leadMs }) ??
        { commands: unannouncedCommands(match, tick), leadMs };
    this.#datagram = { ...reportOf(match), tick, ...commands };
    this.#transmit(this.#datagram);
    this.#repeatsLeft = this.#copiesOf(match, tick);
    this.#repeatMs = this.#copyLaw.spacingMs(this.#repeatsLeft);
    this.#scheduleRepeat(nowMs);
  }

  /** Sends a copy of the newest datagram if one is due. */
  repeat(match: SentMatch<Command>, nowMs: number): void {
    this.#measureLosses(match);
    if (nowMs < this.nextRepeatMs) return;
    this.#repeatsLeft--;
    this.#scheduleRepeat(nowMs);
    this.#options.stats.upCopies++;
    this.#transmit(this.#datagram!);
  }

  /** Confirms the received ticks if no datagram with commands did so for long. */
  confirm(match: SentMatch<Command>): void {
    const { received } = match.reconciler;
    if (received < 0 || received < this.#confirmedTick + CONFIRM_TICKS) return;
    this.#confirmedTick = received;
    this.#options.send({ ...reportOf(match), tick: received, leadMs: 0, commands: [] });
  }

  #transmit(datagram: CommandsMessage<Command>): void {
    if (isKept(datagram)) this.#sentDatagrams.record(datagram.tick, datagram.leadMs);
    if (datagram.commands.length > 0) this.#options.stats.up++;
    this.#options.send(datagram);
  }

  #scheduleRepeat(nowMs: number): void {
    this.nextRepeatMs = this.#repeatsLeft > 0 ? nowMs + this.#repeatMs : Infinity;
  }

  /** How many copies follow the datagram for `tick`, which was just sent. */
  #copiesOf(match: SentMatch<Command>, tick: Tick): number {
    if (this.#datagram === undefined || this.#datagram.commands.length === 0) return 0;
    const { changed, unchanged } = this.#copyLaw.plan;
    return isRecentChange(match, tick) ? changed : unchanged;
  }

  #measureLosses({ predictor, seat }: SentMatch<Command>): void {
    const { stats } = this.#options;
    this.#sentDatagrams.takeOutcomes(({ tick, sent, lost, isRead }) => {
      // Datagrams that could not be read came too early or too late for others, so they helped no
      // more than lost ones.
      this.#copyLaw.observe({ sent, lost: isRead ? lost : sent });
      stats.upJudged += sent;
      stats.upLost += lost;
      if (lost === sent && predictor.announcedAt(tick, seat!) !== undefined) stats.commandsSaved++;
    });
  }

  /**
   * Collects the commands for a datagram that is coded against earlier ones. On a clean connection
   * it continues the datagram before the last one, which the server will have received; otherwise
   * the newest one that the server read.
   * @returns undefined if that is not possible
   */
  #shortDatagram(
    match: SentMatch<Command>,
    { tick, leadMs }: { tick: Tick; leadMs: number },
  ): Pick<CommandsMessage<Command>, "commands" | "reference" | "leadMs"> | undefined {
    const sent = this.#sentDatagrams;
    const { isShort, reachesBack } = this.#copyLaw.plan;
    const reference = isShort ? sent.referenceFor(tick) : undefined;
    const before = reachesBack ? sent.newestRead : sent.newestLikelyRead;
    const commands = reference === undefined || before < 0
      ? undefined
      : commandsAfter(before, tick, match);
    if (reference === undefined || commands === undefined) return undefined;
    const toleranceMs = Math.min(
      LEAD_TOLERANCE_MS_MAX,
      LEAD_TOLERANCE_MS + LEAD_TOLERANCE_SHARE * leadMs,
    );
    const isNear = Math.abs(leadMs - reference.leadMs) <= toleranceMs;
    return { commands, reference: reference.tick, leadMs: isNear ? reference.leadMs : leadMs };
  }
}

/** Returns what each datagram reports about the client. */
function reportOf<Command>({ reconciler }: SentMatch<Command>) {
  const { received, isDesynced, bodyStreamRequest, bodiesAck } = reconciler;
  return { type: "commands", received, isDesynced, bodyStreamRequest, bodiesAck } as const;
}

/**
 * Whether the server may assume a wrong command for `tick` if this one is lost. That is so if the
 * command changed within the last ticks and the server has announced none since the change. A loss
 * burst may swallow the change, so the commands that repeat it count, too.
 */
function isRecentChange<Command>(
  { predictor, game, seat }: SentMatch<Command>,
  tick: Tick,
): boolean {
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
 * Collects the local commands for the ticks after `before` up to `newest`, newest first; undefined
 * if one is missing.
 */
function commandsAfter<Command>(
  before: Tick,
  newest: Tick,
  { predictor }: SentMatch<Command>,
): Command[] | undefined {
  const commands: Command[] = [];
  if (newest - before > DATAGRAM_TICKS_MAX) return undefined;
  for (let tick = newest; tick > before; tick--) {
    const command = predictor.localCommandAt(tick);
    if (command === undefined) return undefined;
    commands.push(command);
  }
  return commands;
}

/** Collects the local commands up to `newest` that the server may lack, newest first. */
function unannouncedCommands<Command>(
  { seat, predictor, reconciler: { received } }: SentMatch<Command>,
  newest: Tick,
): Command[] {
  const commands: Command[] = [];
  if (seat === undefined) return commands;
  for (let tick = newest; tick > received && commands.length < DATAGRAM_TICKS_MAX; tick--) {
    const command = predictor.localCommandAt(tick);
    if (command === undefined || predictor.announcedAt(tick, seat) !== undefined) break;
    commands.push(command);
  }
  return commands;
}
