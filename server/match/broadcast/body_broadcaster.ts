/**
 * Which bodies a client of the state stream is told of in a tick: his own, those whose words changed or that came or went, those he
 * has not heard of for half a second, and of the others, as far as the budget reaches, those that his picture shows wrong.
 *
 *     priority = importance × age      importance = error × nearness, the error of where it is and of where it is going
 *
 * The other end knows what was told, so it shows what `BodyModel.predict` says. A body whose prediction is near enough is not told.
 */
import { type Body, BodyList } from "../../../shared/body_list.ts";
import { areFieldsEqual, type BodyDelta, BodyModel, codeBodies } from "../../../shared/netcode/wire/body_codec.ts";
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import type { Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import {
  ANGLE_UNITS_PER_RADIAN,
  ARM_METRES,
  type BodyBaselines,
  NO_BASELINES,
  POSITION_UNITS_PER_METRE,
  quantize,
  type QuantizedBody,
  SPEED_UNITS_PER_MPS,
} from "../../../shared/netcode/wire/quantized_body.ts";

/** What one tick's bodies may take; what must be told goes beyond it. With frames and news that is 3,400 bytes a second. */
const BODIES_BYTES_PER_TICK = 160;
/** Every body is told at least so often: half a second at 20 Hz. */
const REFRESH_TICKS_MAX = 10;
/** Nobody sees less, metres: a pixel and a half on a screen that shows 30 m. */
const TOLERANCE_METRES = 1 / 64;
/** A wrong velocity is a wrong place this much later, seconds. */
const VELOCITY_ERROR_SECONDS = 0.05;
/** At this distance from one's own body things are half as important as beside it, metres. */
const NEAR_METRES = 8;

/** Where not all fits that may be told, so much of it is tried next: a handful of tries finds what does. */
const RETRY_SHARE = 0.7;

/** One of those that need not be told. */
interface Candidate {
  readonly entity: number;
  readonly quantized: QuantizedBody;
  readonly priority: number;
}

/** What is told of bodies in one tick to one client. */
interface BodySelection {
  readonly required: Map<number, QuantizedBody | undefined>;
  readonly optional: Candidate[];
}

/** One match's bodies. */
export class BodyBroadcaster {
  readonly model: BodyModel;
  readonly #fill: (out: BodyList) => void;
  readonly #list = new BodyList();
  #current: { body: Body; quantized: QuantizedBody }[] = [];
  #tick: Tick = -1;
  /** The message as it was, for another try. */
  readonly #beforeBodies = new CodeWriter();

  /** Undefined for a game that declares no bodies. */
  static forGame<Command>(
    { bodies, tickHz }: Game<Command>,
    simulation: Simulation<Command>,
  ): BodyBroadcaster | undefined {
    if (bodies === undefined) return undefined;
    return new BodyBroadcaster(new BodyModel(bodies, tickHz), (out) => bodies.fill(simulation, out));
  }

  private constructor(model: BodyModel, fill: (out: BodyList) => void) {
    this.model = model;
    this.#fill = fill;
  }

  /** Encodes every body, self-contained: the start of the body stream. @returns all bodies as of `tick` */
  encodeAll(tick: Tick, into: CodeWriter): BodyBaselines {
    this.#sample(tick);
    const updates = new Map(this.#current.map(({ body, quantized }) => [body.entity, quantized]));
    return codeBodies(updates, { tick, baselines: NO_BASELINES, model: this.model, coder: into });
  }

  /**
   * Appends as many bodies as fit the message, the most urgent first.
   * @param target.bytesMax of the whole message
   * @returns all bodies as of `tick`; undefined if not even those fit that must be sent
   */
  encodeChanges(
    { tick, baselines, seat }: { tick: Tick; baselines: BodyBaselines; seat: SeatId | undefined },
    { into, bytesMax }: { into: CodeWriter; bytesMax: number },
  ): BodyBaselines | undefined {
    this.#sample(tick);
    const { required, optional } = this.#select(tick, baselines, seat);
    this.#beforeBodies.copyFrom(into);
    const budget = Math.min(bytesMax, into.bytesMax + BODIES_BYTES_PER_TICK);
    for (let count = optional.length;; count = Math.floor(count * RETRY_SHARE)) {
      const chosen = new Map(required);
      for (const { entity, quantized } of optional.slice(0, count)) chosen.set(entity, quantized);
      const next = codeBodies(sortedById(chosen), { tick, baselines, model: this.model, coder: into });
      if (into.bytesMax <= budget || (count === 0 && into.bytesMax <= bytesMax)) return next;
      if (count === 0) return undefined;
      into.copyFrom(this.#beforeBodies);
    }
  }

  #sample(tick: Tick): void {
    if (this.#tick === tick) return;
    this.#tick = tick;
    this.#fill(this.#list);
    this.#current = Array.from({ length: this.#list.count }, (_, i) => {
      const body = this.#list.at(i);
      return { body, quantized: quantize(body, tick) };
    });
  }

  /** What may be told comes with the most urgent first. */
  #select(tick: Tick, baselines: BodyBaselines, seat: SeatId | undefined): BodySelection {
    const required = new Map<number, QuantizedBody | undefined>(), optional: Candidate[] = [];
    const own = seat === undefined ? undefined : this.#current.find(({ body }) => body.seat === seat);
    const present = new Set<number>();
    for (const each of this.#current) {
      const { body: { entity }, quantized } = each, baseline = baselines.get(entity);
      present.add(entity);
      if (baseline === undefined || each === own) {
        required.set(entity, quantized);
        continue;
      }
      const age = tick - baseline.tick,
        predicted = this.model.predict(baseline, tick),
        error = errorOf(quantized, predicted);
      const hasChanged = baseline.teleports !== quantized.teleports ||
        !areFieldsEqual(predicted.fieldBits, quantized.fieldBits);
      if (hasChanged) required.set(entity, quantized);
      else if (age >= REFRESH_TICKS_MAX) required.set(entity, error <= TOLERANCE_METRES ? predicted : quantized);
      else if (error > TOLERANCE_METRES) {
        optional.push({ entity, quantized, priority: error * nearness(quantized, own?.quantized) * age });
      }
    }
    for (const entity of baselines.keys()) if (!present.has(entity)) required.set(entity, undefined);
    optional.sort((a, b) => b.priority - a.priority || a.entity - b.entity);
    return { required, optional };
  }
}

