/** One match as a page plays it: the session with what a picture needs around it. No DOM, no timers. */
import type { DragonCommand } from "../shared/dragons/command.ts";
import { dragonGame } from "../shared/dragons/game.ts";
import type { DragonSimulation } from "../shared/dragons/simulation.ts";
import { PLAYER_SEATS, type PoseList } from "../shared/netcode/game.ts";
import type { Clock } from "../shared/netcode/link.ts";
import { Snapshot } from "../shared/snapshot.ts";
import { EffectLog } from "./effect_log.ts";
import { tapped } from "./link_tap.ts";
import type { HudValues, Scene } from "./scene.ts";
import { Session, type SessionOptions } from "./session.ts";
import { Smoother } from "./smoother.ts";
import { nameOf, StageScene } from "./stage_scene.ts";
import type { Telemetry } from "./telemetry.ts";

export interface PlayedMatchOptions
  extends Pick<SessionOptions<DragonCommand>, "link" | "clock" | "room" | "name" | "controls" | "watch" | "resume"> {
  readonly telemetry: Telemetry;
}

export class PlayedMatch {
  readonly session: Session<DragonCommand, DragonSimulation>;
  readonly #clock: Clock;
  readonly #room: string;
  readonly #telemetry: Telemetry;
  readonly #smoother = new Smoother();
  readonly #effects = new EffectLog();
  #stageScene: StageScene | undefined;
  #drawnMs: number;
  #heard = { tick: -1, atMs: 0 };
  /** A second simulation, only for looking at the past: made when somebody first wants to. */
  #ghost: DragonSimulation | undefined;
  readonly #ghostState = new Snapshot(0);
  #ghostTick = -1;

  constructor({ telemetry, link, ...options }: PlayedMatchOptions) {
    this.#clock = options.clock;
    this.#room = options.room;
    this.#telemetry = telemetry;
    this.#drawnMs = options.clock.now();
    this.#heard.atMs = this.#drawnMs;
    telemetry.restart();
    this.session = new Session({
      game: dragonGame,
      ...options,
      link: tapped(link, telemetry),
      onEvents: (events) => this.#effects.hear(events, this.session.poses.head),
      onCorrection: (before, after) => this.#smoother.absorb(before, after, this.session.fraction()),
    });
  }

  /** Everything but the picture. */
  advance(): void {
    const beganMs = this.#clock.now();
    this.session.advance();
    const nowMs = this.#clock.now();
    this.#telemetry.advanced(this.session, nowMs - beganMs);
    const { definitiveTick } = this.session;
    if (definitiveTick !== this.#heard.tick) this.#heard = { tick: definitiveTick, atMs: nowMs };
  }

  /** Since anything definitive came, ms. */
  get silentMs(): number {
    return this.#clock.now() - this.#heard.atMs;
  }

  get room(): string {
    return this.#room;
  }

  /** Where everything was at the newest definitive tick that is predicted here, too. @returns false while there is none */
  definitivePoses(out: PoseList): boolean {
    const { session } = this;
    const tick = Math.min(session.definitiveTick, session.head - 1);
    if (tick !== this.#ghostTick) {
      if (!session.copyState(tick, this.#ghostState)) return false;
      this.#ghostTick = tick;
      this.#ghost ??= dragonGame.start({ npcs: 0 }, 0);
      this.#ghost.load(this.#ghostState);
    }
    this.#ghost?.poses(out);
    return this.#ghost !== undefined;
  }

  /** Our seat is taken, and its dragon is not in the arena yet. */
  get isWaitingForDragon(): boolean {
    const { phase, seat, simulation } = this.session;
    return phase === "playing" && seat >= 0 && simulation?.dragonOfSeat(seat) === undefined;
  }

  /** The picture of this moment; undefined before the first state. */
  picture(): Scene | undefined {
    const { simulation, seat, poses, names, head } = this.session;
    const nowMs = this.#clock.now();
    this.#smoother.decay(nowMs - this.#drawnMs);
    this.#drawnMs = nowMs;
    if (simulation === undefined || this.session.phase === "joining") return undefined;
    this.#stageScene ??= new StageScene(simulation);
    return this.#stageScene.compose({
      simulation,
      poses,
      names,
      smoother: this.#smoother,
      ownSeat: seat,
      fraction: this.session.fraction(),
      effects: this.#effects.take(head),
    });
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
      watching: this.session.phase === "playing" && seat < 0,
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
