/**
 * A client on the body stream. Each definitive tick rebases its simulation on the streamed bodies;
 * from there it predicts like any other client.
 *
 *     S(n) = f( S(n−1), C(n) ); then every body that deviates from its streamed pose is moved to that pose
 *
 * A body that agrees with the stream keeps its local numbers, because they are finer. If the server
 * moved the client here because its engine could not agree, the client runs a `DeterminismProbe`
 * now and then, and leaves the stream once a probe succeeds.
 */
import { type Body, BodyList } from "../../shared/body_list.ts";
import { type BodyReader, bodyReaderOf } from "../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../shared/netcode/wire/body_model.ts";
import type { Game, GameBodies, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { BodyStreamRequest, TickMessage } from "../../shared/netcode/wire/messages.ts";
import {
  ARM_METRES,
  type BodyBaselines,
  dequantize,
} from "../../shared/netcode/wire/quantized_body.ts";
import type { Predictor } from "./predictor.ts";
import { DeterminismProbe } from "./determinism_probe.ts";

/**
 * How far a body may deviate from the stream and still keep its local numbers, in metres and m/s.
 * `EXACT` covers the rounding when the motion was sent for this tick. `NEAR` applies when it is
 * predicted from an earlier one.
 */
const EXACT = { metres: 1 / 256, speed: 1 / 32 } as const;
const NEAR = { metres: 1 / 48, speed: 1 } as const;
/**
 * After a failed probe the client waits this long before the next; a probe that agrees for as long
 * has succeeded.
 */
const PROBE_SECONDS = 10;

/**
 * What a session needs for the body stream. The server never moves a session without it to the
 * stream, and a page that does not call `bodyStreamSupport` does not load this file.
 */
export interface BodyStreamSupport<Command> {
  readonly reader: BodyReader;
  /** @param options.start creates a simulation of the same match */
  open(
    options: { predictor: Predictor<Command>; start: () => Simulation<Command> },
  ): BodyStreamClient<Command>;
}

/** Creates the support; undefined for a game without a body stream. */
export function bodyStreamSupport<Command>(
  { bodies, tickHz }: Game<Command>,
): BodyStreamSupport<Command> | undefined {
  if (bodies === undefined) return undefined;
  const model = new BodyModel(bodies, tickHz);
  return {
    reader: bodyReaderOf(model),
    open: (options) => new BodyStreamClient({ bodies, model, tickHz }, options),
  };
}

/** What the body stream uses from a game. */
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
  /** Whether the stream has started and not ended. */
  isOn = false;
  /** The newest tick whose bodies have arrived; 0 before the first. */
  bodiesAck: Tick = 0;

  /** @param options.start creates a simulation of the same match */
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

  /** The request to send with every command; undefined while the stream is off. */
  get request(): BodyStreamRequest | undefined {
    if (!this.isOn) return undefined;
    const isDue = this.#isForced && this.#probe === undefined &&
      this.bodiesAck >= this.#probedAt + this.#tickHz * PROBE_SECONDS;
    return isDue ? "state" : "bodies";
  }

  /**
   * Starts the stream.
   * @param isForced whether the server moved this client here because it cannot agree; it then
   * probes until it may leave
   */
  open(tick: Tick, isForced: boolean): void {
    this.#isForced = isForced;
    if (!this.isOn) this.#probedAt = tick;
    this.isOn = true;
    this.#probe = undefined;
  }

  /** Takes a definitive tick, after the predictor took its commands. */
  receive({ tick, hash, bodies }: TickMessage<Command>): void {
    this.#probe?.expect(tick, hash);
    if (bodies === undefined) return;
    this.bodiesAck = tick;
    this.#pendingBodies = { tick, baselines: bodies };
  }

  /**
   * Takes a full state and starts the probe that requested it.
   * @returns false if this client requested no probe; the state then ends the stream
   */
  startProbe(
    { tick }: TickMessage<Command>,
    state: Parameters<DeterminismProbe<Command>["begin"]>[0],
  ): boolean {
    if (!this.#isForced) return this.isOn = false;
    this.#probedAt = tick;
    this.#probe = new DeterminismProbe(this.#start());
    this.#probe.begin(state);
    return true;
  }

  /**
   * Rebases the prediction on the newest bodies.
   * @returns how many ticks were resimulated; undefined without new bodies
   */
  reconcile(): number | undefined {
    const pending = this.#pendingBodies;
    this.#pendingBodies = undefined;
    if (pending === undefined) return undefined;
    const resimulated = this.#predictor.rebase(
      pending.tick,
      (simulation) => this.#adopt(simulation, pending),
    );
    return resimulated + this.#advanceProbe();
  }

  /**
   * Steps the probe to the newest tick. Once it agreed for long enough, adopts its state and leaves
   * the stream.
   * @returns the number of resimulated ticks
   */
  #advanceProbe(): number {
    const probe = this.#probe;
    const predictor = this.#predictor;
    if (probe === undefined) return 0;
    const agreed = probe.advance((tick) => predictor.commandsOf(tick));
    if (agreed < 0) this.#probe = undefined;
    if (agreed < this.#tickHz * PROBE_SECONDS) return 0;
    this.isOn = false;
    this.#probe = undefined;
    return predictor.rebase(probe.tick, (simulation) => simulation.load(probe.state()));
  }

  #adopt(
    simulation: Simulation<Command>,
    { tick, baselines }: { tick: Tick; baselines: BodyBaselines },
  ): void {
    const localBodies = this.#localBodies;
    const serverBodies = this.#serverBodies;
    this.#bodies.fill(simulation, localBodies);
    serverBodies.reset(tick);
    serverBodies.nextId = baselines.nextId;
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

function isNear(
  local: Body,
  streamed: Body,
  { metres, speed }: { metres: number; speed: number },
): boolean {
  const dx = local.x - streamed.x;
  const dy = local.y - streamed.y;
  const dvx = local.vx - streamed.vx;
  const dvy = local.vy - streamed.vy;
  return Math.sqrt(dx * dx + dy * dy) + ARM_METRES * Math.abs(local.angle - streamed.angle) <=
      metres &&
    dvx * dvx + dvy * dvy <= speed * speed;
}
