/**
 * Contacts of rounded shapes forget: they are a function of two shapes and poses, whatever pairs
 * were computed before. A search for the least distance may begin where the last one ended, and
 * `collision` still has the last manifold, so a rest of either would make bits of history.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { archetype } from "../../../../shared/physics/core/types.ts";
import { rounded } from "../../../../shared/physics/rounded/feature.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import type { Entity } from "../../../../shared/physics/stage/entity.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

const PAIRS = 80;
const TICKS = 30;
/** Metres from one pair to the next, which never meet. */
const APART = 20;

const fields = {};
const eight = Array.from({ length: 8 }, (_, i): [number, number] => [
  0.5 * Math.cos(i * Math.PI / 4),
  0.5 * Math.sin(i * Math.PI / 4),
]);
const PILL = archetype({
  name: "pill",
  body: { fixtures: [{ shape: { capsule: [-0.5, 0, 0.5, 0], radius: 0.2 } }] },
  fields,
});
/** Its body's origin, where a corner would be that it does not have, is outside of it. */
const CLUB = archetype({
  name: "club",
  body: { fixtures: [{ shape: { capsule: [0.3, 0, 1.3, 0], radius: 0.2 } }] },
  fields,
});
const WHEEL = archetype({
  name: "wheel",
  body: { fixtures: [{ shape: { polygon: eight, radius: 0.15 } }] },
  fields,
});
const SHAPES = [
  PILL,
  CLUB,
  archetype({
    name: "wedge",
    body: {
      fixtures: [{ shape: { polygon: [[-0.4, -0.3], [0.5, -0.2], [0, 0.4]], radius: 0.1 } }],
    },
    fields,
  }),
  WHEEL,
  archetype({ name: "crate", body: { fixtures: [{ shape: { box: [0.4, 0.3] } }] }, fields }),
];

function emptyStage(): Stage {
  return new Stage({
    gravity: 0,
    tickHz: 60,
    substeps: 1,
    features: [rounded],
    ground: [],
    archetypes: SHAPES,
    fields: {},
  });
}

/**
 * Two bodies that press against each other for a while. They are a function of `index`: after a
 * wheel of eight corners, a club of two.
 */
function addPair(stage: Stage, index: number): [Entity, Entity] {
  const random = new Random(index + 1);
  const y = APART * index;
  const one = stage.spawn(index % 2 === 0 ? WHEEL : CLUB, {
    x: -0.7,
    y,
    angle: random.fraction() * 6,
  });
  const other = stage.spawn(SHAPES[random.below(SHAPES.length)]!, {
    x: 0.7,
    y: y + random.fraction() - 0.5,
    angle: random.fraction() * 6,
  });
  stage.setVelocity(one, 3, 0);
  stage.setVelocity(other, -3, 0);
  stage.setSpin(other, random.fraction() * 6 - 3);
  return [one, other];
}

function advance(stage: Stage): void {
  stage.advance();
  stage.endTick();
}

/** The words of a pair's contact, without the names of its entities. */
function contactOf(stage: Stage, [a, b]: [Entity, Entity]): string[] {
  const state = new Snapshot();
  stage.save(state);
  const owner = `contact ${a.id}:0-${b.id}:0 `;
  return snapshotLabels(stage, state).flatMap((label, at) => {
    const word = label.startsWith(owner) ? label.slice(owner.length) : "";
    return word === "" || word.startsWith("entity") || word === "shape"
      ? []
      : [`${word} ${state.words[at]}`];
  });
}

function poseOf({ x, y, angle, vx, vy, spin }: Entity): number[] {
  return [x, y, angle, vx, vy, spin];
}

Deno.test("rounded: a pair that touches has the same bits alone as among others (SPEC 9.1, 9.87)", () => {
  const together = emptyStage();
  const pairs = Array.from({ length: PAIRS }, (_, index) => addPair(together, index));
  const expected: unknown[][] = pairs.map(() => []);
  for (let tick = 0; tick < TICKS; tick++) {
    advance(together);
    pairs.forEach((pair, i) => {
      const words = tick % 10 === 9 ? contactOf(together, pair) : [];
      expected[i]!.push([...pair.flatMap(poseOf), ...words]);
    });
  }

  let touching = 0;
  for (let index = 0; index < PAIRS; index++) {
    const alone = emptyStage();
    const pair = addPair(alone, index);
    for (let tick = 0; tick < TICKS; tick++) {
      advance(alone);
      const words = tick % 10 === 9 ? contactOf(alone, pair) : [];
      if (words.length > 0) touching++;
      const actual = [...pair.flatMap(poseOf), ...words];
      assertEquals(actual, expected[index]![tick] as unknown[], `pair ${index}, tick ${tick}`);
    }
  }
  assertGreater(touching, PAIRS / 2);
});

Deno.test("rounded: a point of two corners has the numbers of both, so another corner begins without its impulse (SPEC 9.87)", () => {
  const featuresAt = (angle: number) => {
    const stage = emptyStage();
    const one = stage.spawn(PILL, { x: 0, y: 0 });
    const other = stage.spawn(PILL, { x: 1.38, y: 0.05, angle });
    stage.setVelocity(other, -0.5, 0);
    advance(stage);
    const [word] = contactOf(stage, [one, other]).filter((each) => each.startsWith("features[0]"));
    assert(word !== undefined, "they touch");
    return word;
  };
  const [ahead, turned] = [featuresAt(0.2), featuresAt(Math.PI + 0.2)];
  assert(ahead !== turned, `${ahead} for either corner`);
});
