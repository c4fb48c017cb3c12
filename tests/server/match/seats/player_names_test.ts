import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { DRAWN_NAMES, freeName, npcNamesOf } from "../../../../server/match/seats/player_names.ts";
import { nameForms } from "../../../../server/names/name_forms.ts";
import { Random } from "../../../../shared/random.ts";
import { commandWith, MatchHarness } from "../match_harness.ts";

const freeOf = (wanted: string, ...taken: string[]) =>
  freeName(wanted, { taken, nameForms, random: new Random(1) });

Deno.test("freeName: a name that is taken gets the next free number (SPEC 8.16)", () => {
  assertEquals(freeOf("Rook"), "Rook");
  assertEquals(freeOf("Rook", "Wren"), "Rook");
  assertEquals(freeOf("Rook", "Rook"), "Rook 2");
  assertEquals(freeOf("Rook", "Rook", "Rook 2"), "Rook 3");
  assertEquals(freeOf("Rook 2", "Rook 2"), "Rook 3");
});

Deno.test("freeName: names that look alike count as one (SPEC 8.15)", () => {
  for (
    const alike of [
      "rook",
      "ROOK",
      "Ｒｏｏｋ",
      "Ro\u00adok",
      "Rook\ufe0f",
      "Rook\u3164",
      " Rook ",
      "Rооk",
      "RΟΟΚ",
    ]
  ) {
    assert(freeOf(alike, "Rook").endsWith(" 2"), alike);
  }
  assertEquals(freeOf("a  b", "A B"), "a  b 2");
  assertEquals(freeOf("Röok", "Rook"), "Röok");
});

Deno.test("freeName: the number is among the characters that pages show", () => {
  assertEquals(freeOf("abcdefghijkl", "abcdefghijkl"), "abcdefghij 2");
  assertEquals(freeOf("🐉".repeat(24), "🐉".repeat(24)), `${"🐉".repeat(22)} 2`);
});

Deno.test("freeName: without a choice it draws a free name, and numbers when none is free (SPEC 8.16)", () => {
  const random = new Random(1);
  const taken: string[] = [];
  for (let i = 0; i < 2 * DRAWN_NAMES.length; i++) {
    taken.push(freeName("\u3164", { taken, nameForms, random }));
  }
  assertEquals(taken.slice(0, DRAWN_NAMES.length).sort(), [...DRAWN_NAMES].sort());
  assertEquals(new Set(taken).size, taken.length);
  const firsts = Array.from(
    { length: 99 },
    (_, seed) => freeName("", { taken: [], nameForms, random: new Random(seed) }),
  );
  assertEquals(new Set(firsts).size, DRAWN_NAMES.length, "every name is drawn");
  for (const name of DRAWN_NAMES) assertLessOrEqual(name.length, 12 - " 16".length);
});

Deno.test("npcNamesOf: a player cannot have the name of an NPC (SPEC 8.15)", () => {
  const taken = npcNamesOf(dragonGame.description!);
  assertEquals(freeOf("hunter coal", ...taken), "hunter coa 2");
  assertEquals(freeOf("Нuntеr Coal", ...taken), "Нuntеr Coa 2", "Cyrillic");
  assertEquals(freeOf("Hunter", ...taken), "Hunter");
  assertEquals(npcNamesOf({}), []);
});

Deno.test("Match: two players named alike get two names, also while one of them is leaving (SPEC 8.15, 8.16)", () => {
  const harness = new MatchHarness();
  const first = harness.join({ name: "Rook" });
  const second = harness.join({ name: "rook" });
  harness.run(1);
  for (let i = 0; i < 5; i++) {
    for (const client of [first, second]) client.command(harness.match.tick + 1, commandWith(1));
    harness.run(1);
  }
  const entered = first.ticks.flatMap(({ presence }) => presence).map(({ name }) => name);
  assertEquals(entered.sort(), ["Rook", "rook 2"]);

  // The first player stays in the game until the last tick that their commands name. The third one
  // enters before.
  for (let ahead = 1; ahead <= 20; ahead++) {
    first.command(harness.match.tick + ahead, commandWith(1));
  }
  first.link.close(1000, "left");
  harness.run(1);
  const third = harness.join({ name: "RООK" });
  harness.run(1);
  third.command(harness.match.tick + 1, commandWith(1));
  harness.run(30);
  const changes = second.ticks.flatMap(({ presence }) => presence).sort((a, b) => a.tick - b.tick);
  const names = new Map<number, string>();
  for (const { seat, present, name } of changes) {
    if (present) names.set(seat, name.toLowerCase());
    else names.delete(seat);
    assertEquals(new Set(names.values()).size, names.size, [...names.values()].join());
  }

  assertEquals([...names.values()].sort(), ["rook 2", "rооk 3"], "the third one is half Cyrillic");
});
