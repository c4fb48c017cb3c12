import { assertEquals, assertGreater } from "@std/assert";
import { PressCounter } from "../../../client/input/press_counter.ts";
import { Random } from "../../../shared/random.ts";

Deno.test("PressCounter: a press waits until the server has used a first command, the baseline (SPEC 1.11)", () => {
  const counter = new PressCounter();
  counter.setTotal(2);
  assertEquals(counter.next(undefined), 0);
  assertEquals([counter.peek(0), counter.peek(0)], [1, 1], "peek consumes nothing");
  assertEquals(counter.next(0), 1);
  assertEquals(counter.next(0), 2);
  assertEquals(counter.next(0), 2);
});

Deno.test("PressCounter: a fourth press waits until the server has acknowledged the first (SPEC 1.10)", () => {
  const counter = new PressCounter();
  counter.setTotal(9);
  assertEquals([counter.next(0), counter.next(0), counter.next(0), counter.next(0)], [1, 2, 3, 3]);
  assertEquals([counter.next(1), counter.next(1)], [0, 0]);
});

Deno.test("PressCounter: the game counts every press once, whichever commands are late (SPEC 1.2) [seeds 1-50]", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new Random(seed);
    const counter = new PressCounter();
    const onTheWay: number[] = [];
    let pressed = 0;
    let seen = 0;
    let counted = 0;
    let lost = 0;
    for (let tick = 0; tick < 600; tick++) {
      if (tick < 500 && random.chance(0.1)) pressed += 1 + random.below(3);
      counter.setTotal(pressed);
      onTheWay.push(counter.next(seen));
      // The server uses commands six ticks later. Some never come, and sometimes many in a row.
      if (onTheWay.length <= 6) continue;
      const used = onTheWay.shift()!;
      if (tick < 500 && random.chance(tick % 100 < 20 ? 0.95 : 0.1)) {
        lost++;
        continue;
      }
      counted += (used - seen) & 3;
      seen = used;
    }
    assertGreater(lost, 50);
    assertEquals(counted, pressed, `seed ${seed}`);
  }
});

Deno.test("PressCounter: continues from the counter that another player left in the seat (SPEC 1.12)", () => {
  const counter = new PressCounter();
  counter.setTotal(1);
  assertEquals([counter.next(3), counter.next(3), counter.next(0)], [0, 0, 0]);
});

Deno.test("PressCounter: goes on from an NPC's presses, and sends again what did not count (SPEC 3.19)", () => {
  const counter = new PressCounter();
  counter.setTotal(2);
  assertEquals([counter.next(0), counter.next(1)], [1, 2]);
  // The second press came too late, and the NPC has pressed twice since the first.
  counter.resume(1);
  assertEquals(counter.peek(3), 0);
  assertEquals([counter.next(3), counter.next(0)], [0, 0]);
  counter.setTotal(3);
  assertEquals(counter.next(0), 1);
  const fresh = new PressCounter();
  fresh.resume(undefined);
  assertEquals(fresh.next(2), 2);
});
