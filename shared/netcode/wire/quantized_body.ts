/**
 * Bodies in the body stream's units. They are whole numbers, so that both ends predict the same
 * motion from them.
 */
import type { Body } from "../../body_list.ts";
import type { Tick } from "../game.ts";

/** Units: 1/256 m, 1/64 m/s, 1/1024 turn, 1/256 turn/s. A turn is 2π rad. */
export const POSITION_UNITS_PER_METRE = 256;
export const SPEED_UNITS_PER_MPS = 64;
export const ANGLE_UNITS_PER_TURN = 1024;
export const SPIN_UNITS_PER_TURN_PER_SECOND = 256;
export const ANGLE_UNITS_PER_RADIAN = ANGLE_UNITS_PER_TURN / (2 * Math.PI);
const SPIN_UNITS_PER_RADPS = SPIN_UNITS_PER_TURN_PER_SECOND / (2 * Math.PI);
/**
 * For translation and rotation alike: at a velocity of 1 unit, a body's position changes by this
 * many units a second.
 */
export const UNITS_PER_SPEED_UNIT = 4;
/**
 * The distance from a body's centre to its edge, metres, which turns an angle error into a position
 * error.
 */
export const ARM_METRES = 0.4;

/** A body in whole units. It is immutable once it is a baseline. */
export interface QuantizedBody {
  /** The tick that it was sent in. */
  readonly tick: Tick;
  /** In how many ticks in a row it was sent, at most 2. */
  readonly streak: number;
  /**
   * Whether its motion is the true one, rounded; otherwise it is the predicted one, which was close
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
  /** The next entity's or joint's id, greater than all that were ever in the map. */
  readonly nextId: number;
}

/** Baselines while they are filled. */
export class BaselineMap extends Map<number, QuantizedBody> implements BodyBaselines {
  nextId = 0;
}

/** The baselines before the first message. */
export const NO_BASELINES: BodyBaselines = new BaselineMap();

/** Rounds a body to whole units, as sent exactly in `tick`. */
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
 * @param body without fields; it keeps its schema
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
