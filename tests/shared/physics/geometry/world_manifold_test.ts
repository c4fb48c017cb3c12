/** Normals, points and separations in the world, compared bit by bit with planck's. */
import { assert } from "@std/assert";
import {
  assertSameBits,
  BODY_A,
  BODY_B,
  type Pair,
  planck,
  randomPair,
  SHAPE_A,
  SHAPE_B,
  type ShapeType,
} from "./planck_reference.ts";
import { Contact, ContactInt, ContactPoint } from "../../../../shared/physics/core/contact_rows.ts";
import { collide } from "../../../../shared/physics/geometry/collide.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import {
  computeWorldManifold,
  computeWorldNormal,
  WorldManifold,
  worldManifold,
  WorldPoint,
} from "../../../../shared/physics/geometry/world_manifold.ts";
import { Random } from "../../../../shared/random.ts";

const PAIRS: readonly (readonly [ShapeType, ShapeType])[] = [
  ["circle", "circle"],
  ["polygon", "circle"],
  ["edge", "circle"],
  ["edge", "polygon"],
  ["polygon", "polygon"],
  ["box", "box"],
];
/** The manifold is at these offsets of larger arrays, as a contact's row is. */
const AT = 2 * Contact.STRIDE, I = 3 * ContactInt.STRIDE;

const values = new Float64Array(AT + Contact.STRIDE);
const ints = new Int32Array(I + ContactInt.STRIDE);

/** Copies `collision` into a contact's row. @returns it as planck's manifold */
function copyCollision(): planck.Manifold {
  const manifold = new planck.Manifold();
  const { values: from, ints: fromInts } = collision;
  values.set(from, AT);
  ints.set(fromInts, I);
  manifold.type = fromInts[ContactInt.MANIFOLD_TYPE]!;
  manifold.pointCount = fromInts[ContactInt.POINT_COUNT]!;
  manifold.localNormal = { x: from[Contact.LOCAL_NORMAL_X]!, y: from[Contact.LOCAL_NORMAL_Y]! };
  manifold.localPoint = { x: from[Contact.LOCAL_POINT_X]!, y: from[Contact.LOCAL_POINT_Y]! };
  manifold.points.forEach((point, i) => {
    const at = Contact.POINTS + i * ContactPoint.STRIDE;
    point.localPoint = { x: from[at + ContactPoint.LOCAL_X]!, y: from[at + ContactPoint.LOCAL_Y]! };
  });
  return manifold;
}

/** Asserts that our numbers of a touching pair are planck's. */
function compare(
  { shapes, bodies, a, b, from, to }: Pair,
  manifold: planck.Manifold,
  what: string,
): void {
  const expected = new planck.WorldManifold();
  manifold.getWorldManifold(expected, from, a.getRadius(), to, b.getRadius());
  const { normal, points, separations } = expected;
  const ourNormal =
    () => [worldManifold[WorldManifold.NORMAL_X]!, worldManifold[WorldManifold.NORMAL_Y]!];
  computeWorldNormal(values, AT, ints, I, bodies, BODY_A, BODY_B);
  assertSameBits(ourNormal(), [normal.x, normal.y], what);
  worldManifold.fill(0);
  computeWorldManifold(values, AT, ints, I, bodies, BODY_A, BODY_B, shapes, SHAPE_A, SHAPE_B);
  assertSameBits(ourNormal(), [normal.x, normal.y], what);
  for (let i = 0; i < manifold.pointCount; i++) {
    const at = WorldManifold.POINTS + i * WorldPoint.STRIDE;
    const { x, y } = points[i]!;
    const ours = [WorldPoint.X, WorldPoint.Y, WorldPoint.SEPARATION].map((part) =>
      worldManifold[at + part]!
    );
    assertSameBits(ours, [x, y, separations[i]!], what);
  }
}

Deno.test("computeWorldManifold, computeWorldNormal: have the bits of planck's world manifold", () => {
  const random = new Random(3);
  const counts = [0, 0, 0];
  const types = [0, 0, 0];
  for (const [typeA, typeB] of PAIRS) {
    for (let turn = 0; turn < 12_000; turn++) {
      const pair = randomPair(random, typeA, typeB, turn);
      collide(pair.shapes, SHAPE_A, pair.bodies, BODY_A, SHAPE_B, BODY_B);
      const manifold = copyCollision();
      counts[manifold.pointCount]!++;
      if (manifold.pointCount === 0) continue;
      types[manifold.type]!++;
      compare(pair, manifold, `${typeA} and ${typeB}, pair ${turn}`);
    }
  }
  assert(counts.every((count) => count > 4000), `no, one, two points: ${counts}`);
  assert(types.every((count) => count > 4000), `circles, face of A, face of B: ${types}`);
});
