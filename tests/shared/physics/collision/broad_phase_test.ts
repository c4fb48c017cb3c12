/**
 * The broad-phase: the reported pairs are a function of the AABBs, however many and of any kind. A
 * box that moves within its last place meets nothing new, and needs no search.
 */
import { assert, assertEquals } from "@std/assert";
import { Random } from "../../../../shared/random.ts";
import { BroadPhase } from "../../../../shared/physics/collision/broad_phase.ts";

type Corners = readonly [left: number, bottom: number, right: number, top: number];

/** Mostly small boxes in a hall. Some are huge, empty, far away, inverted or not finite. */
function randomBox(random: Random): Corners {
  const x = random.fraction() * 60 - 30, y = random.fraction() * 40 - 20;
  const size = 0.1 + random.fraction() * 2;
  const choice = random.below(60);
  if (choice === 0) return [x - 40, y, x + 40, y + 0.5];
  if (choice === 1) return [-1e5, -1e5, 1e5, 1e5];
  if (choice === 2) return [x, y, x, y];
  if (choice === 3) return [99_000 + x, -99_000 + y, 99_000 + x + size, -99_000 + y + size];
  if (choice === 4) return [x, y, NaN, y + size];
  if (choice === 5) return [x, -Infinity, x + 1, Infinity];
  if (choice === 6) return [x + size, y + size, x, y];
  if (choice === 7) return [1e300, y, 1e300, y + size];
  return [x, y, x + size, y + size];
}

/** A broad-phase and every pair that it has reported, as "smaller larger". */
class PairRecorder {
  readonly pairs = new Set<string>();
  readonly known = new Set<string>();
  readonly broadPhase = new BroadPhase((a, b) => {
    this.pairs.add(nameOf(a, b));
  });
  /**
   * The fixtures in the broad-phase. As in a world, a new fixture takes the id that was freed last.
   */
  readonly ids = new Set<number>();
  readonly #free: number[] = [];
  readonly #boxes = new Map<number, Corners>();

  add(box: Corners): number {
    const id = this.#free.pop() ?? this.ids.size;
    this.ids.add(id);
    this.broadPhase.add(id);
    this.move(id, box);
    return id;
  }

  /**
   * @returns whether the box is not within the last one, so that the next search must report its
   *   pairs
   */
  move(id: number, box: Corners): boolean {
    const last = this.#boxes.get(id);
    this.#boxes.set(id, box);
    this.broadPhase.moveProxy(id, Float64Array.from(box));
    return last === undefined ||
      !(box[0] >= last[0] && box[1] >= last[1] && box[2] <= last[2] && box[3] <= last[3]);
  }

  /**
   * Adds about half of the last reported pairs to the known ones, and removes a tenth of the older
   * ones.
   */
  changeKnownPairs(random: Random): void {
    for (const pair of this.known) if (random.chance(0.1)) this.#removeKnown(pair);
    for (const pair of this.pairs) {
      if (random.chance(0.5)) continue;
      this.known.add(pair);
      this.broadPhase.addKnownPair(...this.#idsOf(pair));
    }
  }

  remove(id: number): void {
    // As contacts, pairs go before their bodies.
    for (const other of this.ids) {
      const pair = nameOf(id, other);
      if (this.known.has(pair)) this.#removeKnown(pair);
    }
    this.broadPhase.remove(id);
    this.ids.delete(id);
    this.#boxes.delete(id);
    this.#free.push(id);
  }

  #removeKnown(pair: string): void {
    this.known.delete(pair);
    this.broadPhase.removeKnownPair(...this.#idsOf(pair));
  }

  #idsOf(pair: string): [number, number] {
    const [a, b] = pair.split(" ");
    return [Number(a), Number(b)];
  }

