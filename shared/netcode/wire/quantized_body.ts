/**
 * A body in the units of the body stream. They are whole numbers, so both ends predict the same
 * motion from them.
 */
import type { Body } from "../../body_list.ts";
import type { Tick } from "../game.ts";

/** Units: 1/256 m, 1/64 m/s, 1/1024 turn, 1/256 turn/s. A turn has 2π rad. */
export const POSITION_UNITS_PER_METRE = 256;
export const SPEED_UNITS_PER_MPS = 64;
export const ANGLE_UNITS_PER_TURN = 1024;
export const SPIN_UNITS_PER_TURN_PER_SECOND = 256;
export const ANGLE_UNITS_PER_RADIAN = ANGLE_UNITS_PER_TURN / (2 * Math.PI);
const SPIN_UNITS_PER_RADPS = SPIN_UNITS_PER_TURN_PER_SECOND / (2 * Math.PI);
/**
 * Of both kinds of motion: a velocity of 1 unit moves a body by so many units of its position a
 * second.
 */
export const UNITS_PER_SPEED_UNIT = 4;
/**
 * The distance from a body's centre to its edge, metres. It weights an error of the angle as an
 * error of position.
 */
export const ARM_METRES = 0.4;

/** A body in whole units. It does not change once it is a baseline. */
export interface QuantizedBody {
  /** The tick in which it was sent. */
  readonly tick: Tick;
  /** The number of ticks in a row in which it was sent, at most 2. */
  readonly streak: number;
  /**
   * Its motion is the true one, rounded. Otherwise the motion is the predicted one, which was close
   * enough.
   */
  readonly isExact: boolean;
  readonly schemaIndex: number;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
  readonly teleports: number;
  readonly fieldBits: readonly number[];
}

/** All bodies that were sent and not removed, by entity, ascending. */
export interface BodyBaselines extends ReadonlyMap<number, QuantizedBody> {
  /**
   * The id of the next entity or joint. It is greater than all in the map, also than those that
   * were removed.
   */
  readonly nextId: number;
}

/** Baselines while they are filled. */
export class BaselineMap extends Map<number, QuantizedBody> implements BodyBaselines {
  nextId = 0;
}

/** The baselines before the first message. */
export const NO_BASELINES: BodyBaselines = new BaselineMap();

/** A body rounded to whole units, sent exactly in `tick`. */
export function quantize(
  { schemaIndex, x, y, angle, vx, vy, spin, teleports, fieldBits }: Body,
  tick: Tick,
): QuantizedBody {
  return {
    tick,
    streak: 1,
    isExact: true,
    schemaIndex,
    x: Math.round(x * POSITION_UNITS_PER_METRE),
    y: Math.round(y * POSITION_UNITS_PER_METRE),
    angle: Math.round(angle * ANGLE_UNITS_PER_RADIAN),
    vx: Math.round(vx * SPEED_UNITS_PER_MPS),
    vy: Math.round(vy * SPEED_UNITS_PER_MPS),
    spin: Math.round(spin * SPIN_UNITS_PER_RADPS),
    teleports,
    fieldBits: fieldBits.slice(),
  };
}

/**
 * The inverse of `quantize`.
 * @param body has no fields yet; it keeps its schema
 * @returns the same body
 */
export function dequantize(
  body: Body,
  { x, y, angle, vx, vy, spin, teleports, fieldBits }: QuantizedBody,
): Body {
  body.x = x / POSITION_UNITS_PER_METRE;
  body.y = y / POSITION_UNITS_PER_METRE;
  body.angle = angle / ANGLE_UNITS_PER_RADIAN;
  body.vx = vx / SPEED_UNITS_PER_MPS;
  body.vy = vy / SPEED_UNITS_PER_MPS;
  body.spin = spin / SPIN_UNITS_PER_RADPS;
  body.teleports = teleports;
  for (const field of fieldBits) body.fieldBits.push(field);
  return body;
}
