/** One match as a page plays it: the session with what a picture needs around it. No DOM, no timers. */
import type { DragonCommand } from "../../shared/games/dragons/command.ts";
import { streamedDragonGame as dragonGame } from "../../shared/games/dragons/body_stream.ts";
import type { DragonSimulation } from "../../shared/games/dragons/simulation.ts";
import { PLAYER_SEATS, type PoseList } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { PoseInterpolator } from "./pose_interpolator.ts";
import { EventReconciler } from "./event_reconciler.ts";
import { tapLink } from "../net/link_tap.ts";
import { Extrapolator } from "../session/extrapolator.ts";
import type { HudValues, RenderScene } from "../games/dragons/scene.ts";
import { Session, type SessionOptions } from "../session/session.ts";
import { ErrorSmoother, type PosePair } from "./error_smoother.ts";
import { nameOf, SceneBuilder } from "../games/dragons/scene_builder.ts";
import { bodyStreamSupport } from "../session/stream_kit.ts";
import type { Telemetry } from "./telemetry.ts";

/** What a page needs to be on the state stream. */
export const DRAGON_BODY_STREAM = bodyStreamSupport(dragonGame);

export interface MatchPresenterOptions
  extends
    Pick<SessionOptions<DragonCommand>, "link" | "clock" | "room" | "name" | "commandSource" | "spectate" | "resume"> {
  readonly telemetry: Telemetry;
}

/** Deaths, and what counts: nobody is told of them before they are certain. */
const CONFIRMED_ONLY_KINDS: ReadonlySet<string> = new Set(["joust", "take", "round", "start"]);

export class MatchPresenter {
  readonly session: Session<DragonCommand, DragonSimulation>;
  readonly #clock: Clock;
  readonly #room: string;
  readonly #telemetry: Telemetry;
  readonly #smoother = new ErrorSmoother();
  readonly #interpolator = new PoseInterpolator(this.#smoother);
  readonly #events = new EventReconciler((kind) => CONFIRMED_ONLY_KINDS.has(kind));
  /** Undefined for a watcher, who sees what is definitive and has no hand. */
  #extrapolator: Extrapolator<DragonCommand, DragonSimulation> | undefined;
  /** Steps made, also of resimulations: while it is the same, so is the head. */
  #steps = 0;
  #sceneBuilder: SceneBuilder | undefined;
  #drawnMs: number;
  #advancedMs: number;
  #newestDefinitive = { tick: -1, atMs: 0 };
  /** A second simulation, only for looking at the past: made when somebody first wants to. */
  #authoritative: DragonSimulation | undefined;
  readonly #authoritativeState = new Snapshot(0);
  #authoritativeTick = -1;

  constructor({ telemetry, link, ...options }: MatchPresenterOptions) {
    this.#clock = options.clock;
    this.#room = options.room;
    this.#telemetry = telemetry;
    this.#drawnMs = this.#advancedMs = this.#newestDefinitive.atMs = options.clock.now();
    telemetry.restart();
    this.session = new Session({
      game: dragonGame,
      bodyStream: DRAGON_BODY_STREAM,
      ...options,
      link: tapLink(link, telemetry),
      onEvents: (events, tick) => {
        this.#steps++;
        this.#events.record(events, { tick, poses: this.session.poses.head });
      },
    });
  }

  /** Everything but the picture. */
  advance(): void {
    const beganMs = this.#advancedMs = this.#clock.now();
    this.session.advance();
    const nowMs = this.#clock.now();
    this.#telemetry.onAdvanced(this.session, nowMs - beganMs);
    const { definitiveTick } = this.session;
    if (definitiveTick !== this.#newestDefinitive.tick) this.#newestDefinitive = { tick: definitiveTick, atMs: nowMs };
  }

  /** Since anything definitive came, ms. */
  get silentMs(): number {
    return this.#clock.now() - this.#newestDefinitive.atMs;
  }

  get room(): string {
    return this.#room;
  }

  /** Where everything was at the newest definitive tick that is predicted here, too. @returns false while there is none */
  definitivePoses(out: PoseList): boolean {
    const { session } = this;
    const tick = Math.min(session.definitiveTick, session.head - 1);
    if (tick !== this.#authoritativeTick) {
      if (!session.copyState(tick, this.#authoritativeState)) return false;
      this.#authoritativeTick = tick;
      this.#authoritative ??= dragonGame.start({ npcs: 0 }, 0);
      this.#authoritative.load(this.#authoritativeState);
    }
    this.#authoritative?.poses(out);
    return this.#authoritative !== undefined;
  }

  /** Our seat is taken, and its dragon is not in the arena yet. */
  get isWaitingForDragon(): boolean {
    const { phase, seat, simulation } = this.session;
    return phase === "playing" && seat >= 0 && simulation?.dragonOfSeat(seat) === undefined;
  }

  /** The picture of this moment; undefined before the first state. */
  composeFrame(): RenderScene | undefined {
    const { simulation, seat, names, head, definitiveTick, isInSync } = this.session;
    // Of the moment that the session has advanced to: a long rollback since is no time in which an offset may decay.
    this.#smoother.decay(this.#advancedMs - this.#drawnMs);
    this.#drawnMs = this.#advancedMs;
    if (simulation === undefined || this.session.phase === "joining") return undefined;
    this.#sceneBuilder ??= new SceneBuilder(simulation);
    const fraction = this.session.fraction();
    return this.#sceneBuilder.compose({
      atMs: this.#advancedMs,
      simulation,
      poses: this.#segmentAt(fraction),
      names,
      smoother: this.#smoother,
      ownSeat: seat,
      fraction,
      effects: this.#events.collectChanges({ head, definitive: isInSync ? definitiveTick : -1 }),
      extrapolated: this.#extrapolator?.simulation,
    });
  }

  /** What the picture lies on: the way from the head to a tick after it, for a watcher from the tick before the head. */
  #segmentAt(fraction: number): PosePair {
    const { session } = this, { poses, head: tick } = session;
    if (session.seat < 0) return poses;
    this.#extrapolator ??= new Extrapolator(dragonGame.start({ npcs: 0 }, 0), dragonGame.command.same);
    this.#extrapolator.update(session, this.#steps + session.stats.statesAdopted);
    return this.#interpolator.update({ tick, ...poses, ahead: this.#extrapolator.poses }, fraction);
  }

  /** The words and numbers beside it. @param notice about the line */
  hud(notice: string): HudValues {
    const { roundTripMs, simulation, seat } = this.session;
    return {
      room: this.#room,
      pingMs: roundTripMs,
      scores: this.#scores(),
      secondsLeft: simulation?.secondsLeft ?? 0,
      round: simulation?.round ?? 1,
      phase: simulation?.phase ?? "playing",
      ready: simulation?.isReady(seat) ?? false,
      isSpectating: this.session.phase === "playing" && seat < 0,
      notice,
    };
  }

  #scores(): HudValues["scores"] {
    const { simulation, names, seat: ownSeat } = this.session;
    if (simulation === undefined) return [];
    const scores = simulation.dragons.map(({ fields: { seat, score } }) => ({
      seat,
      score,
      name: nameOf(seat, { names, simulation }),
      own: seat === ownSeat,
      npc: seat >= PLAYER_SEATS,
    }));
    return scores.sort((a, b) => b.score - a.score || a.seat - b.seat);
  }
}
