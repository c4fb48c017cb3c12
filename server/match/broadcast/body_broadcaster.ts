/**
 * Selects and encodes the bodies that a body-stream client receives in a tick:
 *
 *     required    the own body; bodies that are new, gone, teleported or have changed fields; bodies not sent for 0.5 s
 *                 joints that are new, gone, or changed in a value that must not wait or has waited for 0.5 s
 *     optional    others that the client predicts wrongly, as many as the budget allows, in falling priority
 *
 *     priority = error · nearness · age in ticks
 *
 * The error is in metres; errors in velocity, in angle and in a joint's values are converted to
 * errors in position. A joint with unchanged values is never sent. The client draws what
 * `BodyModel.predict` makes of the baselines that it was sent, and the same prediction is computed
 * here.
 */
import { type Body, BodyList, type BodySchema } from "../../../shared/body_list.ts";
import {
  areFieldsEqual,
  type BodyDelta,
  codeBodies,
} from "../../../shared/netcode/wire/body_codec.ts";
import { BodyModel } from "../../../shared/netcode/wire/body_model.ts";
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

/**
 * How many bytes a tick's bodies may take; required bodies may exceed that. With frames and deltas
 * it amounts to 3,400 bytes a second.
 */
const BODIES_BYTES_PER_TICK = 160;
/** A body is sent at least once in this many ticks: 0.5 s at 20 Hz. */
const REFRESH_TICKS_MAX = 10;
/** A smaller error is invisible, metres: 1.5 pixels on a screen that shows 30 m. */
const TOLERANCE_METRES = 1 / 64;
/** An error in velocity counts as the error in position that it causes after this time, seconds. */
const VELOCITY_ERROR_SECONDS = 0.05;
/**
 * At this distance from the own body, metres, a body has 3/4 of the priority that it would have
 * beside it.
 */
const NEAR_METRES = 8;

/**
 * If the optional bodies do not fit, this share of them is tried next, so a handful of attempts
 * suffices.
 */
const RETRY_SHARE = 0.7;

/** An optional body. */
interface Candidate {
  readonly entity: number;
  readonly quantized: QuantizedBody;
  readonly priority: number;
}

/** The bodies that one client gets in one tick. */
interface BodySelection {
  /** By entity; undefined removes a body. */
  readonly required: Map<number, QuantizedBody | undefined>;
  /** By falling priority. */
  readonly optional: Candidate[];
}

/** Encodes the bodies of one match. */
export class BodyBroadcaster {
  readonly model: BodyModel;
  readonly #fill: (out: BodyList) => void;
  readonly #list = new BodyList();
  #current: { body: Body; quantized: QuantizedBody }[] = [];
  #tick: Tick = -1;
  /** The message up to its bodies, for another attempt. */
  readonly #beforeBodies = new CodeWriter();

  /** Makes a game's encoder; undefined if the game has no body stream. */
  static forGame<Command>(
    { bodies, tickHz }: Game<Command>,
    simulation: Simulation<Command>,
  ): BodyBroadcaster | undefined {
    if (bodies === undefined) return undefined;
    return new BodyBroadcaster(
      new BodyModel(bodies, tickHz),
      (out) => bodies.fill(simulation, out),
    );
  }

  private constructor(model: BodyModel, fill: (out: BodyList) => void) {
    this.model = model;
    this.#fill = fill;
  }

