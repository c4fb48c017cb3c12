import { assertEquals } from "@std/assert";
import { FIRE_TICKS, OneButton, TURN_TICKS } from "../../../../client/games/dragons/one_button.ts";
import { FakeDevice } from "../../input/fake_device.ts";

Deno.test("OneButton: a tap flaps and flies on; a held button turns the dragon round once, then breathes fire once", () => {
  const button = new FakeDevice();
  const one = new OneButton(button);
  const hold = (ticks: number) => Array.from({ length: ticks }, () => one.readAxis("dir", true));
  button.press("flap");
  assertEquals(
    [one.presses("flap"), one.readAxis("dir", true), one.isHeld(), one.presses("fire")],
    [1, 1, false, 0],
  );
  button.held.add("flap");
  assertEquals(new Set(hold(TURN_TICKS - 1)), new Set([1]));
  assertEquals(new Set(hold(FIRE_TICKS - TURN_TICKS)), new Set([-1]));
  assertEquals(one.presses("fire"), 0);
  hold(FIRE_TICKS);
  button.held.delete("flap");
  assertEquals([one.presses("fire"), one.readAxis("dir", true)], [1, -1]);
});
