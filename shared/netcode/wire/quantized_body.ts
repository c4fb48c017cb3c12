/**
 * A body as it is told on the state stream: whole units, so that both ends predict the same from it, and the way there and back.
 */
import type { Body } from "../../body_list.ts";
import type { Tick } from "../game.ts";

/** Units of what travels: 1/256 m, 1/64 m/s, 1/1024 turn, 1/64 rad/s. */
export const POSITION_UNITS_PER_METRE = 256;
export const SPEED_UNITS_PER_MPS = 64;
export const ANGLE_UNITS_PER_RADIAN = 1024 / (2 * Math.PI);
/** How far from its middle a turning body's edge is, metres: what a wrong angle counts as a wrong place. */
export const ARM_METRES = 0.4;

/** A body as told, in whole units. Never changed once it stands in a memory. */
export interface QuantizedBody {
  /** The tick in which it was told. */
  readonly tick: Tick;
  /** In how many ticks in a row, at most 2. */
  readonly streak: number;
  /** Its motion is the true one, rounded; else it is the predicted one, which was near enough. */
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

/** All that was told and is not gone, by entity, ascending. */
export type BodyBaselines = ReadonlyMap<number, QuantizedBody>;
/** What is held before the first message. */
export const NO_BASELINES: BodyBaselines = new Map();

/** A body rounded to what travels, told exactly in `tick`. */
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
    spin: Math.round(spin * SPEED_UNITS_PER_MPS),
    teleports,
    fieldBits: fieldBits.slice(),
  };
}

/** The reverse of `quantize`, into a body without words of that kind. @returns the body */
export function dequantize(body: Body, { x, y, angle, vx, vy, spin, teleports, fieldBits }: QuantizedBody): Body {
  body.x = x / POSITION_UNITS_PER_METRE;
  body.y = y / POSITION_UNITS_PER_METRE;
  body.angle = angle / ANGLE_UNITS_PER_RADIAN;
  body.vx = vx / SPEED_UNITS_PER_MPS;
  body.vy = vy / SPEED_UNITS_PER_MPS;
  body.spin = spin / SPEED_UNITS_PER_MPS;
  body.teleports = teleports;
  for (const field of fieldBits) body.fieldBits.push(field);
  return body;
}
