/**
 * Sweep and prune finds the pairs that brute force finds, while boxes come, go, move, grow or are
 * not finite.
 */
import { assert, assertEquals } from "@std/assert";
import { BroadPhase } from "../../../../shared/physics/collision/broad_phase.ts";
import { Random } from "../../../../shared/random.ts";

const MARGIN = 0.05;

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/**
 * A box in the broad-phase, and whether it is new or has left its last place since the last search.
 */
interface LiveBox {
  box: Box;
  moved: boolean;
}

/** Mostly small boxes in a hall or a tower. Some are as long as the scene, a few are NaN. */
function randomBox(random: Random, isTower: boolean): Box {
  const length = random.below(12) === 0 ? 60 : 0.2 + random.fraction() * 2;
  const along = random.below(40) === 0 ? NaN : random.fraction() * 40 - length / 2;
  const across = random.fraction() * 20;
  const end = along + length;
  const far = across + random.fraction() * 2;
  return isTower
    ? { left: across, bottom: along, right: far, top: end }
    : { left: along, bottom: across, right: end, top: far };
}

function isWithin(a: Box, b: Box): boolean {
  return a.left >= b.left && a.bottom >= b.bottom && a.right <= b.right && a.top <= b.top;
}

function overlap(a: Box, b: Box, margin: number): boolean {
  return a.left - margin <= b.right + margin && b.left - margin <= a.right + margin &&
    a.bottom - margin <= b.top + margin && b.bottom - margin <= a.top + margin;
}

const name = (a: number, b: number) => a < b ? `${a}-${b}` : `${b}-${a}`;

Deno.test("BroadPhase.findNewPairs, query: find each pair of brute force once, also after the axis changes", () => {
  const random = new Random(7);
  const live = new Map<number, LiveBox>();
  let reported: string[] = [];
  let pairs = 0;
  let within = 0;
  let nextId = 0;
  let isTower = false;
  const broadPhase = new BroadPhase((a, b) => reported.push(name(a, b)));
  const set = (id: number) => {
    const box = randomBox(random, isTower);
    const last = live.get(id);
    live.set(id, { box, moved: last === undefined || last.moved || !isWithin(box, last.box) });
    broadPhase.moveProxy(id, Float64Array.of(box.left, box.bottom, box.right, box.top));
  };
  const create = (id: number) => {
    broadPhase.add(id);
    set(id);
  };
  while (nextId < 100) create(nextId++);
  for (let round = 0; round < 300; round++) {
    isTower = round % 100 >= 50;
    const removed: number[] = [];
    for (const id of [...live.keys()]) {
      const draw = random.below(20);
      if (draw < 6) set(id);
      else if (draw === 6 && live.size > 70) {
        broadPhase.remove(id);
        live.delete(id);
        removed.push(id);
      }
    }
    // Ids are used again at once in every second round: a search must not confuse the old box with
    // the new one.
    if (live.size < 130) create(round % 2 === 0 ? removed.pop() ?? nextId++ : nextId++);
    reported = [];
    broadPhase.findNewPairs();
    const all = [...live.entries()];
    const expected = all.flatMap(([a, one], i) =>
      all.slice(i + 1).filter(([, other]) =>
        (one.moved || other.moved) && overlap(one.box, other.box, MARGIN)
      )
        .map(([b]) => name(a, b))
    );
    assertEquals(reported.sort(), expected.sort(), `round ${round}`);
    pairs += reported.length;
    for (const one of live.values()) one.moved = false;
    const box = randomBox(random, isTower);
    const count = broadPhase.query(box);
    const found = [...broadPhase.queryResults.subarray(0, count)];
    // A queried box has no margin. Adding and subtracting one rounds.
    const shrunk = {
      left: box.left + MARGIN,
      bottom: box.bottom + MARGIN,
      right: box.right - MARGIN,
      top: box.top - MARGIN,
    };
    const near = all.filter(([, other]) => overlap(other.box, shrunk, MARGIN)).map(([id]) => id);
    assertEquals(new Set(found), new Set(near), `round ${round}`);
    assertEquals(found.length, near.length);
    within += count;
  }

  assert(pairs > 5000 && within > 300, `${pairs} pairs, ${within} within`);
});
