/** The keyboard on a bare `EventTarget`: levels, totals, and what must not count. */
import { assertEquals } from "@std/assert";
import { bindingsFrom, bound, DEFAULT_BINDINGS } from "../../../client/input/key_bindings.ts";
import { Keyboard } from "../../../client/input/keyboard.ts";
import { settingsFrom } from "../../../client/ui/settings.ts";

/** A target with hands: presses and releases as a browser would report them. */
class Hands extends EventTarget {
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
class Button extends Hands {
  readonly tagName = "BUTTON";
}

/** A text field, as far as the keyboard can tell: events reach it as their target. */
class TextField extends Hands {
  readonly tagName = "INPUT";
}

function keyboardWithHands(): { keyboard: Keyboard; hands: Hands } {
  const hands = new Hands();
  return { keyboard: new Keyboard(hands), hands };
}

Deno.test("Keyboard: arrows and letters steer, the last pressed wins and the other comes back", () => {
  const { keyboard, hands } = keyboardWithHands();
  assertEquals(keyboard.dir, 0);
  hands.down("ArrowLeft");
  assertEquals(keyboard.dir, -1);
  hands.down("KeyD");
  assertEquals(keyboard.dir, 1);
  hands.up("KeyD");
  assertEquals(keyboard.dir, -1);
  hands.up("ArrowLeft");
  assertEquals(keyboard.dir, 0);
});

Deno.test("Keyboard: every tap counts, also when it ends before anyone looks", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.tap("Space");
  hands.tap("KeyW");
  hands.tap("ArrowUp");
  hands.tap("KeyF");
  hands.tap("KeyX");
  assertEquals([keyboard.flapPresses, keyboard.firePresses, keyboard.hold], [3, 2, false]);
});

Deno.test("Keyboard: hold lasts while any flap key is down", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.down("Space");
  hands.down("ArrowUp");
  hands.up("Space");
  assertEquals(keyboard.hold, true);
  hands.up("ArrowUp");
  assertEquals(keyboard.hold, false);
});

Deno.test("Keyboard.takeDir: a tapped direction is worth one tick, a held one every tick", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.tap("KeyA");
  assertEquals([keyboard.dir, keyboard.takeDir(), keyboard.takeDir()], [0, -1, 0]);
  hands.down("KeyD");
  assertEquals([keyboard.takeDir(), keyboard.takeDir()], [1, 1]);
});

Deno.test("Keyboard: key repeat is no press", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.down("Space");
  hands.down("Space", { repeat: true });
  hands.down("Space"); // some systems leave the mark out
  assertEquals([keyboard.flapPresses, keyboard.hold], [1, true]);
});

Deno.test("Keyboard.bind: other keys do it now, and what was down is let go", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.down("ArrowLeft");
  keyboard.bind(bound(DEFAULT_BINDINGS, "KeyQ", { action: "flap", place: 2 }));
  assertEquals(keyboard.dir, 0);
  hands.tap("KeyQ");
  hands.tap("Space"); // stood where Q stands now
  hands.tap("ArrowUp");
  assertEquals(keyboard.flapPresses, 2);
});

Deno.test("bound: a key does one thing, and no action is ever without one", () => {
  const lone = { ...DEFAULT_BINDINGS, fire: ["KeyF"] };
  const taken = bound(lone, "KeyF", { action: "flap", place: 0 });
  assertEquals([taken.flap, taken.fire], [["KeyF", "KeyW", "Space"], ["ArrowUp"]]); // they have changed places
  assertEquals(bound(lone, "KeyF", { action: "left", place: 2 }), lone); // nothing to change places with
  const shared = bound(DEFAULT_BINDINGS, "KeyA", { action: "fire", place: 1 });
  assertEquals([shared.left, shared.fire], [["ArrowLeft"], ["KeyF", "KeyA", "KeyJ"]]);
  assertEquals(bound(DEFAULT_BINDINGS, "ArrowUp", { action: "flap", place: 2 }).flap, ["KeyW", "ArrowUp"]);
});

Deno.test("bindingsFrom: of what was remembered only what can be used", () => {
  assertEquals(bindingsFrom(undefined), DEFAULT_BINDINGS);
  assertEquals(bindingsFrom({ flap: ["KeyQ", 7, "Escape"], fire: [], left: "KeyA" }), {
    ...DEFAULT_BINDINGS,
    flap: ["KeyQ"],
  });
});

Deno.test("settingsFrom: a memory that somebody has spoilt is no memory", () => {
  for (const spoilt of [null, "", "{", "null", "7", '{"colour":"mud","name":7,"keys":3}']) {
    const { name, colour, keys, oneButton } = settingsFrom(spoilt);
    assertEquals({ name, colour, keys, oneButton }, {
      name: "",
      colour: "sky",
      keys: DEFAULT_BINDINGS,
      oneButton: false,
    });
  }
  assertEquals(settingsFrom('{"colour":"mint","oneButton":true}').colour, "mint");
  const loudness = (text: string) => [settingsFrom(text).volume, settingsFrom(text).muted];
  assertEquals(loudness('{"volume":0.2,"muted":true}'), [0.2, true]);
  assertEquals(loudness('{"volume":7,"muted":"yes"}'), [0.5, false]);
});

Deno.test("Keyboard: looking away releases everything and keeps the totals", () => {
  for (const kind of ["blur", "visibilitychange"]) {
    const { keyboard, hands } = keyboardWithHands();
    hands.down("ArrowRight");
    hands.down("Space");
    hands.dispatchEvent(new Event(kind));
    assertEquals([keyboard.dir, keyboard.hold, keyboard.takeDir(), keyboard.flapPresses], [0, false, 0, 1], kind);
  }
});

Deno.test("Keyboard: takes only its own keys, and none that are shortcuts", () => {
  const { keyboard, hands } = keyboardWithHands();
  assertEquals([hands.down("Space"), hands.down("ArrowLeft"), hands.down("KeyF")], [true, true, true]);
  assertEquals([hands.down("Tab"), hands.down("F5"), hands.down("KeyQ")], [false, false, false]);
  assertEquals(hands.down("KeyX", { ctrlKey: true }), false);
  assertEquals(keyboard.firePresses, 1);
});

Deno.test("Keyboard: Command lets go of what it would swallow the release of", () => {
  const { keyboard, hands } = keyboardWithHands();
  hands.down("ArrowLeft");
  hands.down("MetaLeft", { metaKey: true });
  assertEquals(keyboard.dir, 0);
});

Deno.test("Keyboard: keys typed into a text field are text", () => {
  const field = new TextField();
  const keyboard = new Keyboard(field);
  assertEquals(field.down("KeyF"), false);
  assertEquals(field.down("Space"), false);
  assertEquals([keyboard.firePresses, keyboard.flapPresses, keyboard.hold], [0, 0, false]);
});

Deno.test("Keyboard: Space on a focused button presses the button", () => {
  const button = new Button();
  const keyboard = new Keyboard(button);
  assertEquals([button.down("Space"), keyboard.flapPresses, keyboard.hold], [false, 0, false]);
});
