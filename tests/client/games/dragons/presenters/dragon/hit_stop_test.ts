import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { HitStop } from "../../../../../../client/games/dragons/presenters/dragon/hit_stop.ts";
import { dragonSprite, FRAME_MS } from "./sprites.ts";

/** Metres per frame of a dragon that bounces off. */
const STEP = 8 / 60;

const dragon = (id: number, x: number) => dragonSprite({ id, x });

Deno.test("HitStop: sprites near a blow stand for 50 ms, then catch up without a leap; others never stop", () => {
  const stop = new HitStop();
  stop.begin({ x: 10, y: 5 }, [dragon(1, 10.4), dragon(2, 20)]);
  const shown: number[] = [];
  let x = 10.4;
  for (let frame = 0; frame < 30; frame++) {
    x += STEP;
    const [struck, other] = stop.apply([dragon(1, x), dragon(2, 20 + x)], FRAME_MS);
    shown.push(struck!.x);
    assertEquals(other!.x, 20 + x);
  }
  for (const still of shown.slice(0, 2)) assertAlmostEquals(still, 10.4);
  const steps = shown.slice(1).map((at, i) => at - shown[i]!);
  assertLess(Math.max(...steps), STEP + 0.101);
  assertGreater(Math.min(...steps), -1e-9);
  assertEquals(shown.at(-1), x);
});

Deno.test("HitStop: a teleport ends it; without a displaced sprite the list is the same object", () => {
  const stop = new HitStop();
  stop.begin({ x: 10, y: 5 }, [dragon(1, 10)]);
  const far = [dragon(1, 25)];
  assertEquals(stop.apply(far, FRAME_MS), far);
  assert(stop.apply(far, FRAME_MS) === far);
});
