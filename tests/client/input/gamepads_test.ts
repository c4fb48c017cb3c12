import { assertEquals } from "@std/assert";
import { KitInput } from "../../../client/game_kit/kit_controls.ts";
import { Gamepads, type GamepadState } from "../../../client/input/gamepads.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";

function gamepadWith({ pressed = [] as number[], stick = 0, mapping = "standard" }): GamepadState {
  return {
    mapping,
    axes: [stick, 0],
    buttons: Array.from({ length: 17 }, (_, i) => ({ pressed: pressed.includes(i) })),
  };
}

function openGamepads(): { device: Gamepads; poll: (...pads: (GamepadState | null)[]) => void } {
  let now: (GamepadState | null)[] = [];
  const device = new Gamepads(() => now, new KitInput(dragonGame).actions);
  return {
    device,
    poll(...pads) {
      now = pads;
      device.poll();
    },
  };
}

function stateOf(device: Gamepads) {
  const flaps = device.presses("flaps");
  const fires = device.presses("fires");
  return { flaps, fires, isFlapHeld: device.isHeld("flaps"), confirms: device.confirmPresses };
}

Deno.test("Gamepads: a blow shakes every pad that can shake", () => {
  const shakes: (number | undefined)[] = [];
  const playEffect: GamepadHapticActuator["playEffect"] = (_, parameters) => {
    shakes.push(parameters?.strongMagnitude);
    return Promise.reject(new Error("unplugged"));
  };
  const shaking = { ...gamepadWith({}), vibrationActuator: { playEffect } };
  const { device, poll } = openGamepads();
  poll(shaking, null, gamepadWith({}), shaking);
  device.rumble(0);
  assertEquals(shakes, []);
  device.rumble(0.6);
  assertEquals(shakes, [0.6, 0.6]);
});

Deno.test("Gamepads: a press counts once, however long it lasts, on every pad", () => {
  const { device, poll } = openGamepads();
  poll(null, gamepadWith({ pressed: [0] }));
  poll(null, gamepadWith({ pressed: [0, 2] }));
  assertEquals(stateOf(device), { flaps: 1, fires: 1, isFlapHeld: true, confirms: 1 });
  poll(null, gamepadWith({}));
  poll(gamepadWith({ pressed: [5] }), gamepadWith({}));
  assertEquals(stateOf(device), { flaps: 2, fires: 1, isFlapHeld: true, confirms: 1 });
});

Deno.test("Gamepads: stick and cross steer, a stick near its centre does not, a tap between two ticks counts for one tick", () => {
  const { device, poll } = openGamepads();
  poll(gamepadWith({ stick: -0.2 }));
  assertEquals(device.readAxis("dir", true), 0);
  poll(gamepadWith({ stick: -0.9 }));
  assertEquals([device.readAxis("dir", true), device.readAxis("dir", true)], [-1, -1]);
  poll(gamepadWith({ pressed: [15] }));
  poll(gamepadWith({}));
  assertEquals([device.readAxis("dir", true), device.readAxis("dir", true)], [1, 0]);
});

Deno.test("Gamepads: a pad without the standard mapping has no effect", () => {
  const { device, poll } = openGamepads();
  poll(gamepadWith({ pressed: [0, 2, 15], mapping: "" }));
  assertEquals([device.presses("flaps"), device.presses("fires"), device.readAxis("dir", true)], [
    0,
    0,
    0,
  ]);
});

Deno.test("Gamepads: what is pressed while a menu has the buttons is nothing for the game, until it is released (SPEC 8.135)", () => {
  let now: GamepadState[] = [];
  const device = new Gamepads(() => now, new KitInput(dragonGame).actions);
  assertEquals(device.poll(), false, "there is none");
  const poll = (isTaken: boolean, pressed: number[], stick = 0) => {
    now = [gamepadWith({ pressed, stick })];
    assertEquals(device.poll(isTaken), true);
    const { flaps, isFlapHeld } = stateOf(device);
    return [flaps, isFlapHeld, device.readAxis("dir", false)];
  };
  assertEquals(poll(true, [0], 1), [0, false, 0]);
  assertEquals(poll(false, [0]), [0, false, 0], "the menu has closed, the button is still down");
  assertEquals(poll(false, []), [0, false, 0]);
  assertEquals(poll(false, [0]), [1, true, 0]);
  assertEquals(poll(true, [0]), [1, false, 0], "a menu has opened meanwhile");
});
