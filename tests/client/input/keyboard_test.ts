/** The keyboard on a bare `EventTarget`: levels, totals, and what must not count. */
import { assertEquals } from "@std/assert";
import { DRAGON_ACTIONS } from "../../../client/games/dragons/controls.ts";
import { dragonView } from "../../../client/games/dragons/view.ts";
import { defaultBindings, parseBindings, withBinding } from "../../../client/input/key_bindings.ts";
import { Keyboard } from "../../../client/input/keyboard.ts";
import { parseSettings } from "../../../client/ui/settings.ts";

const DEFAULT_BINDINGS = defaultBindings(DRAGON_ACTIONS) as Record<
  "left" | "right" | "flap" | "fire",
  readonly string[]
>;
const SCHEMA = { actions: DRAGON_ACTIONS, colours: dragonView.colours.names };

/** A target with hands: presses and releases as a browser would report them. */
class KeyTarget extends EventTarget {
  /** @returns whether the keyboard took the key for itself */
  down(code: string, more: Record<string, unknown> = {}): boolean {
    return !this.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { code, ...more }));
  }

  up(code: string): void {
    this.dispatchEvent(Object.assign(new Event("keyup"), { code }));
  }

  tap(code: string): void {
    this.down(code);
    this.up(code);
  }
}

/** A button that has the focus. */
class Button extends KeyTarget {
  readonly tagName = "BUTTON";
}

/** A text field, as far as the keyboard can tell: events reach it as their target. */
class TextField extends KeyTarget {
  readonly tagName = "INPUT";
}

function openKeyboard(): { keyboard: Keyboard; keys: KeyTarget } {
  const keys = new KeyTarget();
  return { keyboard: new Keyboard(keys, DEFAULT_BINDINGS), keys };
}

Deno.test("Keyboard: arrows and letters steer, the last pressed wins and the other comes back", () => {
  const { keyboard, keys } = openKeyboard();
  assertEquals(keyboard.direction, 0);
  keys.down("ArrowLeft");
  assertEquals(keyboard.direction, -1);
  keys.down("KeyD");
  assertEquals(keyboard.direction, 1);
  keys.up("KeyD");
  assertEquals(keyboard.direction, -1);
  keys.up("ArrowLeft");
  assertEquals(keyboard.direction, 0);
});

Deno.test("Keyboard: every tap counts, also when it ends before anyone looks", () => {
  const { keyboard, keys } = openKeyboard();
  keys.tap("Space");
  keys.tap("KeyW");
  keys.tap("ArrowUp");
  keys.tap("KeyF");
  keys.tap("KeyX");
  assertEquals([keyboard.presses("flap"), keyboard.presses("fire"), keyboard.isHeld("flap")], [3, 2, false]);
});

Deno.test("Keyboard: hold lasts while any flap key is down", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("Space");
  keys.down("ArrowUp");
  keys.up("Space");
  assertEquals(keyboard.isHeld("flap"), true);
  keys.up("ArrowUp");
  assertEquals(keyboard.isHeld("flap"), false);
});

Deno.test("Keyboard.consumeDirection: a tapped direction is worth one tick, a held one every tick", () => {
  const { keyboard, keys } = openKeyboard();
  keys.tap("KeyA");
  assertEquals([keyboard.direction, keyboard.consumeDirection(), keyboard.consumeDirection()], [0, -1, 0]);
  keys.down("KeyD");
  assertEquals([keyboard.consumeDirection(), keyboard.consumeDirection()], [1, 1]);
});

Deno.test("Keyboard: key repeat is no press", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("Space");
  keys.down("Space", { repeat: true });
  keys.down("Space"); // some systems leave the mark out
  assertEquals([keyboard.presses("flap"), keyboard.isHeld("flap")], [1, true]);
});

Deno.test("Keyboard.bind: other keys do it now, and what was down is let go", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("ArrowLeft");
  keyboard.bind(withBinding(DEFAULT_BINDINGS, "KeyQ", { action: "flap", slot: 2 }));
  assertEquals(keyboard.direction, 0);
  keys.tap("KeyQ");
  keys.tap("Space"); // stood where Q stands now
  keys.tap("ArrowUp");
  assertEquals(keyboard.presses("flap"), 2);
});

