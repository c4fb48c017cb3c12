/** Mass, centre and inertia, compared bit by bit with planck's. */
import { assert, assertEquals } from "@std/assert";
import {
  assertSameBits,
  planck,
  planckShape,
  randomShape,
  rowsOf,
  type ShapeType,
} from "./planck_reference.ts";
import { ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import {
  addMass,
  INERTIA,
  MASS,
  massOf,
  MOMENT_X,
  MOMENT_Y,
} from "../../../../shared/physics/geometry/mass.ts";
import { Random } from "../../../../shared/random.ts";

const TYPES: readonly ShapeType[] = ["circle", "edge", "box", "polygon"];

Deno.test("addMass: has planck's mass, first moment and inertia of every shape", () => {
  const random = new Random(1);
  for (const type of TYPES) {
    for (let i = 0; i < 5000; i++) {
      const shape = randomShape(random, type);
      const density = random.fraction() * 3;
      const sum = new Float64Array(4);
      addMass(rowsOf(shape), 0, density, sum);
      const expected = { mass: 0, center: { x: 0, y: 0 }, I: 0 };
      planckShape(shape).computeMass(expected, density);
      const { mass, center: { x, y }, I } = expected;
      const moments = [mass === 0 ? 0 : mass * x, mass === 0 ? 0 : mass * y];
      const ours = [MASS, MOMENT_X, MOMENT_Y, INERTIA].map((at) => sum[at]!);
      assertSameBits(ours, [mass, ...moments, I].map((each) => 0 + each), `${type} ${i}`);
    }
  }
});

/** The hidden numbers of planck's body. */
interface BodyNumbers {
  readonly m_invMass: number;
  readonly m_invI: number;
}

Deno.test("massOf: has planck's numbers for a dynamic body of several fixtures", () => {
  const random = new Random(2);
  const world = new planck.World();
  const seen = { massless: 0, heavy: 0, fixed: 0 };

  for (let i = 0; i < 6000; i++) {
    const count = random.below(6);
    const fixedRotation = random.below(4) === 0;
    const shapes = Array.from(
      { length: count },
      () => randomShape(random, TYPES[random.below(4)]!),
    );
    const fixtures = shapes.map((_, k) => ({
      shape: k * ShapeValue.STRIDE,
      density: random.below(3) === 0 ? 0 : random.fraction() * 3,
    }));
    const body = world.createBody({ type: "dynamic", fixedRotation });
    shapes.forEach((shape, k) =>
      body.createFixture(planckShape(shape), { density: fixtures[k]!.density })
    );
    const { inverseMass, inverseInertia, centerX, centerY } = massOf(
      rowsOf(...shapes),
      fixtures,
      fixedRotation,
    );
    const { m_invMass, m_invI } = body as unknown as BodyNumbers;
    const { x, y } = body.getLocalCenter();
    assertSameBits(
      [inverseMass, inverseInertia, centerX, centerY],
      [m_invMass, m_invI, x, y],
      `body ${i}`,
    );
    world.destroyBody(body);
    seen[inverseInertia > 0 ? "heavy" : fixedRotation ? "fixed" : "massless"]++;
  }

  assert(Object.values(seen).every((bodies) => bodies > 600), JSON.stringify(seen));
});

Deno.test("massOf: a body without mass has 1 kg, and its centre is its origin", () => {
  const expected = { inverseMass: 1, inverseInertia: 0, centerX: 0, centerY: 0 };
  assertEquals(massOf(rowsOf({ circle: 1, x: 2 }), [{ shape: 0, density: 0 }], false), expected);
  assertEquals(massOf(rowsOf({ edge: [1, 1, 2, 2] }), [{ shape: 0, density: 5 }], false), expected);
});
