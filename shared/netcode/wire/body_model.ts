/**
 * Predicts the bodies that the stream delta-codes against: nothing happens to a body, so it moves
 * on or falls freely.
 */
import type { BodySchema, BodySchemas, Drift } from "../../body_list.ts";
import { WireError } from "./range_coder.ts";
import type { Tick } from "../game.ts";
import { type QuantizedBody, UNITS_PER_SPEED_UNIT } from "./quantized_body.ts";

/** The match, and as many kinds of entities and joints as a stage allows. */
const SCHEMAS_MAX = 511;
/** A field that counts up stops here. */
const CLOCK_MAX = 255;
/** Predictions reach no further, so that all their numbers stay below 2^53. */
const AGE_TICKS_MAX = 255;

export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Predicts bodies by the game's schemas. It calculates in whole numbers that doubles hold exactly,
 * so that clients in every language predict the same (WIRE 8.2). With H ticks per second, s world
 * steps per tick and gravity g:
 *
 *     free fall for n ticks, in semi-implicit Euler steps:
 *     Δv = −g · n / H          Δy = 4 · v · n / H − 2 · g · n · (n · s + 1) / (H² · s)
 */
export class BodyModel {
  readonly schemas: readonly BodySchema[];
  readonly tickHz: number;
  readonly #substeps: number;

  constructor({ schemas, substeps }: BodySchemas, tickHz: number) {
    if (schemas.length < 1 || schemas.length > SCHEMAS_MAX) {
      throw new RangeError(`${schemas.length} kinds of bodies`);
    }
    if (!Number.isInteger(tickHz) || !Number.isInteger(substeps)) {
      throw new RangeError(
        `${tickHz} ticks a second of ${substeps} world steps: whole numbers are needed`,
      );
    }
    this.schemas = schemas;
    this.tickHz = tickHz;
    this.#substeps = substeps;
  }

  /** @throws WireError if the index names no schema */
  schema(index: number): BodySchema {
    const schema = this.schemas[index];
    if (schema === undefined) throw new WireError(`a body of kind ${index}`);
    return schema;
  }

  /**
   * Predicts the body at `tick` if nothing happened to it. A body without vertical velocity does
   * not begin to fall.
   */
  predict(baseline: QuantizedBody, tick: Tick): Writable<QuantizedBody> {
    const { moves, gravityUnits, fields } = this.schema(baseline.schemaIndex);
    const ticks = ageOf(baseline, tick);
    const fieldBits = baseline.fieldBits.map((field, i) =>
      advanceField(field, fields[i]!.drift, ticks)
    );
    const next = { ...baseline, tick, isExact: false, fieldBits };
    if (!moves) return next;
    const g = baseline.vy === 0 ? 0 : gravityUnits;
    next.vy -= roundedRatio(g * ticks, this.tickHz);
    next.x += this.#travel(baseline.vx, ticks);
    next.y += this.#rise(baseline.vy, ticks, -g * (ticks * this.#substeps + 1));
    next.angle += this.#travel(baseline.spin, ticks);
    return next;
  }

  /**
   * Predicts the position again, now with the velocity at `next.tick`. One tick after the baseline
   * it assumes that the velocity changed at the tick's start; later, that it changed gradually, so
   * the mean of both velocities counts.
   */
  repredictPosition(baseline: QuantizedBody, next: Writable<QuantizedBody>): void {
    const ticks = ageOf(baseline, next.tick);
    if (ticks === 1) {
      const g = next.vy === 0 ? 0 : this.schema(baseline.schemaIndex).gravityUnits;
      next.x = baseline.x + this.#travel(next.vx, 1);
      next.y = baseline.y + this.#rise(next.vy, 1, g * (this.#substeps - 1));
    } else {
      next.x = baseline.x + this.#travel((baseline.vx + next.vx) / 2, ticks);
      next.y = baseline.y + this.#travel((baseline.vy + next.vy) / 2, ticks);
    }
  }

  /** How far this velocity carries a body. @param velocity a multiple of 1/2 */
  #travel(velocity: number, ticks: number): number {
    return roundedRatio(UNITS_PER_SPEED_UNIT * velocity * ticks, this.tickHz);
  }

  /** As `#travel` with an acceleration, which adds 2 · `fall` · ticks / (H² · s). */
  #rise(velocity: number, ticks: number, fall: number): number {
    const steps = this.tickHz * this.#substeps;
    return roundedRatio(
      (UNITS_PER_SPEED_UNIT * velocity * steps + 2 * fall) * ticks,
      this.tickHz * steps,
    );
  }
}

/** Counts the ticks since a body was sent, up to `AGE_TICKS_MAX`. */
function ageOf(baseline: QuantizedBody, tick: Tick): number {
  return Math.min(AGE_TICKS_MAX, tick - baseline.tick);
}

/**
 * Rounds a / b to the nearest whole number, halves upwards; exact for |2a + b| < 2^53.
 * @param b greater than 0
 */
function roundedRatio(a: number, b: number): number {
  return Math.floor((2 * a + b) / (2 * b));
}

function advanceField(field: number, drift: Drift, ticks: number): number {
  if (drift === 0 || field === 0 || (drift > 0 && field >= CLOCK_MAX)) return field;
  return drift > 0 ? Math.min(CLOCK_MAX, field + ticks) : Math.max(0, field - ticks);
}