Deno.test("withBinding: a key does one thing, and no action is ever without one", () => {
  const lone = { ...DEFAULT_BINDINGS, fire: ["KeyF"] };
  const taken = withBinding(lone, "KeyF", { action: "flap", slot: 0 });
  assertEquals([taken.flap, taken.fire], [["KeyF", "KeyW", "Space"], ["ArrowUp"]]); // they have changed places
  assertEquals(withBinding(lone, "KeyF", { action: "left", slot: 2 }), lone); // nothing to change places with
  const shared = withBinding(DEFAULT_BINDINGS, "KeyA", { action: "fire", slot: 1 });
  assertEquals([shared.left, shared.fire], [["ArrowLeft"], ["KeyF", "KeyA", "KeyJ"]]);
  assertEquals(withBinding(DEFAULT_BINDINGS, "ArrowUp", { action: "flap", slot: 2 }).flap, ["KeyW", "ArrowUp"]);
});

Deno.test("parseBindings: of what was remembered only what can be used", () => {
  assertEquals(parseBindings(undefined, DRAGON_ACTIONS), DEFAULT_BINDINGS);
  assertEquals(parseBindings({ flap: ["KeyQ", 7, "Escape"], fire: [], left: "KeyA" }, DRAGON_ACTIONS), {
    ...DEFAULT_BINDINGS,
    flap: ["KeyQ"],
  });
});

Deno.test("parseSettings: a memory that somebody has spoilt is no memory", () => {
  for (const spoilt of [null, "", "{", "null", "7", '{"colour":"mud","name":7,"keys":3}']) {
    const { name, colour, keys, oneButton } = parseSettings(spoilt, SCHEMA);
    assertEquals({ name, colour, keys, oneButton }, {
      name: "",
      colour: "sky",
      keys: DEFAULT_BINDINGS,
      oneButton: false,
    });
  }
  assertEquals(parseSettings('{"colour":"mint","oneButton":true}', SCHEMA).colour, "mint");
  const loudness = (text: string) => [parseSettings(text, SCHEMA).volume, parseSettings(text, SCHEMA).muted];
  assertEquals(loudness('{"volume":0.2,"muted":true}'), [0.2, true]);
  assertEquals(loudness('{"volume":7,"muted":"yes"}'), [0.5, false]);
});

Deno.test("Keyboard: looking away releases everything and keeps the totals", () => {
  for (const kind of ["blur", "visibilitychange"]) {
    const { keyboard, keys } = openKeyboard();
    keys.down("ArrowRight");
    keys.down("Space");
    keys.dispatchEvent(new Event(kind));
    assertEquals([keyboard.direction, keyboard.isHeld("flap"), keyboard.consumeDirection(), keyboard.presses("flap")], [
      0,
      false,
      0,
      1,
    ], kind);
  }
});

Deno.test("Keyboard: takes only its own keys, and none that are shortcuts", () => {
  const { keyboard, keys } = openKeyboard();
  assertEquals([keys.down("Space"), keys.down("ArrowLeft"), keys.down("KeyF")], [true, true, true]);
  assertEquals([keys.down("Tab"), keys.down("F5"), keys.down("KeyQ")], [false, false, false]);
  assertEquals(keys.down("KeyX", { ctrlKey: true }), false);
  assertEquals(keyboard.presses("fire"), 1);
});

Deno.test("Keyboard: Command lets go of what it would swallow the release of", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("ArrowLeft");
  keys.down("MetaLeft", { metaKey: true });
  assertEquals(keyboard.direction, 0);
});

Deno.test("Keyboard: keys typed into a text field are text", () => {
  const field = new TextField();
  const keyboard = new Keyboard(field, DEFAULT_BINDINGS);
  assertEquals(field.down("KeyF"), false);
  assertEquals(field.down("Space"), false);
  assertEquals([keyboard.presses("fire"), keyboard.presses("flap"), keyboard.isHeld("flap")], [0, 0, false]);
});

Deno.test("Keyboard: Space on a focused button presses the button", () => {
  const button = new Button();
  const keyboard = new Keyboard(button, DEFAULT_BINDINGS);
  assertEquals([button.down("Space"), keyboard.presses("flap"), keyboard.isHeld("flap")], [false, 0, false]);
});
