/** The manifold of two boxes, compared with planck's own function for polygons. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { boxOf, collideBoxes } from "../../../../shared/physics/collision/collide_boxes.ts";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import {
  fixtureDef,
  type PlanckManifold,
  type PlanckPolygon,
  type PlanckTransform,
} from "../../../../shared/physics/planck/planck.ts";
import { Random } from "../../../../shared/random.ts";
import { rowOf } from "../scenes/body_row.ts";
import { internal, Manifold } from "planck";

/** planck's function with the project's types of planck's objects. */
const collidePolygons = internal.CollidePolygons as unknown as (
  into: PlanckManifold,
  a: PlanckPolygon,
  from: PlanckTransform,
  b: PlanckPolygon,
  to: PlanckTransform,
) => void;

const polygon = (shape: Parameters<typeof fixtureDef>[0]["shape"]) => fixtureDef({ shape }, 1).shape as PlanckPolygon;

/** A box with sides of 0.2 to 2.2 m, somewhere in its body's frame. */
function randomBox(random: Random): PlanckPolygon {
  const side = () => 0.1 + random.fraction(), place = () => random.fraction() - 0.5;
  return polygon({ box: [side(), side()], x: place(), y: place(), angle: random.fraction() * 7 });
}

/** Every third one is upright: two upright boxes have equally good faces and parallel edges. */
function randomTransform(random: Random, reach: number): PlanckTransform {
  const angle = random.below(3) === 0 ? 0 : random.fraction() * 7;
  return {
    p: { x: random.fraction() * reach, y: random.fraction() * reach },
    q: { c: cos(angle), s: sin(angle) },
  };
}

/** The parts of a manifold to compare, with its points in the order of their features. */
function partsOf({ type, pointCount, localNormal, localPoint, points }: PlanckManifold) {
  const touching = points.slice(0, pointCount).sort((a, b) => a.id.key - b.id.key);
  return {
    types: [type, ...touching.map(({ id }) => id.key)],
    places: [localNormal, localPoint, ...touching.map((point) => point.localPoint)].flatMap(({ x, y }) => [x, y]),
  };
}

Deno.test("collideBoxes: finds planck's faces, features and points (SPEC 9.13)", () => {
  const random = new Random(5), seen = [0, 0, 0], types = [0, 0, 0];
  for (let i = 0; i < 50_000; i++) {
    const a = randomBox(random), b = randomBox(random);
    const from = randomTransform(random, 1), to = randomTransform(random, 2);
    const [ours, theirs] = [new Manifold(), new Manifold()] as unknown as [PlanckManifold, PlanckManifold];
    collideBoxes(ours, a, rowOf(from), b, rowOf(to));
    collidePolygons(theirs, a, from, b, to);
    assertEquals(ours.pointCount, theirs.pointCount, `pair ${i}`);
    seen[ours.pointCount]!++;
    if (ours.pointCount === 0) continue;
    types[ours.type]!++;
    const one = partsOf(ours), other = partsOf(theirs);
    assertEquals(one.types, other.types, `pair ${i}`);
    one.places.forEach((place, k) => assertAlmostEquals(place, other.places[k]!, 1e-12, `pair ${i}`));
  }
  assert(seen.every((count) => count > 5_000), `no, one, two points: ${seen}`);
  assert(types[1]! > 10_000 && types[2]! > 10_000, `faces of A, of B: ${types}`);
});

Deno.test("boxOf: only a polygon with four right angles is a box", () => {
  assert(boxOf(polygon({ box: [2, 0.1], angle: 0.3 })).length > 0);
  assert(boxOf(polygon({ polygon: [[0, 0], [3, 0], [3, 1], [0, 1]] })).length > 0);
  assertEquals(boxOf(polygon({ polygon: [[0, 0], [3, 0], [3.01, 1], [0, 1]] })).length, 0);
  assertEquals(boxOf(polygon({ polygon: [[0, 0], [3, 0], [3.5, 1], [0.5, 1]] })).length, 0);
  assertEquals(boxOf(polygon({ polygon: [[0, 0], [3, 0], [0, 1]] })).length, 0);
});
