/** Sweep and prune finds the pairs that brute force finds, while boxes come, go, move, grow or are not finite. */
import { assert, assertEquals } from "@std/assert";
import { BroadPhase } from "../../../../shared/physics/collision/broad_phase.ts";
import type { PlanckProxy } from "../../../../shared/physics/planck/planck.ts";
import { Random } from "../../../../shared/random.ts";

const MARGIN = 0.05;

interface Box {
  readonly lowerBound: { x: number; y: number };
  readonly upperBound: { x: number; y: number };
}

/** Mostly small boxes in a hall or a tower. Some are as long as the scene, a few are NaN. */
function randomBox(random: Random, isTower: boolean): Box {
  const length = random.below(12) === 0 ? 60 : 0.2 + random.fraction() * 2;
  const along = random.below(40) === 0 ? NaN : random.fraction() * 40 - length / 2;
  const across = random.fraction() * 20, end = along + length, far = across + random.fraction() * 2;
  return isTower
    ? { lowerBound: { x: across, y: along }, upperBound: { x: far, y: end } }
    : { lowerBound: { x: along, y: across }, upperBound: { x: end, y: far } };
}

function overlap(a: Box, b: Box, margin: number): boolean {
  const [{ lowerBound: l, upperBound: u }, { lowerBound: low, upperBound: up }] = [a, b];
  return l.x - margin <= up.x + margin && low.x - margin <= u.x + margin && l.y - margin <= up.y + margin &&
    low.y - margin <= u.y + margin;
}

const name = (a: number, b: number) => a < b ? `${a}-${b}` : `${b}-${a}`;

Deno.test("BroadPhase.findNewPairs, query: find each pair of brute force once, also after the axis changes", () => {
  const random = new Random(7), live = new Map<number, { box: Box; id: number; moved: boolean }>();
  let reported: string[] = [], pairs = 0, within = 0;
  const broadPhase = new BroadPhase((a, b) => reported.push(name(a.key, b.key)));
  let isTower = false;
  const create = (key: number) => {
    const box = randomBox(random, isTower), proxy = { key } as unknown as PlanckProxy;
    live.set(key, { box, id: broadPhase.createProxy(box, proxy), moved: true });
  };
  for (let key = 0; key < 100; key++) create(key);
  for (let round = 0; round < 300; round++) {
    isTower = round % 100 >= 50;
    for (const [key, one] of live) {
      const draw = random.below(20);
      if (draw < 6) {
        one.box = randomBox(random, isTower);
        one.moved = true;
        broadPhase.moveProxy(one.id, one.box);
      } else if (draw === 6 && live.size > 70) {
        broadPhase.destroyProxy(one.id);
        live.delete(key);
      }
    }
    if (live.size < 130) create(1000 + round);
    reported = [];
    broadPhase.findNewPairs();
    const all = [...live.entries()];
    const expected = all.flatMap(([a, one], i) =>
      all.slice(i + 1).filter(([, other]) => (one.moved || other.moved) && overlap(one.box, other.box, MARGIN))
        .map(([b]) => name(a, b))
    );
    assertEquals(reported.sort(), expected.sort(), `round ${round}`);
    pairs += reported.length;
    for (const one of live.values()) one.moved = false;
    const box = randomBox(random, isTower),
      { lowerBound: { x: left, y: bottom }, upperBound: { x: right, y: top } } = box;
    const count = broadPhase.query({ left, bottom, right, top });
    const found = [...broadPhase.queryResults.subarray(0, count)].map((id) => broadPhase.proxyOf(id).key);
    const shrunk = {
      lowerBound: { x: left + MARGIN, y: bottom + MARGIN },
      upperBound: { x: right - MARGIN, y: top - MARGIN },
    };
    const near = all.filter(([, other]) => overlap(other.box, shrunk, MARGIN)).map(([key]) => key);
    // A queried box has no margin. Adding and subtracting one rounds.
    assertEquals(new Set(found), new Set(near), `round ${round}`);
    assertEquals(found.length, near.length);
    within += count;
  }
  assert(pairs > 5000 && within > 300, `${pairs} pairs, ${within} within`);
});
