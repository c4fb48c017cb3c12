/**
 * A client on the state stream: each definitive tick its simulation is re-based on the bodies that the server tells, and predicts on
 * from there like any other.
 *
 *     S(n) = what the own step makes of S(n-1), but each body that it has elsewhere than the stream shows is put there
 *
 * Where the own step agrees with the stream its numbers are the finer ones, so they are kept. Who was moved here because his engine
 * could not agree tries now and then, in a second simulation, whether it can again.
 */
import { type Body, BodyList } from "../../shared/body_list.ts";
import type { BodyModel } from "../../shared/netcode/wire/body_codec.ts";
import type { GameBodies, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { TickMessage, Wants } from "../../shared/netcode/wire/messages.ts";
import { ARM_METRES, becomeTold, type BodyMemory } from "../../shared/netcode/wire/quantized_body.ts";
import type { Predictor } from "./predictor.ts";
import { Trial } from "./determinism_probe.ts";

/** How far the own motion may be from what is told exactly (its rounding), and from what only follows: metres, m/s. */
const EXACT = { metres: 1 / 256, speed: 1 / 32 } as const;
const NEAR = { metres: 1 / 48, speed: 1 } as const;
/** A trial that has failed is followed by another one after so long; one that agrees for so long has succeeded. Seconds. */
const TRIAL_EVERY_SECONDS = 10;

/** What it needs of a game. */
interface StreamedGame<Command> {
  readonly bodies: GameBodies<Simulation<Command>>;
  readonly model: BodyModel;
  readonly tickHz: number;
}

export class StateStream<Command> {
  readonly #predictor: Predictor<Command>;
  readonly #bodies: GameBodies<Simulation<Command>>;
  readonly #model: BodyModel;
  readonly #start: () => Simulation<Command>;
  readonly #tickHz: number;
  readonly #ours = new BodyList();
  readonly #theirs = new BodyList();
  #news: { tick: Tick; memory: BodyMemory } | undefined;
  #tries = false;
  #triedAt: Tick = -1;
  #trial: Trial<Command> | undefined;
  /** The stream has begun and not ended. */
  isOn = false;
  /** The newest tick whose bodies are here; 0 before the first. */
  held: Tick = 0;

  /** @param options.start makes a simulation of the same match */
  constructor(
    { bodies, model, tickHz }: StreamedGame<Command>,
    { predictor, start }: { predictor: Predictor<Command>; start: () => Simulation<Command> },
  ) {
    this.#bodies = bodies;
    this.#model = model;
    this.#predictor = predictor;
    this.#start = start;
    this.#tickHz = tickHz;
  }

  /** What is said of it with each command; undefined where it is not on. */
  get wants(): Wants | undefined {
    if (!this.isOn) return undefined;
    const isDue = this.#tries && this.#trial === undefined &&
      this.held >= this.#triedAt + this.#tickHz * TRIAL_EVERY_SECONDS;
    return isDue ? "state" : "bodies";
  }

  /** It begins. @param tries whether it was not our choice: then we try to leave it again */
  open(tick: Tick, tries: boolean): void {
    this.#tries = tries;
    if (!this.isOn) this.#triedAt = tick;
    this.isOn = true;
    this.#trial = undefined;
  }

  /** A definitive tick, whose commands the predictor knows. */
  take({ tick, hash, bodies }: TickMessage<Command>): void {
    this.#trial?.expect(tick, hash);
    if (bodies === undefined) return;
    this.held = tick;
    this.#news = { tick, memory: bodies };
  }

  /** The state itself has come: the trial that was asked for begins. @returns false where nobody had asked: the stream is left */
  try({ tick }: TickMessage<Command>, state: Parameters<Trial<Command>["begin"]>[0]): boolean {
    if (!this.#tries) return this.isOn = false;
    this.#triedAt = tick;
    this.#trial = new Trial(this.#start());
    this.#trial.begin(state);
    return true;
  }

  /**
   * Brings the present in line with the newest bodies.
   * @returns how many ticks were resimulated; undefined where there was nothing new
   */
  reconcile(): number | undefined {
    const news = this.#news;
    this.#news = undefined;
    if (news === undefined) return undefined;
    const resimulated = this.#predictor.rebase(news.tick, (simulation) => this.#adopt(simulation, news));
    return resimulated + this.#leave();
  }

  /** Follows the trial up to the newest tick, and its state where it has agreed for long enough. */
  #leave(): number {
    const trial = this.#trial, predictor = this.#predictor;
    if (trial === undefined) return 0;
    const agreed = trial.advance((tick) => predictor.commandsOf(tick));
    if (agreed < 0) this.#trial = undefined;
    if (agreed < this.#tickHz * TRIAL_EVERY_SECONDS) return 0;
    this.isOn = false;
    this.#trial = undefined;
    return predictor.rebase(trial.tick, (simulation) => simulation.load(trial.state()));
  }

  #adopt(simulation: Simulation<Command>, { tick, memory }: { tick: Tick; memory: BodyMemory }): void {
    const ours = this.#ours, theirs = this.#theirs;
    this.#bodies.fill(simulation, ours);
    theirs.reset(tick);
    let at = 0;
    for (const [entity, told] of memory) {
      const now = told.tick === tick ? told : this.#model.predict(told, tick);
      const body = becomeTold(theirs.add(entity, now.kind), now);
      while (at < ours.count && ours.at(at).entity < entity) at++;
      const own = at < ours.count ? ours.at(at) : undefined;
      body.kept = own?.entity === entity && own.kind === body.kind && isNear(own, body, now.isExact ? EXACT : NEAR);
    }
    this.#bodies.adopt(simulation, theirs);
  }
}

function isNear(own: Body, told: Body, { metres, speed }: { metres: number; speed: number }): boolean {
  const dx = own.x - told.x, dy = own.y - told.y, dvx = own.vx - told.vx, dvy = own.vy - told.vy;
  return Math.sqrt(dx * dx + dy * dy) + ARM_METRES * Math.abs(own.angle - told.angle) <= metres &&
    dvx * dvx + dvy * dvy <= speed * speed;
}
