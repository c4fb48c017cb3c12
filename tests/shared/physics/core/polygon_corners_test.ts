/** The corners of polygons that an author, or a level editor, declares. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { planck } from "../geometry/planck_reference.ts";
import { FEATURES } from "../scenes/features.ts";

type Corners = readonly (readonly [x: number, y: number])[];

function stageOf(polygon: Corners): Stage {
  const slab = archetype({
    name: "slab",
    body: { fixtures: [{ shape: { polygon }, density: 2 }] },
    fields: {},
  });
  const ground = [{ shape: { box: [20, 1], y: -1 } }] as const;
  const def: StageDef = {
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    features: FEATURES,
    ground,
    archetypes: [slab],
    fields: {},
  };
  const stage = new Stage(def);
  stage.spawn(slab, { x: 0, y: 3, angle: 0.3 });
  return stage;
}

/** The words of a stage after two seconds. */
function wordsOf(stage: Stage): readonly number[] {
  const snapshot = new Snapshot();
  for (let tick = 0; tick < 40; tick++) {
    stage.advance();
    stage.endTick();
  }
  stage.save(snapshot);
  return [...snapshot.words.subarray(0, snapshot.length)];
}

const RECTANGLE: Corners = [[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]];
const FRAC = Math.fround(1 / 3);

Deno.test("polygon: corners on a straight side do no harm: all bits are those of the rectangle (SPEC 9.76)", () => {
  const expected = wordsOf(stageOf(RECTANGLE));
  const more: Corners[] = [
    [[-0.5, -0.25], [0, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]],
    [[0, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25], [-0.5, -0.25]],
    [[-0.5, 0.25], [0.5, 0.25], [0.5, 0.1], [0.5, -0.1], [0.5, -0.25], [-0.5, -0.25], [-0.5, 0]],
    // Rounded to either side of the line.
    [[-0.5, -0.25], [FRAC - 0.5, -0.2501], [0, -0.2499], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]],
    // Sixteen corners: those that are left out do not count.
    [...RECTANGLE.flatMap(([x, y], i) => {
      const [nextX, nextY] = RECTANGLE[(i + 1) % 4]!;
      return [0, 0.25, 0.5, 0.75].map((share) =>
        [x + share * (nextX - x), y + share * (nextY - y)] as const
      );
    })],
  ];
  for (const corners of more) {
    const stage = stageOf(corners);
    assertAlmostEquals(stage.entities()[0]!.mass, 1, 1e-12);
    assertEquals(wordsOf(stage), expected, JSON.stringify(corners));
  }
});

Deno.test("polygon: corners as in public bug reports are taken, with planck's mass (SPEC 9.76)", () => {
  const f = Math.fround;
  const reported: Corners[] = [
    // box2d#728: a corner 3e-9 m² off the line.
    [
      [-8.470019340515137, 0.5455836057662964],
      [-7.678089141845703, 0.658928632736206],
      [-7.084141731262207, 0.7439373731613159],
      [-7.367504119873047, 2.723762035369873],
      [-9.347329139709473, 2.440399646759033],
      [-9.063966751098633, 0.4605748653411865],
    ],
    // A quarter circle of ten corners, rounded to 32 bits.
    [
      [0, 0],
      ...Array.from({ length: 9 }, (_, i) => {
        const angle = i * Math.PI / 16;
        return [f(Math.cos(angle)), f(Math.sin(angle))] as const;
      }),
    ],
  ];
  for (const corners of reported) {
    const body = new planck.World().createDynamicBody();
    body.createFixture(new planck.Polygon(corners.map(([x, y]) => ({ x, y }))), 2);
    assertAlmostEquals(stageOf(corners).entities()[0]!.mass, body.getMass(), 1e-6);
  }
});

Deno.test("polygon: small round shapes keep all corners, and random convex ones with straight corners weld to the same [seeds 1 to 200]", () => {
  const round = (count: number, radius: number): Corners =>
    Array.from({ length: count }, (_, i) => {
      const angle = 2 * Math.PI * i / count;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });

  // Twelve sides of 3 mm, the least that corners may be apart.
  const dozen = stageOf(round(12, 0.0059)).entities()[0]!;
  assertAlmostEquals(dozen.mass, 2 * 12 / 2 * 0.0059 ** 2 * Math.sin(Math.PI / 6), 1e-12);

  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed);
    const count = 3 + random.below(6);
    const turn = random.fraction() * 6;
    const corners = round(count, 0.4 + random.fraction()).map(([x, y]): [number, number] => {
      const c = Math.cos(turn), s = Math.sin(turn);
      return [c * x * 1.7 - s * y, s * x * 1.7 + c * y];
    });
    const more = corners.flatMap((from, i): Corners => {
      if (random.below(2) === 0) return [from];
      const to = corners[(i + 1) % count]!;
      const share = 0.2 + 0.6 * random.fraction();
      const off = (random.fraction() - 0.5) * 2e-4;
      return [from, [
        from[0] + share * (to[0] - from[0]) + off,
        from[1] + share * (to[1] - from[1]) + off,
      ]];
    });
    const [plain, welded] = [corners, random.below(2) === 0 ? more : more.toReversed()].map((
      each,
    ) => stageOf(each).entities()[0]!);
    assertEquals([welded!.mass, welded!.inertia], [plain!.mass, plain!.inertia], `seed ${seed}`);
  }
});

Deno.test("polygon: what is not convex is refused in words that name the corner (SPEC 9.76)", () => {
  const star = (step: number): Corners =>
    Array.from({ length: 5 }, (_, i) => {
      const angle = 2 * Math.PI * i * step / 5;
      return [Math.cos(angle), Math.sin(angle)];
    });
  const wrong: [Corners, string][] = [
    [[[0, 0], [2, 0], [2, 2], [1, 0.2], [0, 2]], "slab's polygon is not convex at its corner"],
    [[[0, 0], [2, 0], [2, 1], [1, 0.999], [0, 1]], "not convex at its corner"], // a dent of 1 mm
    [star(2), "not convex at its corner"], // all of its corners turn one way
    [[[0, 0], [2, 0], [1, 0], [1, 1]], "not convex at its corner"], // there and back
    [[[0, 0], [1, 0], [2, 0]], "no area: its corners lie on one line"],
    [[[0, 0], [0, 0], [2, 2]], "two corners in one place, (0, 0)"],
    [[[0, 0], [1, 0]], "has 2 corners; 3 to 12 are allowed"],
    [
      Array.from({ length: 13 }, (_, i) => [Math.cos(i * 6.28 / 13), Math.sin(i * 6.28 / 13)]),
      "has 13 corners; 3 to 12",
    ],
  ];
  for (const [corners, message] of wrong) assertThrows(() => stageOf(corners), StageError, message);
  assert(stageOf(star(1)).entityCount === 1);
});
