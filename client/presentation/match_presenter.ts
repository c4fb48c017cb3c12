/**
 * One match as a page plays it: the session, and everything that a frame needs around it. It uses
 * neither DOM nor timers and works for every game: `game` steps and `view` composes frames.
 */
import {
  type Game,
  PLAYER_SEATS,
  type SeatId,
  type Simulation,
  type Tick,
} from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { tapLink } from "../net/link_tap.ts";
import { Extrapolator } from "../session/extrapolator.ts";
import { type CommandSource, Session, type SessionOptions } from "../session/session.ts";
import type { PosePair } from "../session/session_poses.ts";
import { ErrorSmoother } from "./error_smoother.ts";
import { type EventKinds, isCertain } from "./event_certainty.ts";
import { EventReconciler } from "./event_reconciler.ts";
import { OwnScore } from "./own_score.ts";
import { PoseInterpolator } from "./pose_interpolator.ts";
import { SecondSimulation } from "./second_simulation.ts";
import { type Happening, Settlement } from "./settlement.ts";
import type { Telemetry } from "./telemetry.ts";
import type { FrameComposer, FrameParts, GameStatus, Round, Score, View } from "./view.ts";

/** What a match needs from a game's view: everything that neither draws nor sounds. */
export type PresentedView<Command, Sim extends Simulation<Command>, Frame> = Pick<
  View<Command, Sim, Frame>,
  "isConfirmedOnly" | "answersKey" | "reach" | "composer" | "status" | "touchingIds"
>;

/** A game with its view, and with its body stream if there is one. */
export interface PlayableGame<
  Command,
  Sim extends Simulation<Command>,
  Frame,
  Shown extends PresentedView<Command, Sim, Frame> = PresentedView<Command, Sim, Frame>,
> {
  readonly game: Game<Command, Sim>;
  readonly view: Shown;
  readonly bodyStream: SessionOptions<Command, Sim>["bodyStream"];
  readonly datagramSupport?: SessionOptions<Command, Sim>["datagramSupport"];
}

export interface MatchPresenterOptions<Command> extends
  Pick<
    SessionOptions<Command>,
    "link" | "clock" | "room" | "name" | "commandSource" | "spectate" | "resume"
  >,
  Pick<SessionOptions<Command>, "inputDelay" | "choices" | "isAway" | "patience"> {
  readonly telemetry: Telemetry;
}

/** What the hash checks of one connection have found, as counts since it began. */
export interface Proof {
  /** Definitive ticks in which this page's world had the server's hash. */
  readonly ticks: number;
  /** Definitive ticks in which it had another one; the server's state then took its place. */
  readonly differences: number;
  readonly rollbacks: number;
}

/** The words and numbers around the canvas. */
export interface HudValues {
  readonly room: string;
  /** Round trip, ms. */
  readonly pingMs: number;
  /** As the view gives it, for the newest definitive tick; undefined before the first state. */
  readonly status?: GameStatus | undefined;
  /** The best first. */
  readonly scores: readonly Score[];
  /** Undefined for a game without rounds, and before the first state. */
  readonly round: Round | undefined;
  /** Whether the own player asked for the next round. */
  readonly ready: boolean;
  readonly isSpectating: boolean;
  /** One sentence about the connection; empty while it works. */
  readonly notice: string;
  /** Undefined where nothing is proven: in a replay, and on the body stream. */
  readonly proof?: Proof | undefined;
}

export class MatchPresenter<Command, Sim extends Simulation<Command>, Frame> {
  readonly session: Session<Command, Sim>;
  readonly #isSameCommand: (a: Command, b: Command) => boolean;
  readonly #view: PresentedView<Command, Sim, Frame>;
  readonly #clock: Clock;
  /** `Game.id`. */
  readonly gameId: string;
  readonly #room: string;
  readonly #telemetry: Telemetry;
  readonly #smoother: ErrorSmoother;
  readonly #interpolator: PoseInterpolator;
  readonly #events: EventReconciler;
  readonly #settlement: Settlement;
  readonly #ownScore = new OwnScore();
  /** Undefined for a spectator, who sees definitive ticks. */
  #extrapolator: Extrapolator<Command, Sim> | undefined;
  /** Steps so far, resimulated ones included. While the number stays, so does the head's state. */
  #steps = 0;
  #composer: FrameComposer<Sim, Frame> | undefined;
  #frameParts: FrameParts<Sim> | undefined;
  #drawnMs: number;
  #advancedMs: number;
  #newestDefinitive = { tick: -1, atMs: 0 };
  /** Second simulations, each at a tick before the head that a frame or the overlay needs. */
  readonly #definitive: SecondSimulation<Command, Sim>;
  readonly #settled: SecondSimulation<Command, Sim>;

