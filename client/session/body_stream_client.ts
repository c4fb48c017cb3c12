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
import { BodyModel, type BodyReader } from "../../shared/netcode/wire/body_codec.ts";
import type { Game, GameBodies, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { BodyStreamRequest, TickMessage } from "../../shared/netcode/wire/messages.ts";
import { ARM_METRES, type BodyBaselines, dequantize } from "../../shared/netcode/wire/quantized_body.ts";
import type { Predictor } from "./predictor.ts";
import { DeterminismProbe } from "./determinism_probe.ts";

/** How far the own motion may be from what is told exactly (its rounding), and from what only follows: metres, m/s. */
const EXACT = { metres: 1 / 256, speed: 1 / 32 } as const;
const NEAR = { metres: 1 / 48, speed: 1 } as const;
/** A trial that has failed is followed by another one after so long; one that agrees for so long has succeeded. Seconds. */
const PROBE_SECONDS = 10;

/** What a session needs to be on the state stream: who has none is never put on it, and need not load this file. */
export interface BodyStreamSupport<Command> {
  readonly reader: BodyReader;
  /** @param options.start makes a simulation of the same match */
  open(options: { predictor: Predictor<Command>; start: () => Simulation<Command> }): BodyStreamClient<Command>;
}

/** Undefined for a game without a state stream. */
export function bodyStreamSupport<Command>({ bodies, tickHz }: Game<Command>): BodyStreamSupport<Command> | undefined {
  if (bodies === undefined) return undefined;
  const model = new BodyModel(bodies, tickHz);
  return { reader: model, open: (options) => new BodyStreamClient({ bodies, model, tickHz }, options) };
}

/** What it needs of a game. */
interface BodyStreamGame<Command> {
  readonly bodies: GameBodies<Simulation<Command>>;
  readonly model: BodyModel;
  readonly tickHz: number;
}

export class BodyStreamClient<Command> {
  readonly #predictor: Predictor<Command>;
  readonly #bodies: GameBodies<Simulation<Command>>;
  readonly #model: BodyModel;
  readonly #start: () => Simulation<Command>;
  readonly #tickHz: number;
  readonly #localBodies = new BodyList();
  readonly #serverBodies = new BodyList();
  #pendingBodies: { tick: Tick; baselines: BodyBaselines } | undefined;
  #isForced = false;
  #probedAt: Tick = -1;
  #probe: DeterminismProbe<Command> | undefined;
  /** The stream has begun and not ended. */
  isOn = false;
  /** The newest tick whose bodies are here; 0 before the first. */
  bodiesAck: Tick = 0;

  /** @param options.start makes a simulation of the same match */
  constructor(
    { bodies, model, tickHz }: BodyStreamGame<Command>,
    { predictor, start }: { predictor: Predictor<Command>; start: () => Simulation<Command> },
  ) {
    this.#bodies = bodies;
    this.#model = model;
    this.#predictor = predictor;
    this.#start = start;
    this.#tickHz = tickHz;
  }

  /** What is said of it with each command; undefined where it is not on. */
  get request(): BodyStreamRequest | undefined {
    if (!this.isOn) return undefined;
    const isDue = this.#isForced && this.#probe === undefined &&
      this.bodiesAck >= this.#probedAt + this.#tickHz * PROBE_SECONDS;
    return isDue ? "state" : "bodies";
  }

  /** It begins. @param isForced whether it was not our choice: then we try to leave it again */
  open(tick: Tick, isForced: boolean): void {
    this.#isForced = isForced;
    if (!this.isOn) this.#probedAt = tick;
    this.isOn = true;
    this.#probe = undefined;
  }

  /** A definitive tick, whose commands the predictor knows. */
  receive({ tick, hash, bodies }: TickMessage<Command>): void {
    this.#probe?.expect(tick, hash);
    if (bodies === undefined) return;
    this.bodiesAck = tick;
    this.#pendingBodies = { tick, baselines: bodies };
  }

  /** The state itself has come: the trial that was asked for begins. @returns false where nobody had asked: the stream is left */
  startProbe({ tick }: TickMessage<Command>, state: Parameters<DeterminismProbe<Command>["begin"]>[0]): boolean {
    if (!this.#isForced) return this.isOn = false;
    this.#probedAt = tick;
    this.#probe = new DeterminismProbe(this.#start());
    this.#probe.begin(state);
    return true;
  }

  /**
   * Brings the present in line with the newest bodies.
   * @returns how many ticks were resimulated; undefined where there was nothing new
   */
  reconcile(): number | undefined {
    const pending = this.#pendingBodies;
    this.#pendingBodies = undefined;
    if (pending === undefined) return undefined;
    const resimulated = this.#predictor.rebase(pending.tick, (simulation) => this.#adopt(simulation, pending));
    return resimulated + this.#advanceProbe();
  }

  /** Follows the trial up to the newest tick, and its state where it has agreed for long enough. */
  #advanceProbe(): number {
    const probe = this.#probe, predictor = this.#predictor;
    if (probe === undefined) return 0;
    const agreed = probe.advance((tick) => predictor.commandsOf(tick));
    if (agreed < 0) this.#probe = undefined;
    if (agreed < this.#tickHz * PROBE_SECONDS) return 0;
    this.isOn = false;
    this.#probe = undefined;
    return predictor.rebase(probe.tick, (simulation) => simulation.load(probe.state()));
  }

  #adopt(simulation: Simulation<Command>, { tick, baselines }: { tick: Tick; baselines: BodyBaselines }): void {
    const localBodies = this.#localBodies, serverBodies = this.#serverBodies;
    this.#bodies.fill(simulation, localBodies);
    serverBodies.reset(tick);
    let index = 0;
    for (const [entity, streamed] of baselines) {
      const target = streamed.tick === tick ? streamed : this.#model.predict(streamed, tick);
      const body = dequantize(serverBodies.add(entity, target.schemaIndex), target);
      while (index < localBodies.count && localBodies.at(index).entity < entity) index++;
      const local = index < localBodies.count ? localBodies.at(index) : undefined;
      body.keepsMotion = local?.entity === entity && local.schemaIndex === body.schemaIndex &&
        isNear(local, body, target.isExact ? EXACT : NEAR);
    }
    this.#bodies.adopt(simulation, serverBodies);
  }
}

function isNear(local: Body, streamed: Body, { metres, speed }: { metres: number; speed: number }): boolean {
  const dx = local.x - streamed.x,
    dy = local.y - streamed.y,
    dvx = local.vx - streamed.vx,
    dvy = local.vy - streamed.vy;
  return Math.sqrt(dx * dx + dy * dy) + ARM_METRES * Math.abs(local.angle - streamed.angle) <= metres &&
    dvx * dvx + dvy * dvy <= speed * speed;
}
