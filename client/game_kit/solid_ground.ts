/**
 * Finds the ground's boxes, so that no eased body is drawn inside one. Only bodies that collide
 * with the whole ground count, because others may pass through it.
 */
import type { FixtureDef } from "../../shared/game_kit/game_kit.ts";
import type { Body, Solid } from "../presentation/solids.ts";
import type { LooseDeclaration } from "./loose_types.ts";
import { extentOf } from "./picture/outlines.ts";

/** Properties that may let a body through the ground. */
const PASSING: readonly string[] = ["type", "category", "mask", "sensor", "enabled"];

/** By the thing's name; none for things that may be anywhere. */
export function bodiesOf({ ground, things }: LooseDeclaration): ReadonlyMap<string, Body> {
  const solids = ground.flatMap(solidOf);
  const bodies = new Map<string, Body>();
  if (solids.length === 0) return bodies;
  for (const [name, { body }] of Object.entries(things)) {
    const isDynamic = body !== undefined && (body.type ?? "dynamic") === "dynamic" &&
      body.path === undefined;
    const mayPass = body?.mutable?.some((property) => PASSING.includes(property)) ?? false;
    if (!isDynamic || mayPass || !body.fixtures.every(meetsGround)) continue;
    const radius = extentOf(body.fixtures).inner;
    if (radius > 0) bodies.set(name, { radius, solids });
  }
  return bodies;
}

/** The ground's category, unless it says otherwise. */
const GROUND = 1;

/** Whether the whole ground of `solidOf` stops the fixture. */
function meetsGround({ sensor, mask = GROUND }: FixtureDef): boolean {
  return !sensor && (mask & GROUND) !== 0;
}

function collidesWithAll({ sensor, mask, category }: FixtureDef): boolean {
  return !sensor && mask === undefined && category === undefined;
}

/** The fixture's box, if it is neither turned nor rounded, and everything collides with it. */
function solidOf(fixture: FixtureDef): Solid[] {
  const { shape, oneWay } = fixture;
  const isPlain = "box" in shape && (shape.angle ?? 0) === 0 && shape.radius === undefined;
  if (!isPlain || oneWay || !collidesWithAll(fixture)) return [];
  const { box: [halfWidth, halfHeight], x = 0, y = 0 } = shape;
  return [{ x, y, width: 2 * halfWidth, height: 2 * halfHeight }];
}
