import { assertAlmostEquals, assertEquals } from "@std/assert";
import { isBetween, pushOut } from "../../../client/presentation/solids.ts";

const BOX = { x: 10, y: 5, width: 4, height: 2 };

Deno.test("pushOut: moves a circle to the nearest side of the box, and around its corners in an arc", () => {
  const pushed = (x: number, y: number) => {
    const centre = { x, y };
    pushOut(BOX, centre, 0.5);
    return centre;
  };
  assertEquals(pushed(10, 6.2), { x: 10, y: 6.5 });
  assertEquals(pushed(10, 3.9), { x: 10, y: 3.5 });
  assertEquals(pushed(12.1, 5), { x: 12.5, y: 5 });
  assertEquals(pushed(10, 6.5), { x: 10, y: 6.5 });
  const corner = pushed(12.3, 6.3);
  assertAlmostEquals(Math.hypot(corner.x - 12, corner.y - 6), 0.5);
  assertAlmostEquals(corner.x - 12, corner.y - 6);
  assertEquals(pushed(12.4, 6.4), { x: 12.4, y: 6.4 }, "the corner is round");
  assertEquals(pushed(10, 5), { x: 10, y: 5 }, "a centre inside has no side to move to");
});

Deno.test("isBetween: only a line through the box", () => {
  const from = (x: number, y: number) => (toX: number, toY: number) =>
    isBetween(BOX, { x, y }, { x: toX, y: toY });
  assertEquals(from(10, 9)(10, 1), true);
  assertEquals(from(7, 5)(13, 5), true);
  assertEquals(from(7, 5)(9, 9), false, "past the corner");
  assertEquals(from(7, 4.5)(9, 8.5), false);
  assertEquals(from(10, 9)(10, 6.1), false, "ends before it");
  assertEquals(from(10, 6)(12, 6), false, "along its top");
  assertEquals(from(10, 9)(10, 9), false);
  assertEquals(from(10, 5)(20, 5), true, "out of it");
});