  constructor(
    { game, view, bodyStream, datagramSupport }: PlayableGame<Command, Sim, Frame>,
    { telemetry, link, ...options }: MatchPresenterOptions<Command>,
  ) {
    this.#isSameCommand = game.command.same;
    this.#view = view;
    this.#clock = options.clock;
    this.gameId = game.id;
    this.#room = options.room;
    this.#telemetry = telemetry;

    // How bodies and events are shown
    this.#smoother = new ErrorSmoother(game.tickHz);
    this.#interpolator = new PoseInterpolator(this.#smoother);
    const kinds: EventKinds = {
      isConfirmedOnly: (kind, seat) => view.isConfirmedOnly(kind, seat),
      answersKey: (kind) => view.answersKey?.(kind) ?? true,
    };
    this.#events = new EventReconciler((event, moment) => isCertain(event, moment, kinds));

    this.#drawnMs = this.#advancedMs = this.#newestDefinitive.atMs = options.clock.now();
    telemetry.restart();

    // The session, which telemetry observes
    this.session = new Session({
      game,
      bodyStream,
      datagramSupport,
      ...options,
      link: tapLink(link, telemetry),
      commandSource: observedSource(
        options.commandSource,
        (tick) => telemetry.flight.onCommand(tick, this.#clock.now()),
      ),
      onEvents: (events, tick) => {
        this.#steps++;
        telemetry.flight.onStep(this.session, tick);
        const poses = this.session.poses.head;
        this.#events.record(events, { tick, poses });
        this.#settlement.record(tick, poses);
        this.#recordOwnScore(tick);
      },
      onMistake: (mistake) => reportError(mistake),
    });
    this.#settlement = new Settlement(this.session, game.tickHz);
    this.#definitive = new SecondSimulation(this.session);
    this.#settled = new SecondSimulation(this.session);
  }

  #recordOwnScore(tick: Tick): void {
    const { seat, simulation, names } = this.session;
    if (seat < 0 || simulation === undefined) return;
    const { scores } = this.#view.status(simulation, { names, ownSeat: seat });
    const own = scores.find((score) => score.seat === seat);
    if (own !== undefined) this.#ownScore.record(tick, own.score);
  }

