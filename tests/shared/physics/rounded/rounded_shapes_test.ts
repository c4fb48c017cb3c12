/** Capsules and rounded polygons: their mass, and their manifolds with every other shape. */
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { Contact, ContactInt } from "../../../../shared/physics/core/contact_rows.ts";
import { ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import { mustSwap } from "../../../../shared/physics/geometry/collide.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import { massOf } from "../../../../shared/physics/geometry/mass.ts";
import {
  computeWorldManifold,
  WorldManifold,
  worldManifold,
  WorldPoint,
} from "../../../../shared/physics/geometry/world_manifold.ts";
import { rounded } from "../../../../shared/physics/rounded/feature.ts";
import { Random } from "../../../../shared/random.ts";
import {
  cornersOf,
  hullDistance,
  PLAIN_SHAPES,
  randomBodies,
  ROUND_SHAPES,
  rowOf,
} from "./round_pairs.ts";

/** Metres: a corner that is so little beyond the end of a face counts as before it. */
const BESIDE = 0.005;

Deno.test("rounded: a capsule has the mass of a box and two half discs, as in Box2D 3 (SPEC 9.86)", () => {
  const radius = 0.3;
  const length = 1.4;
  const density = 2;
  const row = rowOf({ capsule: [-0.7, 0, 0.7, 0], radius });
  const mass = massOf(row, [{ shape: 0, density }], false, rounded.geometry.addMass);

  // b2ComputeCapsuleMass
  const discs = density * Math.PI * radius * radius;
  const box = density * 2 * radius * length;
  const toCentroid = 4 * radius / (3 * Math.PI);
  const inertia = discs * (0.5 * radius * radius + 0.25 * length * length + length * toCentroid) +
    box * (4 * radius * radius + length * length) / 12;
  assertAlmostEquals(1 / mass.inverseMass, discs + box, 1e-12);
  assertAlmostEquals(1 / mass.inverseInertia, inertia, 1e-12);
  assertAlmostEquals(mass.centerX, 0, 1e-12);
  assertAlmostEquals(mass.centerY, 0, 1e-12);
});

Deno.test("rounded: mass, centre and inertia are those of all points within the radius (SPEC 9.86)", () => {
  const step = 1 / 256;
  for (const shape of ROUND_SHAPES) {
    const row = rowOf(shape);
    const still = new Float64Array(Body.STRIDE);
    still[Body.COS] = 1;
    const hull = cornersOf(row, still, 0);
    let mass = 0;
    let momentX = 0;
    let momentY = 0;
    let inertia = 0;
    for (let x = -1.5 + step / 2; x < 1.5; x += step) {
      for (let y = -1.5 + step / 2; y < 1.5; y += step) {
        if (hullDistance([[x, y]], hull) > row[ShapeValue.RADIUS]!) continue;
        const share = step * step;
        mass += share;
        momentX += share * x;
        momentY += share * y;
        inertia += share * (x * x + y * y);
      }
    }

    const ours = massOf(row, [{ shape: 0, density: 1 }], false, rounded.geometry.addMass);
    const about = inertia - (momentX * momentX + momentY * momentY) / mass;
    assertAlmostEquals(ours.inverseMass * mass, 1, 2e-3);
    assertAlmostEquals(ours.inverseInertia * about, 1, 4e-3);
    assertAlmostEquals(ours.centerX, momentX / mass, 1e-3);
    assertAlmostEquals(ours.centerY, momentY / mass, 1e-3);
  }
});

/** @returns the least separation of the points of `collision`, metres; undefined without a point */
function leastSeparation(shapes: Float64Array, bodies: Float64Array): number | undefined {
  const count = collision.ints[ContactInt.POINT_COUNT]!;
  if (count === 0) return undefined;
  const at = [bodies, 0, Body.STRIDE, shapes, 0, ShapeValue.STRIDE] as const;
  computeWorldManifold(collision.values, Contact.LOCAL_NORMAL_X, collision.ints, 0, ...at);
  const separations = Array.from(
    { length: count },
    (_, i) => worldManifold[WorldManifold.POINTS + i * WorldPoint.STRIDE + WorldPoint.SEPARATION]!,
  );
  return Math.min(...separations);
}

Deno.test("rounded: two shapes touch exactly if they are within both radii, and are as deep as that (SPEC 9.87)", () => {
  const random = new Random(3);
  const seen = { apart: 0, rounds: 0, faces: 0, overlapping: 0, twoPoints: 0 };
  for (const first of ROUND_SHAPES) {
    for (const second of [...ROUND_SHAPES, ...PLAIN_SHAPES]) {
      for (let turn = 0; turn < 1500; turn++) {
        const rows = [rowOf(first), rowOf(second)];
        if (mustSwap(new Float64Array([...rows[0]!, ...rows[1]!]), 0, ShapeValue.STRIDE)) {
          rows.reverse();
        }
        const shapes = new Float64Array([...rows[0]!, ...rows[1]!]);
        const bodies = randomBodies(random, 1.6);
        rounded.geometry.collide(shapes, 0, bodies, 0, ShapeValue.STRIDE, Body.STRIDE, undefined);

        const distance = hullDistance(
          cornersOf(rows[0]!, bodies, 0),
          cornersOf(rows[1]!, bodies, Body.STRIDE),
        );
        const radius = rows[0]![ShapeValue.RADIUS]! + rows[1]![ShapeValue.RADIUS]!;
        const expected = distance - radius;
        const actual = leastSeparation(shapes, bodies);
        const what = `${JSON.stringify([first, second])}, pair ${turn}: ${expected}, ${actual}`;
        if (expected > 1e-9) {
          assertEquals(actual, undefined, what);
          seen.apart++;
          continue;
        }
        if (expected > -1e-9) continue;
        assert(actual !== undefined, what);
        if (distance > BESIDE) {
          assert(actual > expected - BESIDE && actual < expected + 1e-9, what);
          const isRound = collision.ints[ContactInt.MANIFOLD_TYPE] === 0;
          seen[isRound ? "rounds" : "faces"]++;
        } else {
          assert(actual <= BESIDE - radius + 1e-9, what);
          seen.overlapping++;
        }
        if (collision.ints[ContactInt.POINT_COUNT] === 2) seen.twoPoints++;
      }
    }
  }
  for (const [what, count] of Object.entries(seen)) assertGreater(count, 2000, what);
});
