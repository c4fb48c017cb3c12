/** Hands that are no keyboard: gamepads, one button, and several devices as one. */
import { assertEquals } from "@std/assert";
import { DragonControls } from "../../../client/games/dragons/controls.ts";
import { Gamepads, type Pad } from "../../../client/input/gamepads.ts";
import { FIRE_TICKS, type Hand, Hands, OneButton, type Side, TURN_TICKS } from "../../../client/input/input_device.ts";

/** A hand that a test moves. */
class Puppet implements Hand {
  dir: Side = 0;
  hold = false;
  flapPresses = 0;
  firePresses = 0;
  takeDir(): Side {
    return this.dir;
  }
  peekDir(): Side {
    return this.dir;
  }
}

function padWith({ pressed = [] as number[], stick = 0, mapping = "standard" }): Pad {
  return {
    mapping,
    axes: [stick, 0],
    buttons: Array.from({ length: 17 }, (_, i) => ({ pressed: pressed.includes(i) })),
  };
}

function openPads(): { hand: Gamepads; look: (...pads: (Pad | null)[]) => void } {
  let now: (Pad | null)[] = [];
  const hand = new Gamepads(() => now);
  return {
    hand,
    look(...pads) {
      now = pads;
      hand.poll();
    },
  };
}

Deno.test("Gamepads: a press counts once, however long it is held, and on whichever pad", () => {
  const { hand, look } = openPads();
  look(null, padWith({ pressed: [0] }));
  look(null, padWith({ pressed: [0, 2] }));
  assertEquals([hand.flapPresses, hand.firePresses, hand.hold, hand.confirmPresses], [1, 1, true, 1]);
  look(null, padWith({}));
  look(padWith({ pressed: [5] }), padWith({}));
  assertEquals([hand.flapPresses, hand.firePresses, hand.hold, hand.confirmPresses], [2, 1, true, 1]);
});

Deno.test("Gamepads: stick and cross steer, a worn stick does not, a tap between two ticks is worth one", () => {
  const { hand, look } = openPads();
  look(padWith({ stick: -0.2 }));
  assertEquals(hand.takeDir(), 0);
  look(padWith({ stick: -0.9 }));
  assertEquals([hand.takeDir(), hand.takeDir()], [-1, -1]);
  look(padWith({ pressed: [15] }));
  look(padWith({}));
  assertEquals([hand.takeDir(), hand.takeDir()], [1, 0]);
});

Deno.test("Gamepads: one whose buttons nobody knows is left alone", () => {
  const { hand, look } = openPads();
  look(padWith({ pressed: [0, 2, 15], mapping: "" }));
  assertEquals([hand.flapPresses, hand.firePresses, hand.takeDir()], [0, 0, 0]);
});

Deno.test("Hands: totals add up, any may hold, the first that steers steers", () => {
  const [first, second] = [new Puppet(), new Puppet()];
  const hands = new Hands(first, second);
  Object.assign(first, { flapPresses: 2, firePresses: 1 });
  Object.assign(second, { flapPresses: 3, hold: true, dir: -1 });
  assertEquals([hands.flapPresses, hands.firePresses, hands.hold, hands.takeDir()], [5, 1, true, -1]);
  first.dir = 1;
  assertEquals(hands.takeDir(), 1);
});

Deno.test("OneButton: a tap flaps and flies on; held it turns round once, and then breathes fire once", () => {
  const button = new Puppet();
  const one = new OneButton(button);
  const hold = (ticks: number) => Array.from({ length: ticks }, () => one.takeDir());
  button.flapPresses++;
  assertEquals([one.flapPresses, one.takeDir(), one.hold, one.firePresses], [1, 1, false, 0]);
  button.hold = true;
  assertEquals(new Set(hold(TURN_TICKS - 1)), new Set([1]));
  assertEquals(new Set(hold(FIRE_TICKS - TURN_TICKS)), new Set([-1]));
  assertEquals(one.firePresses, 0);
  hold(FIRE_TICKS);
  button.hold = false;
  assertEquals([one.firePresses, one.takeDir()], [1, -1]);
});

Deno.test("HandControls: presses from before the match, or before this hand took over, are not in its commands", () => {
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