  /** The own points that are certain, which may be ahead of the settled tick. */
  get #certainScore(): number | undefined {
    const { seat, head } = this.session;
    if (seat < 0) return undefined;
    return this.#ownScore.at({
      head,
      settledTick: this.#settlement.tick,
      isCertain: (tick) =>
        this.#events.isSettledFor(seat, tick, (kind, of) => this.#view.isConfirmedOnly(kind, of)),
    });
  }

  /** Does everything but the frame. */
  advance(): void {
    const beganMs = this.#advancedMs = this.#clock.now();
    this.session.advance();
    const nowMs = this.#clock.now();
    this.#telemetry.onAdvanced(this.session, nowMs - beganMs);
    this.#telemetry.flight.onAdvanced(this.session, beganMs);
    const { definitiveTick } = this.session;
    if (definitiveTick !== this.#newestDefinitive.tick) {
      this.#newestDefinitive = { tick: definitiveTick, atMs: nowMs };
    }
  }

  /** Time since the newest definitive tick arrived, ms. */
  get silentMs(): number {
    return this.#clock.now() - this.#newestDefinitive.atMs;
  }

  get room(): string {
    return this.#room;
  }

  /**
   * Writes the poses at the newest definitive tick before the head.
   * @returns false while there is none
   */
  definitivePoses(out: PoseList): boolean {
    const simulation = this.#definitive.at(this.session.definitiveTick);
    simulation?.poses(out);
    return simulation !== undefined;
  }

  /** Chooses the simulation that outcomes are read from. A spectator's head is settled. */
  #settledOf(simulation: Sim): Sim {
    if (this.session.seat < 0) return simulation;
    return this.#settled.at(this.#settlement.tick) ?? simulation;
  }

  /** Lists the entities that touch this one at the head; none if the view does not offer them. */
  touchingIds(entity: number): readonly number[] {
    const { simulation } = this.session;
    return simulation === undefined ? [] : this.#view.touchingIds?.(simulation, entity) ?? [];
  }

  /** Whether the player has a seat, but no body in the arena yet. */
  get isWaitingForBody(): boolean {
    const { phase, seat, poses } = this.session;
    return phase === "playing" && seat >= 0 && poses.head.findBySeat(seat) === undefined;
  }

  /** The newest frame's inputs; valid until the next one. */
  get frameParts(): FrameParts<Sim> | undefined {
    return this.#frameParts;
  }

  /** Composes the frame for this moment; undefined before the first state. */
  composeFrame(): Frame | undefined {
    const { simulation, seat, names, head, definitiveTick, isInSync } = this.session;

    // The frame shows the moment of the last `advance`, so that a long rollback since then does not
    // decay the offsets.
    this.#smoother.decay(this.#advancedMs - this.#drawnMs);
    this.#drawnMs = this.#advancedMs;

    if (simulation === undefined || this.session.phase === "joining") return undefined;
    this.#composer ??= this.#view.composer(simulation);

    // Where bodies are drawn, and which events are new
    const fraction = this.session.fraction();
    const poses = this.#segmentAt(fraction);
    const smoother = this.#smoother;
    const events = this.#events.collectChanges({
      head,
      definitive: isInSync ? definitiveTick : -1,
      isSettled: this.#isSettled,
      ownSeat: seat,
      guessedTicks: this.#guessedTicks,
    });

    this.#telemetry.flight.onFrame(this.#advancedMs, {
      poses: poses.head,
      smoother,
      retracted: events.retracted,
    });

    // The frame
    this.#frameParts = {
      atMs: this.#advancedMs,
      simulation,
      definitive: this.#settledOf(simulation),
      poses,
      names,
      smoother,
      ownSeat: seat,
      ownScore: this.#certainScore,
      fraction,
      events,
      extrapolated: this.#extrapolator?.simulation,
      guessedTicks: this.#guessedTicks,
    };
    return this.#composer.compose(this.#frameParts);
  }

  readonly #isSettled = (event: Happening): boolean => {
    const { simulation } = this.session;
    return simulation !== undefined &&
      this.#settlement.isSettled(event, this.#view.reach?.(simulation));
  };

  /** Counts the ticks, up to the head, since this seat's command was last known or definitive. */
  readonly #guessedTicks = (seat: SeatId): number => {
    const { session } = this;
    const { head, definitiveTick } = session;
    let known = head;
    while (known > definitiveTick && !session.isKnown(known, seat)) known--;
    return head - known;
  };

  /**
   * Finds the segment that the frame lies on: one tick from the head onwards, or for a spectator
   * the tick up to the head.
   */
  #segmentAt(fraction: number): PosePair {
    const { session } = this;
    const { poses, head: tick } = session;
    if (session.seat < 0) return poses;
    this.#extrapolator ??= new Extrapolator(session.newSimulation(), this.#isSameCommand);
    this.#extrapolator.update(session, this.#steps + session.stats.statesAdopted);
    return this.#interpolator.update({
      tick,
      seat: session.seat,
      ...poses,
      ahead: this.#extrapolator.poses,
    }, fraction);
  }

  /** @param notice one sentence about the connection, or none */
  hud(notice: string): HudValues {
    const { pingMs, simulation, seat, names } = this.session;
    const options = { names, ownSeat: seat };
    const statusOf = (shown: Sim | undefined) => shown && this.#view.status(shown, options);
    const status = statusOf(simulation && this.#settledOf(simulation));
    return {
      room: this.#room,
      pingMs,
      status,
      scores: sortedScores(status?.scores ?? [], seat, this.#certainScore),
      round: status?.round,
      // Read from the prediction, because it answers an own key, unlike scores, which must never be
      // taken back.
      ready: statusOf(simulation)?.ready ?? false,
      isSpectating: this.session.phase === "playing" && seat < 0,
      notice,
      proof: this.proof,
    };
  }

  /** Undefined on the body stream: the server says where bodies are, and this page proves nothing. */
  get proof(): Proof | undefined {
    const { stats, isOnBodyStream } = this.session;
    if (isOnBodyStream) return undefined;
    return {
      ticks: stats.ticksProven,
      differences: stats.desyncs,
      rollbacks: stats.rollbacks,
    };
  }
}

/** Wraps a command source with a call for each tick that gets a command. */
function observedSource<Command>(
  source: CommandSource<Command>,
  onIssued: (tick: Tick) => void,
): CommandSource<Command> {
  const next = (tick: Tick, acknowledged: Command | undefined) => {
    onIssued(tick);
    return source.next(tick, acknowledged);
  };
  const resume = (own: Command | undefined) => source.resume?.(own);
  return source.peek === undefined
    ? { next, resume }
    : { next, resume, peek: (acknowledged) => source.peek!(acknowledged) };
}

/**
 * The best first, and the lowest seat of equals.
 * @param ownScore the own points, if more are certain than those of the scores' tick
 */
export function sortedScores(
  scores: readonly Omit<Score, "own">[],
  ownSeat: SeatId,
  ownScore = -Infinity,
): Score[] {
  const withGain = (score: Omit<Score, "own">) => {
    const gain = Math.max(0, ownScore - score.score);
    const { total } = score;
    return {
      ...score,
      own: true,
      score: score.score + gain,
      ...total !== undefined && { total: total + gain },
    };
  };
  return scores
    .map((score) => score.seat === ownSeat ? withGain(score) : { ...score, own: false })
    .sort((a, b) => b.score - a.score || a.seat - b.seat);
}

/** Chooses a seat's name: the player's own, or else the game's. */
export function displayName(
  seat: SeatId,
  names: ReadonlyMap<SeatId, string>,
  nameless: { readonly npc: () => string; readonly player: string },
): string {
  return names.get(seat) || (seat >= PLAYER_SEATS ? nameless.npc() : nameless.player);
}
