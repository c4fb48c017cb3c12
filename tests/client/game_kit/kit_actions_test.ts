/** Default keys, gamepad buttons, sticks and words of a kit game's actions. */
import { assertEquals } from "@std/assert";
import { kitActions } from "../../../client/game_kit/controls/kit_actions.ts";
import { kitHelp } from "../../../client/game_kit/controls/kit_help.ts";
import { actionsOf } from "../../../client/input/actions.ts";
import { defaultBindings } from "../../../client/input/key_bindings.ts";
import {
  aim,
  axis,
  type CommandParts,
  dial,
  hold,
  press,
} from "../../../shared/game_kit/game_kit.ts";

/** The first key of each action. */
function keysOf(parts: CommandParts): Record<string, string> {
  return Object.fromEntries(
    actionsOf(kitActions(parts)).map(({ id, keys }) => [id, keys.join(" ")]),
  );
}

/** The line of help with default keys. */
function helpOf(parts: CommandParts, fingers = false): string {
  const actions = kitActions(parts);
  return kitHelp(actions, defaultBindings(actions), { fingers });
}

const MANY: CommandParts = {
  fire: press(),
  x1: axis(),
  y1: axis({ up: true }),
  x2: axis({ steps: 4 }),
  y2: axis({ up: true, steps: 4 }),
  gear: dial({ values: 3 }),
  brake: hold({ keys: ["KeyJ"] }),
  jump: press(),
  flip: hold({ of: "jump" }),
  shield: press({ gamepad: 6 }),
};

Deno.test("kitActions: keys by kind and order; no key has two actions, and declared keys come first (SPEC 13.30)", () => {
  assertEquals(keysOf(MANY), {
    "x1-less": "KeyA ArrowLeft",
    "x1-more": "KeyD ArrowRight",
    "y1-less": "KeyS ArrowDown",
    "y1-more": "KeyW ArrowUp",
    "x2-less": "Comma", // J is the brake's
    "x2-more": "Period",
    "y2-less": "KeyK",
    "y2-more": "KeyI",
    fire: "Space",
    brake: "KeyJ",
    jump: "KeyF",
    shield: "KeyR", // E turns the dial
    "gear-less": "KeyQ",
    "gear-more": "KeyE",
  });
  const many = keysOf(
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`button${i}`, press()])),
  );
  assertEquals(new Set(Object.values(many)).size, 30);
});

Deno.test("kitActions: no gamepad button has two actions, and the right stick belongs to the aim or to the second axes (SPEC 13.30)", () => {
  const buttonsOf = (parts: CommandParts) =>
    actionsOf(kitActions(parts)).map(({ id, gamepadButtons }) =>
      `${id} ${gamepadButtons.join(" ")}`.trim()
    );
  assertEquals(buttonsOf({ dx: axis(), gear: dial({ values: 3 }), fire: press() }), [
    "dx-less 14",
    "dx-more 15",
    "fire 0 7",
    "gear-less 13",
    "gear-more 12",
  ]);
  const all = actionsOf(kitActions(MANY)).flatMap(({ gamepadButtons }) => gamepadButtons);
  assertEquals(new Set(all).size, all.length, `${all}`);
  assertEquals(kitActions(MANY).axes.map(({ gamepadAxis }) => gamepadAxis), [0, 1, 2, 3]);
  const aiming = kitActions({ ...MANY, at: aim() });
  assertEquals(aiming.axes.map(({ gamepadAxis }) => gamepadAxis), [0, 1, undefined, undefined]);
  assertEquals([aiming.right, kitActions({ fire: press() }).right], ["aim", undefined]);
});

Deno.test("kitActions: labels follow from names, and an author's words come first", () => {
  const labelsOf = (parts: CommandParts) => actionsOf(kitActions(parts)).map(({ label }) => label);
  assertEquals(
    labelsOf({ dx: axis(), wreckingBall: press(), hand_brake: hold(), gear: dial({ values: 2 }) }),
    [
      "Left",
      "Right",
      "Wrecking ball",
      "Hand brake",
      "Gear down",
      "Gear up",
    ],
  );
  assertEquals(labelsOf({ dy: axis({ up: true, label: "Crane" }), go: press({ label: "Go!" }) }), [
    "Crane down",
    "Crane up",
    "Go!",
  ]);
});

Deno.test("kitHelp: one line for keys and mouse, one for thumbs", () => {
  assertEquals(helpOf({ dx: axis(), fire: press() }), "A D steer · Space fire");
  assertEquals(helpOf({ dx: axis(), dy: axis({ up: true }) }), "W A S D move");
  assertEquals(
    helpOf({ at: aim({ label: "Look" }), fire: press() }),
    "mouse look · Space or click fire",
  );
  assertEquals(
    helpOf({
      drive: axis({ label: "Drive" }),
      crane: axis({ up: true, label: "Crane" }),
      gear: dial({ values: 3 }),
    }),
    "A D drive · W S crane · Q E or wheel gear",
  );
  assertEquals(
    helpOf({ dx: axis(), at: aim(), fire: press() }, true),
    "Left thumb: steer · right thumb: at, fire",
  );
  assertEquals(helpOf({ fire: press({ touchLabel: "Bang" }) }, true), "Right thumb: bang");
});
