/** One match as a page plays it: the session with what a picture needs around it. No DOM, no timers. */
import type { DragonCommand } from "../shared/dragons/command.ts";
import { dragonGame } from "../shared/dragons/game.ts";
import type { DragonSimulation } from "../shared/dragons/simulation.ts";
import { PLAYER_SEATS } from "../shared/netcode/game.ts";
import type { Clock } from "../shared/netcode/link.ts";
import { EffectLog } from "./effect_log.ts";
import type { HudValues, Scene } from "./scene.ts";
import { Session, type SessionOptions } from "./session.ts";
import { Smoother } from "./smoother.ts";
import { nameOf, StageScene } from "./stage_scene.ts";

/** Nothing definitive for this long: the player should be told, ms. */
const SILENCE_MS = 1000;
/** Rollbacks are counted over this, ms. */
const RATE_WINDOW_MS = 1000;

export class PlayedMatch {
  readonly session: Session<DragonCommand, DragonSimulation>;
  readonly #clock: Clock;
  readonly #room: string;
  readonly #smoother = new Smoother();
  readonly #effects = new EffectLog();
  #stageScene: StageScene | undefined;
  #drawnMs: number;
  #heard = { tick: -1, atMs: 0 };
  #rate = { sinceMs: 0, rollbacks: 0, perSecond: 0 };

  constructor(
    options: Pick<SessionOptions<DragonCommand>, "link" | "clock" | "room" | "name" | "controls" | "watch" | "resume">,
  ) {
    this.#clock = options.clock;
    this.#room = options.room;
    this.#drawnMs = options.clock.now();
    this.#heard.atMs = this.#drawnMs;
    this.session = new Session({
      game: dragonGame,
      ...options,
      onEvents: (events) => this.#effects.hear(events, this.session.poses.head),
      onCorrection: (before, after) => this.#smoother.absorb(before, after, this.session.fraction()),
    });
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

  /** The numbers beside it. */
  hud(): HudValues {
    const { roundTripMs, leadMs, inStep, simulation, seat } = this.session;
    this.#measure();
    return {
      room: this.#room,
      pingMs: roundTripMs,
      leadMs,
      rollbacksPerSecond: this.#rate.perSecond,
      inStep,
      scores: this.#scores(),
      secondsLeft: simulation?.secondsLeft ?? 0,
      round: simulation?.round ?? 1,
      phase: simulation?.phase ?? "playing",
      ready: simulation?.isReady(seat) ?? false,
      watching: this.#isWatching,
      notice: this.#notice(),
    };
  }

  #measure(): void {
    const nowMs = this.#clock.now();
    const { definitiveTick, counts } = this.session;
    if (definitiveTick !== this.#heard.tick) this.#heard = { tick: definitiveTick, atMs: nowMs };
    if (nowMs - this.#rate.sinceMs < RATE_WINDOW_MS) return;
    const perSecond = (counts.rollbacks - this.#rate.rollbacks) * 1000 / (nowMs - this.#rate.sinceMs);
    this.#rate = { sinceMs: nowMs, rollbacks: counts.rollbacks, perSecond };
  }

  get #isWatching(): boolean {
    return this.session.phase === "playing" && this.session.seat < 0;
  }

  #notice(): string {
    const { session } = this;
    if (session.phase === "joining") return "Joining the room…";
    if (this.#clock.now() - this.#heard.atMs > SILENCE_MS) return "Nothing from the server for a while. Waiting…";
    if (!this.#isWatching && session.simulation?.dragonOfSeat(session.seat) === undefined) {
      return "Your dragon is on its way…";
    }
    return "";
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
