import { assertEquals } from "@std/assert";
import { CombinedInput, TappedAxes } from "../../../client/input/input_device.ts";
import { FakeDevice } from "./fake_device.ts";

Deno.test("TappedAxes: a tap counts for one tick, the newest one if there are two, and a held direction wins", () => {
  const tapped = new TappedAxes();
  tapped.tap("dir", 1);
  tapped.tap("dir", -1);
  tapped.tap("dir", 0);
  assertEquals([
    tapped.read("dir", false, 0),
    tapped.read("dir", true, 0),
    tapped.read("dir", true, 0),
  ], [-1, -1, 0]);
  tapped.tap("dir", -1);
  assertEquals([tapped.read("dir", true, 1), tapped.read("dir", true, 0)], [1, 0]);
});

Deno.test("CombinedInput: totals add up, any device can hold a button, the first device that steers counts", () => {
  const [first, second] = [new FakeDevice(), new FakeDevice()];
  const combined = new CombinedInput(first, second);
  Object.assign(first.totals, { flap: 2, fire: 1 });
  second.totals.flap = 3;
  second.held.add("flap");
  second.axes.dir = -1;
  assertEquals([combined.presses("flap"), combined.presses("fire"), combined.isHeld("flap")], [
    5,
    1,
    true,
  ]);
  assertEquals(combined.readAxis("dir", true), -1);
  first.axes.dir = 1;
  assertEquals(combined.readAxis("dir", true), 1);
});