function sortedById(updates: Map<number, QuantizedBody | undefined>): BodyDelta {
  return new Map([...updates].sort(([a], [b]) => a - b));
}

/** Metres. */
function errorOf(now: QuantizedBody, shown: QuantizedBody): number {
  const x = (now.x - shown.x) / POSITION_UNITS_PER_METRE, y = (now.y - shown.y) / POSITION_UNITS_PER_METRE;
  const vx = (now.vx - shown.vx) / SPEED_UNITS_PER_MPS, vy = (now.vy - shown.vy) / SPEED_UNITS_PER_MPS;
  const angleError = (now.angle - shown.angle) / ANGLE_UNITS_PER_RADIAN;
  const velocityError = VELOCITY_ERROR_SECONDS * Math.sqrt(vx * vx + vy * vy);
  return Math.sqrt(x * x + y * y) + velocityError + ARM_METRES * Math.abs(angleError);
}

/** 1 for what is far away, 2 for what is here. */
function nearness(body: QuantizedBody, own: QuantizedBody | undefined): number {
  if (own === undefined) return 1;
  const dx = (body.x - own.x) / POSITION_UNITS_PER_METRE, dy = (body.y - own.y) / POSITION_UNITS_PER_METRE;
  return 1 + NEAR_METRES / (NEAR_METRES + Math.sqrt(dx * dx + dy * dy));
}
