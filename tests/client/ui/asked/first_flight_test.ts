import { assertEquals } from "@std/assert";
import { flightSteps, type Hands } from "../../../../client/ui/asked/first_flight.ts";
import { defaultBindings } from "../../../../client/input/key_bindings.ts";
import { ACTIONS } from "../../input/actions.ts";
import { FakeDevice } from "../../input/fake_device.ts";

Deno.test("flightSteps: says each control in the visitor's own terms, and what was tried since then (SPEC 8.138)", () => {
  const device = new FakeDevice();
  device.press("flap");
  const keys = { ...defaultBindings(ACTIONS), fire: ["KeyQ"] };
  const stepsBy = (hands: Hands) => flightSteps(ACTIONS, { keys, device, hands });
  const wordsBy = (hands: Hands) => stepsBy(hands).map(({ by, what }) => [by, what]);
  assertEquals(wordsBy("keys"), [["← →", "Left, right"], ["↑", "Flap"], ["Q", "Fire"]]);
  assertEquals(wordsBy("gamepad"), [["Left stick", "Left, right"], ["A", "Flap"], ["X", "Fire"]]);
  assertEquals(wordsBy("touch"), [["Left thumb", "Left, right"], ["Flap", "Tap"], ["Fire", "Tap"]]);

  const steps = stepsBy("keys");
  const tried = () => steps.map(({ isTried }) => isTried());
  assertEquals(tried(), [false, false, false], "presses from before do not count");
  device.axes["dir"] = -1;
  device.press("flap");
  device.held.add("fire");
  assertEquals(tried(), [true, true, true]);
});