  /**
   * @returns by brute force: every overlapping pair with at least one of these ids that is not
   *   known
   */
  expected(ids: ReadonlySet<number>): Set<string> {
    const pairs = new Set<string>();
    for (const id of ids) {
      for (const other of this.ids) {
        if (other === id || !this.broadPhase.testOverlap(id, other)) continue;
        if (!this.known.has(nameOf(id, other))) pairs.add(nameOf(id, other));
      }
    }
    return pairs;
  }
}

function nameOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

for (const [count, rounds] of [[30, 60], [70, 60], [200, 30], [400, 20], [1_300, 3]] as const) {
  Deno.test(`broad-phase: of ${count} boxes it reports the pairs that brute force finds, while boxes come, go and move`, () => {
    const random = new Random(count);
    const recorder = new PairRecorder();
    for (let i = 0; i < count / 10; i++) recorder.add(randomBox(random));
    recorder.broadPhase.endGround();
    const ground = new Set(recorder.ids);
    let pairs = 0;

    for (let round = 0; round < rounds; round++) {
      const moved = new Set<number>();
      const movable = [...recorder.ids].filter((id) => !ground.has(id));
      for (const id of movable) {
        if (random.chance(0.15)) {
          recorder.remove(id);
        } else if (random.chance(round % 3 === 0 ? 0.02 : 0.9)) {
          if (recorder.move(id, randomBox(random))) moved.add(id);
        }
      }
      while (recorder.ids.size < count) moved.add(recorder.add(randomBox(random)));
      recorder.pairs.clear();
      recorder.broadPhase.findNewPairs();
      assertEquals(
        [...recorder.pairs].sort(),
        [...recorder.expected(moved)].sort(),
        `round ${round}`,
      );
      pairs += recorder.pairs.size;
      recorder.changeKnownPairs(random);
      recorder.pairs.clear();
      recorder.broadPhase.findNewPairs();
      assertEquals(recorder.pairs.size, 0, "reported twice");
    }

    assert(
      pairs > count * rounds / 4 && recorder.known.size > count / 10,
      `${pairs} pairs, ${recorder.known.size} known`,
    );
  });
}

Deno.test("broad-phase: an id that is freed after it moved, and taken again, has the pairs of its new box, each once", () => {
  const reported: string[] = [];
  const broadPhase = new BroadPhase((a, b) => reported.push(nameOf(a, b)));
  const move = (id: number, x: number) => broadPhase.moveProxy(id, Float64Array.of(x, 0, x + 1, 1));
  const search = () => {
    broadPhase.findNewPairs();
    return reported.splice(0);
  };

  // More ids than a search compares without sorting, so that the first search sorts.
  for (let id = 0; id < 8; id++) {
    broadPhase.add(id);
    move(id, 10 * id);
  }
  assertEquals(search(), []);
  move(1, 0.5);
  broadPhase.remove(1);
  assertEquals(search(), [], "a box that is gone");
  broadPhase.add(1);
  move(1, 20.5);
  broadPhase.remove(1);
  broadPhase.add(1);
  move(1, 30.5);
  assertEquals(search(), ["1 3"]);
});

Deno.test("broad-phase: a box that shrinks reports no pair, but does so if its contacts may have vanished", () => {
  const reported: string[] = [];
  const broadPhase = new BroadPhase((a, b) => reported.push(nameOf(a, b)));
  const search = () => {
    broadPhase.findNewPairs();
    return reported.splice(0);
  };
  for (const id of [0, 1]) {
    broadPhase.add(id);
    broadPhase.moveProxy(id, Float64Array.of(id, 0, id + 2, 1));
  }
  assertEquals(search(), ["0 1"]);
  broadPhase.moveProxy(0, Float64Array.of(0.5, 0, 2, 1));
  assertEquals(search(), []);
  broadPhase.moveProxy(0, Float64Array.of(0.4, 0, 2, 1));
  assertEquals(search(), ["0 1"], "it grows");
  broadPhase.moveProxy(0, Float64Array.of(0.5, 0, 2, 1));
  broadPhase.touchProxy(0);
  assertEquals(search(), ["0 1"], "its contacts may have vanished");
});
