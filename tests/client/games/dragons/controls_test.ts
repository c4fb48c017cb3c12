import { assertEquals } from "@std/assert";
import { DragonControls } from "../../../../client/games/dragons/controls.ts";
import { NEUTRAL } from "../../../../shared/games/dragons/command.ts";
import { FakeDevice } from "../../input/fake_device.ts";

Deno.test("DragonControls: presses before the match, or before a device took over, are not in the commands", () => {
  const [first, second] = [new FakeDevice(), new FakeDevice()];
  let device: FakeDevice = first;
  first.totals.flap = 5;
  second.totals.fire = 9;
  const controls = new DragonControls(() => device);
  assertEquals(controls.next(1, NEUTRAL), NEUTRAL);
  first.press("flap");
  device = second;
  assertEquals(controls.next(2, NEUTRAL), NEUTRAL);
  second.press("fire");
  assertEquals(controls.next(3, NEUTRAL), { ...NEUTRAL, fires: 1 });
});
