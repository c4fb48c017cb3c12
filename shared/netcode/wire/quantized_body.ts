/**
 * A body as it is told on the state stream: whole units, so that both ends predict the same from it, and the way there and back.
 */
import type { Body } from "../../body_list.ts";
import type { Tick } from "../game.ts";

/** Units of what travels: 1/256 m, 1/64 m/s, 1/1024 turn, 1/64 rad/s. */
export const PLACES_PER_METRE = 256;
export const SPEEDS_PER_METRE = 64;
export const ANGLES_PER_RADIAN = 1024 / (2 * Math.PI);
/** How far from its middle a turning body's edge is, metres: what a wrong angle counts as a wrong place. */
export const ARM_METRES = 0.4;

/** A body as told, in whole units. Never changed once it stands in a memory. */
export interface Told {
  /** The tick in which it was told. */
  readonly tick: Tick;
  /** In how many ticks in a row, at most 2. */
  readonly run: number;
  /** Its motion is the true one, rounded; else it is the predicted one, which was near enough. */
  readonly isExact: boolean;
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly vx: number;
  readonly vy: number;
  readonly spin: number;
  readonly jumps: number;
  readonly words: readonly number[];
}

/** All that was told and is not gone, by entity, ascending. */
export type BodyMemory = ReadonlyMap<number, Told>;
/** What is held before the first message. */
export const NOTHING_TOLD: BodyMemory = new Map();

/** A body rounded to what travels, told exactly in `tick`. */
export function toldOf({ kind, x, y, angle, vx, vy, spin, jumps, words }: Body, tick: Tick): Told {
  return {
    tick,
    run: 1,
    isExact: true,
    kind,
    x: Math.round(x * PLACES_PER_METRE),
    y: Math.round(y * PLACES_PER_METRE),
    angle: Math.round(angle * ANGLES_PER_RADIAN),
    vx: Math.round(vx * SPEEDS_PER_METRE),
    vy: Math.round(vy * SPEEDS_PER_METRE),
    spin: Math.round(spin * SPEEDS_PER_METRE),
    jumps,
    words: words.slice(),
  };
}

/** The reverse of `toldOf`, into a body without words of that kind. @returns the body */
export function becomeTold(body: Body, { x, y, angle, vx, vy, spin, jumps, words }: Told): Body {
  body.x = x / PLACES_PER_METRE;
  body.y = y / PLACES_PER_METRE;
  body.angle = angle / ANGLES_PER_RADIAN;
  body.vx = vx / SPEEDS_PER_METRE;
  body.vy = vy / SPEEDS_PER_METRE;
  body.spin = spin / SPEEDS_PER_METRE;
  body.jumps = jumps;
  for (const word of words) body.words.push(word);
  return body;
}
