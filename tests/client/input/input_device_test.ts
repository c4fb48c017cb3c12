/** Hands that are no keyboard: gamepads, one button, and several devices as one. */
import { assertEquals } from "@std/assert";
import { DRAGON_ACTIONS, DragonControls } from "../../../client/games/dragons/controls.ts";
import { Gamepads, type GamepadState } from "../../../client/input/gamepads.ts";
import { FIRE_TICKS, OneButton, TURN_TICKS } from "../../../client/games/dragons/one_button.ts";
import { CombinedInput, type Direction, type InputDevice } from "../../../client/input/input_device.ts";

/** A hand that a test moves. */
class Puppet implements InputDevice {
  dir: Direction = 0;
  flapHeld = false;
  flapPresses = 0;
  firePresses = 0;
  isHeld(button: string): boolean {
    return button === "flap" && this.flapHeld;
  }
  presses(button: string): number {
    return button === "flap" ? this.flapPresses : this.firePresses;
  }
  consumeDirection(): Direction {
    return this.dir;
  }
  peekDirection(): Direction {
    return this.dir;
  }
}

function gamepadWith({ pressed = [] as number[], stick = 0, mapping = "standard" }): GamepadState {
  return {
    mapping,
    axes: [stick, 0],
    buttons: Array.from({ length: 17 }, (_, i) => ({ pressed: pressed.includes(i) })),
  };
}

function openGamepads(): { device: Gamepads; poll: (...pads: (GamepadState | null)[]) => void } {
  let now: (GamepadState | null)[] = [];
  const device = new Gamepads(() => now, DRAGON_ACTIONS.buttons);
  return {
    device,
    poll(...pads) {
      now = pads;
      device.poll();
    },
  };
}

Deno.test("Gamepads: a press counts once, however long it is held, and on whichever pad", () => {
  const { device, poll } = openGamepads();
  poll(null, gamepadWith({ pressed: [0] }));
  poll(null, gamepadWith({ pressed: [0, 2] }));
  assertEquals([device.presses("flap"), device.presses("fire"), device.isHeld("flap"), device.confirmPresses], [
    1,
    1,
    true,
    1,
  ]);
  poll(null, gamepadWith({}));
  poll(gamepadWith({ pressed: [5] }), gamepadWith({}));
  assertEquals([device.presses("flap"), device.presses("fire"), device.isHeld("flap"), device.confirmPresses], [
    2,
    1,
    true,
    1,
  ]);
});

Deno.test("Gamepads: stick and cross steer, a worn stick does not, a tap between two ticks is worth one", () => {
  const { device, poll } = openGamepads();
  poll(gamepadWith({ stick: -0.2 }));
  assertEquals(device.consumeDirection(), 0);
  poll(gamepadWith({ stick: -0.9 }));
  assertEquals([device.consumeDirection(), device.consumeDirection()], [-1, -1]);
  poll(gamepadWith({ pressed: [15] }));
  poll(gamepadWith({}));
  assertEquals([device.consumeDirection(), device.consumeDirection()], [1, 0]);
});

Deno.test("Gamepads: one whose buttons nobody knows is left alone", () => {
  const { device, poll } = openGamepads();
  poll(gamepadWith({ pressed: [0, 2, 15], mapping: "" }));
  assertEquals([device.presses("flap"), device.presses("fire"), device.consumeDirection()], [0, 0, 0]);
});

Deno.test("CombinedInput: totals add up, any may hold, the first that steers steers", () => {
  const [first, second] = [new Puppet(), new Puppet()];
  const combined = new CombinedInput(first, second);
  Object.assign(first, { flapPresses: 2, firePresses: 1 });
  Object.assign(second, { flapPresses: 3, flapHeld: true, dir: -1 });
  assertEquals([
    combined.presses("flap"),
    combined.presses("fire"),
    combined.isHeld("flap"),
    combined.consumeDirection(),
  ], [
    5,
    1,
    true,
    -1,
  ]);
  first.dir = 1;
  assertEquals(combined.consumeDirection(), 1);
});

Deno.test("OneButton: a tap flaps and flies on; held it turns round once, and then breathes fire once", () => {
  const button = new Puppet();
  const one = new OneButton(button);
  const hold = (ticks: number) => Array.from({ length: ticks }, () => one.consumeDirection());
  button.flapPresses++;
  assertEquals([one.presses("flap"), one.consumeDirection(), one.isHeld(), one.presses("fire")], [1, 1, false, 0]);
  button.flapHeld = true;
  assertEquals(new Set(hold(TURN_TICKS - 1)), new Set([1]));
  assertEquals(new Set(hold(FIRE_TICKS - TURN_TICKS)), new Set([-1]));
  assertEquals(one.presses("fire"), 0);
  hold(FIRE_TICKS);
  button.flapHeld = false;
  assertEquals([one.presses("fire"), one.consumeDirection()], [1, -1]);
});

Deno.test("DragonControls: presses from before the match, or before this hand took over, are not in its commands", () => {
  const [first, second] = [new Puppet(), new Puppet()];
  let hand = first;
  first.flapPresses = 5;
  second.firePresses = 9;
  const controls = new DragonControls(() => hand);
  const NEUTRAL = { dir: 0, flapHeld: false, flaps: 0, fires: 0 } as const;
  assertEquals(controls.next(1, NEUTRAL), NEUTRAL);
  first.flapPresses++;
  hand = second;
  assertEquals(controls.next(2, NEUTRAL), NEUTRAL);
  second.firePresses++;
  assertEquals(controls.next(3, NEUTRAL), { ...NEUTRAL, fires: 1 });
});
