/** The keyboard on a bare `EventTarget`: levels, totals, and keys that must not count. */
import { assertEquals } from "@std/assert";
import { defaultBindings, withBinding } from "../../../client/input/key_bindings.ts";
import { Keyboard } from "../../../client/input/keyboard.ts";
import { ACTIONS } from "./actions.ts";

const DEFAULT_BINDINGS = defaultBindings(ACTIONS) as Record<
  "left" | "right" | "flap" | "fire",
  readonly string[]
>;

/** A target that reports presses and releases as a browser does. */
class KeyTarget extends EventTarget {
  /** @returns whether the keyboard prevented the default action */
  down(code: string, more: Record<string, unknown> = {}): boolean {
    return !this.dispatchEvent(
      Object.assign(new Event("keydown", { cancelable: true }), { code, ...more }),
    );
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

/** A text field: key events have it as their target. */
class TextField extends KeyTarget {
  readonly tagName = "INPUT";
}

function openKeyboard(): { keyboard: Keyboard; keys: KeyTarget } {
  const keys = new KeyTarget();
  return { keyboard: new Keyboard(keys, ACTIONS, DEFAULT_BINDINGS), keys };
}

Deno.test("Keyboard: arrows and letters steer; the newest held key counts, and after its release the older one", () => {
  const { keyboard, keys } = openKeyboard();
  assertEquals(keyboard.readAxis("dir", true), 0);
  keys.down("ArrowLeft");
  assertEquals(keyboard.readAxis("dir", true), -1);
  keys.down("KeyD");
  assertEquals(keyboard.readAxis("dir", true), 1);
  keys.up("KeyD");
  assertEquals(keyboard.readAxis("dir", true), -1);
  keys.up("ArrowLeft");
  assertEquals(keyboard.readAxis("dir", true), 0);
});

Deno.test("Keyboard: every tap counts, also if it ends before a tick", () => {
  const { keyboard, keys } = openKeyboard();
  keys.tap("Space");
  keys.tap("KeyW");
  keys.tap("ArrowUp");
  keys.tap("KeyF");
  keys.tap("KeyX");
  assertEquals([keyboard.presses("flap"), keyboard.presses("fire"), keyboard.isHeld("flap")], [
    3,
    2,
    false,
  ]);
});

Deno.test("Keyboard: flap is held while any of its keys is down", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("Space");
  keys.down("ArrowUp");
  keys.up("Space");
  assertEquals(keyboard.isHeld("flap"), true);
  keys.up("ArrowUp");
  assertEquals(keyboard.isHeld("flap"), false);
});

Deno.test("Keyboard.readAxis: a tapped direction counts for one tick, a held one for every tick", () => {
  const { keyboard, keys } = openKeyboard();
  keys.tap("KeyA");
  // A frame between two ticks reads the tap and leaves it to the tick.
  const reads = [false, false, true, true].map((consumes) => keyboard.readAxis("dir", consumes));
  assertEquals(reads, [-1, -1, -1, 0]);
  keys.down("KeyD");
  assertEquals([keyboard.readAxis("dir", true), keyboard.readAxis("dir", true)], [1, 1]);
});

Deno.test("Keyboard: key repeat is not a press", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("Space");
  keys.down("Space", { repeat: true });
  keys.down("Space"); // some systems omit the flag
  assertEquals([keyboard.presses("flap"), keyboard.isHeld("flap")], [1, true]);
});

Deno.test("Keyboard.bind: new bindings apply at once, and held keys count as released", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("ArrowLeft");
  keyboard.bind(withBinding(DEFAULT_BINDINGS, "KeyQ", { action: "flap", slot: 2 }));
  assertEquals(keyboard.readAxis("dir", true), 0);
  keys.tap("KeyQ");
  keys.tap("Space"); // Q has replaced it
  keys.tap("ArrowUp");
  assertEquals(keyboard.presses("flap"), 2);
});

Deno.test("Keyboard: a page without the focus releases all keys and keeps the totals", () => {
  for (const kind of ["blur", "visibilitychange"]) {
    const { keyboard, keys } = openKeyboard();
    keys.down("ArrowRight");
    keys.down("Space");
    keys.dispatchEvent(new Event(kind));
    assertEquals([
      keyboard.readAxis("dir", true),
      keyboard.isHeld("flap"),
      keyboard.readAxis("dir", true),
      keyboard.presses("flap"),
    ], [
      0,
      false,
      0,
      1,
    ], kind);
  }
});

Deno.test("Keyboard: takes its own keys only, and no shortcuts", () => {
  const { keyboard, keys } = openKeyboard();
  assertEquals([keys.down("Space"), keys.down("ArrowLeft"), keys.down("KeyF")], [true, true, true]);
  assertEquals([keys.down("Tab"), keys.down("F5"), keys.down("KeyQ")], [false, false, false]);
  assertEquals(keys.down("KeyX", { ctrlKey: true }), false);
  assertEquals(keyboard.presses("fire"), 1);
});

Deno.test("Keyboard: Command releases all keys, because macOS hides their releases", () => {
  const { keyboard, keys } = openKeyboard();
  keys.down("ArrowLeft");
  keys.down("MetaLeft", { metaKey: true });
  assertEquals(keyboard.readAxis("dir", true), 0);
});

Deno.test("Keyboard: keys in a text field are text", () => {
  const field = new TextField();
  const keyboard = new Keyboard(field, ACTIONS, DEFAULT_BINDINGS);
  assertEquals(field.down("KeyF"), false);
  assertEquals(field.down("Space"), false);
  assertEquals([keyboard.presses("fire"), keyboard.presses("flap"), keyboard.isHeld("flap")], [
    0,
    0,
    false,
  ]);
});

Deno.test("Keyboard: Space on a focused button belongs to the button", () => {
  const button = new Button();
  const keyboard = new Keyboard(button, ACTIONS, DEFAULT_BINDINGS);
  assertEquals([button.down("Space"), keyboard.presses("flap"), keyboard.isHeld("flap")], [
    false,
    0,
    false,
  ]);
});
