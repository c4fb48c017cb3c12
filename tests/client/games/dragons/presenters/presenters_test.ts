import { assertEquals } from "@std/assert";
import { newPainters } from "../../../../../client/games/dragons/presenters/presenters.ts";
import { dragonView } from "../../../../../client/games/dragons/view.ts";
import { ARENA_WORDS } from "../../../../../shared/games/dragons/arenas/arenas.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";

Deno.test("newPainters: one for each thing of the game that is no scenery", () => {
  const scenery: readonly string[] = [
    ...ARENA_WORDS,
    "lift",
    "relic",
    "wyrm",
    "bridge",
    "chest",
    "loot",
    "arrow",
    "pellet",
  ];
  const things = Object.keys(dragonGame.declaration.things);
  assertEquals(
    newPainters().map(({ name }) => name).sort(),
    things.filter((name) => !scenery.includes(name)).map((name) => `${name}s`).sort(),
  );
});

Deno.test("dragonView: whatever costs a rider or points waits until it is definitive, other events do not", () => {
  for (
    const kind of [
      "joust",
      "burn",
      "egg",
      "take",
      "hatch",
      "wither",
      "sink",
      "capture",
      "round",
      "start",
    ]
  ) {
    assertEquals(dragonView.isConfirmedOnly(kind, 3), true, kind);
  }
  for (const kind of ["flap", "land", "fire", "clash", "crush", "respawn", "enter", "ignite"]) {
    assertEquals(dragonView.isConfirmedOnly(kind, 3), false, kind);
  }
});

Deno.test("dragonView: the events that an own key causes show at once", () => {
  const kinds = Object.keys(dragonGame.declaration.events!);
  assertEquals(kinds.filter((kind) => dragonView.answersKey!(kind)).sort(), [
    "dash",
    "fire",
    "flap",
    "loose",
  ]);
});

Deno.test("dragonView: one button plays all, and the help line says how (SPEC 13.131)", () => {
  const keys = { flaps: ["Space"], fires: ["KeyF"], "dir-less": ["KeyA"], "dir-more": ["KeyD"] };
  assertEquals(
    dragonView.helpText(keys, { oneButton: true }),
    "Space: flap · hold: turn round · hold longer: breathe fire",
  );
  assertEquals(
    dragonView.helpText(keys, { oneButton: false }),
    "A D fly · Space flap · F breathe fire",
  );
});
