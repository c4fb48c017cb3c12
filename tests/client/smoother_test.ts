import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { Smoother } from "../../client/smoother.ts";
import { PoseList } from "../../shared/netcode/game.ts";

function poses(...entities: { entity: number; x: number; jumps?: number }[]): PoseList {
  const list = new PoseList();
  for (const { entity, x, jumps = 0 } of entities) {
    Object.assign(list.add(), { entity, seat: -1, x, y: 0, angle: 0, jumps });
  }
  return list;
}

const pair = (previousX: number, headX: number, jumps = 0) => ({
  previous: poses({ entity: 1, x: previousX }),
  head: poses({ entity: 1, x: headX, jumps }),
});

function drawnX(smoother: Smoother, at: ReturnType<typeof pair>, fraction: number): number {
  const out = { x: 0, y: 0, angle: 0 };
  smoother.place(at, at.head.at(0), { fraction, out });
  return out.x;
}

Deno.test("Smoother: a correction does not move the picture, at any moment between two ticks", () => {
  for (const fraction of [0, 0.3, 1]) {
    const smoother = new Smoother();
    const before = pair(1, 2), after = pair(1.2, 1.7), again = pair(0.9, 2.3);
    const drawn = drawnX(smoother, before, fraction);
    smoother.absorb(before, after, fraction);
    assertAlmostEquals(drawnX(smoother, after, fraction), drawn);
    smoother.absorb(after, again, fraction);
    assertAlmostEquals(drawnX(smoother, again, fraction), drawn);
  }
});

Deno.test("Smoother: offsets halve every 100 ms when small, faster when large, and are forgotten", () => {
  const halved = (metres: number) => {
    const smoother = new Smoother();
    smoother.absorb(pair(0, 0), pair(metres, metres), 1);
    let ms = 0;
    for (; smoother.offsetMetres(1) > metres / 2; ms++) smoother.decay(1);
    smoother.decay(5000);
    assertEquals(smoother.offsetMetres(1), 0);
    return ms;
  };
  assertAlmostEquals(halved(0.1), 100, 2);
  assertLess(halved(2), 80);
  assertGreater(halved(2), 40);
});

Deno.test("Smoother: a teleport is not eased over, nor a correction too far to slide (SPEC 9.5)", () => {
  const smoother = new Smoother();
  smoother.absorb(pair(0, 0), pair(1, 1, 1), 1);
  assertEquals(smoother.offsetMetres(1), 0);
  smoother.absorb(pair(0, 0), pair(9, 9), 1);
  assertEquals(smoother.offsetMetres(1), 0);
  // Between the ticks before and after a teleport there is nothing to be in between.
  assertEquals(drawnX(smoother, pair(0, 10, 1), 0.5), 10);
});
