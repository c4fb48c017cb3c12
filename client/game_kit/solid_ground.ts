/**
 * Finds the ground's boxes, so that no eased body is drawn inside one. Only bodies that collide
 * with the whole ground count, because others may pass through it.
 */
import type { FixtureDef } from "../../shared/game_kit/game_kit.ts";
import type { Body, Solid } from "../presentation/solids.ts";
import type { LooseDeclaration, LooseWorld } from "./loose_types.ts";
import { extentOf } from "./picture/outlines.ts";

/** Properties that may let a body through the ground. */
const PASSING: readonly string[] = ["type", "category", "mask", "sensor", "enabled"];

/** The ground's boxes, and those of static things that count as ground while they are there. */
export class SolidGround {
  readonly #fixed: readonly Solid[];
  /** The radius of each thing's body that all boxes stop, by its name. */
  readonly #radii: ReadonlyMap<string, number>;
  /** The boxes of each solid thing about its origin, by its name. */
  readonly #boxes: ReadonlyMap<string, readonly Solid[]>;
  readonly #bodies = new Map<string, Body>();
  /** The solid things of the newest frame: ids and places. */
  #there = "";

  /** @param solid names of static things */
  constructor(declaration: LooseDeclaration, solid: readonly string[]) {
    const { ground, things } = declaration;
    this.#fixed = ground.flatMap(solidOf);
    this.#radii = radiiOf(declaration);
    this.#boxes = new Map(
      solid.map((name) => [name, (things[name]?.body?.fixtures ?? []).flatMap(solidOf)]),
    );
    this.#setSolids(this.#fixed);
  }

  /** The body of a thing, for the smoother; undefined for one that may be anywhere. */
  bodyOf(name: string): Body | undefined {
    return this.#bodies.get(name);
  }

  /** Looks which solid things are there. A round has others than the one before. */
  follow(world: LooseWorld): void {
    if (this.#boxes.size === 0) return;
    let there = "";
    for (const name of this.#boxes.keys()) {
      for (const { id, x, y } of world.all(name)) there += `${id} ${x} ${y};`;
    }
    if (there === this.#there) return;

    this.#there = there;
    const moved: Solid[] = [];
    for (const [name, boxes] of this.#boxes) {
      for (const thing of world.all(name)) {
        for (const box of boxes) moved.push({ ...box, x: box.x + thing.x, y: box.y + thing.y });
      }
    }
    this.#setSolids([...this.#fixed, ...moved]);
  }

  #setSolids(solids: readonly Solid[]): void {
    this.#bodies.clear();
    if (solids.length === 0) return;
    for (const [name, radius] of this.#radii) this.#bodies.set(name, { radius, solids });
  }
}

/** By the thing's name; none for things that may be anywhere. */
function radiiOf({ things }: LooseDeclaration): ReadonlyMap<string, number> {
  const radii = new Map<string, number>();
  for (const [name, { body }] of Object.entries(things)) {
    const isDynamic = body !== undefined && (body.type ?? "dynamic") === "dynamic" &&
      body.path === undefined;
    const mayPass = body?.mutable?.some((property) => PASSING.includes(property)) ?? false;
    if (!isDynamic || mayPass || !body.fixtures.every(meetsGround)) continue;
    const radius = extentOf(body.fixtures).inner;
    if (radius > 0) radii.set(name, radius);
  }
  return radii;
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