  /**
   * Encodes every body without baselines, which starts the body stream.
   * @returns all bodies as of `tick`
   */
  encodeAll(tick: Tick, into: CodeWriter): BodyBaselines {
    this.#sample(tick);
    const updates = new Map(this.#current.map(({ body, quantized }) => [body.entity, quantized]));
    return codeBodies(updates, this.#context(tick, NO_BASELINES, into));
  }

  /**
   * Appends the required bodies and as many optional ones as fit.
   * @param target.into the message up to its bodies
   * @param target.bytesMax the limit of the whole message
   * @returns all bodies as of `tick`; undefined if not even the required ones fit
   */
  encodeChanges(
    { tick, baselines, seat }: { tick: Tick; baselines: BodyBaselines; seat: SeatId | undefined },
    { into, bytesMax }: { into: CodeWriter; bytesMax: number },
  ): BodyBaselines | undefined {
    this.#sample(tick);
    const { required, optional } = this.#select(tick, baselines, seat);
    this.#beforeBodies.copyFrom(into);
    const budget = Math.min(bytesMax, into.bytesMax + BODIES_BYTES_PER_TICK);

    // With fewer and fewer optional bodies, until the message fits
    for (let count = optional.length;; count = Math.floor(count * RETRY_SHARE)) {
      const chosen = new Map(required);
      for (const { entity, quantized } of optional.slice(0, count)) chosen.set(entity, quantized);
      const next = codeBodies(sortedById(chosen), this.#context(tick, baselines, into));
      if (into.bytesMax <= budget || (count === 0 && into.bytesMax <= bytesMax)) return next;
      if (count === 0) return undefined;
      into.copyFrom(this.#beforeBodies);
    }
  }

  #context(tick: Tick, baselines: BodyBaselines, coder: CodeWriter) {
    return { tick, baselines, model: this.model, coder, nextId: this.#list.nextId };
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

  #select(tick: Tick, baselines: BodyBaselines, seat: SeatId | undefined): BodySelection {
    const required = new Map<number, QuantizedBody | undefined>();
    const optional: Candidate[] = [];
    const own = seat === undefined
      ? undefined
      : this.#current.find(({ body }) => body.seat === seat);
    const present = new Set<number>();

    for (const each of this.#current) {
      const { body: { entity }, quantized } = each;
      const baseline = baselines.get(entity);
      present.add(entity);
      if (baseline === undefined || each === own) {
        required.set(entity, quantized);
        continue;
      }

      // How wrong the client's prediction is
      const age = tick - baseline.tick;
      const predicted = this.model.predict(baseline, tick);
      const schema = this.model.schema(quantized.schemaIndex);
      const error = errorOf(quantized, predicted, schema);

      if (baseline.teleports !== quantized.teleports || error === Infinity) {
        required.set(entity, quantized);
      } else if (schema.isJoint && error === 0) continue;
      else if (age >= REFRESH_TICKS_MAX) {
        // If the error is invisible, sending the prediction itself costs the fewest bits.
        required.set(entity, error <= TOLERANCE_METRES && !schema.isJoint ? predicted : quantized);
      } else if (error > TOLERANCE_METRES) {
        optional.push({
          entity,
          quantized,
          priority: error * nearness(quantized, own?.quantized) * age,
        });
      }
    }

    // Bodies that are gone
    for (const entity of baselines.keys()) {
      if (!present.has(entity)) required.set(entity, undefined);
    }

    optional.sort((a, b) => b.priority - a.priority || a.entity - b.entity);
    return { required, optional };
  }
}

function sortedById(updates: Map<number, QuantizedBody | undefined>): BodyDelta {
  return new Map([...updates].sort(([a], [b]) => a - b));
}

/** The error of a predicted body, metres; infinite if fields differ that must not wait. */
function errorOf(now: QuantizedBody, shown: QuantizedBody, { moves, fields }: BodySchema): number {
  const valueError = areFieldsEqual(now.fieldBits, shown.fieldBits)
    ? 0
    : errorOfFields(now, shown, fields);
  return (moves ? errorOfMotion(now, shown) : 0) + valueError;
}

function errorOfMotion(now: QuantizedBody, shown: QuantizedBody): number {
  const x = (now.x - shown.x) / POSITION_UNITS_PER_METRE;
  const y = (now.y - shown.y) / POSITION_UNITS_PER_METRE;
  const vx = (now.vx - shown.vx) / SPEED_UNITS_PER_MPS;
  const vy = (now.vy - shown.vy) / SPEED_UNITS_PER_MPS;
  const angleError = (now.angle - shown.angle) / ANGLE_UNITS_PER_RADIAN;
  const velocityError = VELOCITY_ERROR_SECONDS * Math.sqrt(vx * vx + vy * vy);
  return Math.sqrt(x * x + y * y) + velocityError + ARM_METRES * Math.abs(angleError);
}

/** The error of fields of which at least one differs, metres, > 0. */
function errorOfFields(
  now: QuantizedBody,
  shown: QuantizedBody,
  fields: BodySchema["fields"],
): number {
  let error = Number.MIN_VALUE;
  for (let i = 0; i < fields.length; i++) {
    const bits = now.fieldBits[i]!;
    const predicted = shown.fieldBits[i]!;
    const { metresPerUnit } = fields[i]!;
    if (bits === predicted) continue;
    if (metresPerUnit === undefined) return Infinity;
    error += Math.abs(floatOf(bits) - floatOf(predicted)) * metresPerUnit;
  }
  return error;
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

function floatOf(bits: number): number {
  word[0] = bits;
  return float[0]!;
}

/** 1 for a distant body, 2 for one at the own body's place. */
function nearness(body: QuantizedBody, own: QuantizedBody | undefined): number {
  if (own === undefined) return 1;
  const dx = (body.x - own.x) / POSITION_UNITS_PER_METRE;
  const dy = (body.y - own.y) / POSITION_UNITS_PER_METRE;
  return 1 + NEAR_METRES / (NEAR_METRES + Math.sqrt(dx * dx + dy * dy));
}
