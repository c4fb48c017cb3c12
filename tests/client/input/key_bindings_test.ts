import { assertEquals } from "@std/assert";
import { defaultBindings, parseBindings, withBinding } from "../../../client/input/key_bindings.ts";
import { ACTIONS } from "./actions.ts";

const DEFAULT_BINDINGS = defaultBindings(ACTIONS);

Deno.test("withBinding: a key has one action, and each action keeps at least one key", () => {
  const lone = { ...DEFAULT_BINDINGS, fire: ["KeyF"] };
  const taken = withBinding(lone, "KeyF", { action: "flap", slot: 0 });
  assertEquals([taken.flap, taken.fire], [["KeyF", "KeyW", "Space"], ["ArrowUp"]]); // they have swapped
  assertEquals(withBinding(lone, "KeyF", { action: "left", slot: 2 }), lone); // nothing to swap
  const shared = withBinding(DEFAULT_BINDINGS, "KeyA", { action: "fire", slot: 1 });
  assertEquals([shared.left, shared.fire], [["ArrowLeft"], ["KeyF", "KeyA", "KeyJ"]]);
  assertEquals(withBinding(DEFAULT_BINDINGS, "ArrowUp", { action: "flap", slot: 2 }).flap, [
    "KeyW",
    "ArrowUp",
  ]);
});

Deno.test("parseBindings: the usable part of stored bindings", () => {
  assertEquals(parseBindings(undefined, ACTIONS), DEFAULT_BINDINGS);
  assertEquals(
    parseBindings({ flap: ["KeyQ", 7, "Escape"], fire: [], left: "KeyA" }, ACTIONS),
    {
      ...DEFAULT_BINDINGS,
      flap: ["KeyQ"],
    },
  );
});
