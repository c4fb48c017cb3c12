import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { printableName } from "../../../server/names/printable_name.ts";
import { Random } from "../../../shared/random.ts";

Deno.test("printableName: a name keeps its letters and is NFC (SPEC 8.3)", () => {
  for (const name of ["Rook", "Zoë", "Nguyễn", "ありす", "สมชาย", "שָׁלוֹם", "🐉 Ember", "O'Neil-7"]) {
    assertEquals(printableName(name), name.normalize("NFC"), name);
  }
  assertEquals(printableName("Zoe\u0308"), "Zoë");
  assertEquals([...printableName("Zoë".repeat(30))].length, 24);
});

Deno.test("printableName: no control, format, invisible or blank character is left (SPEC 8.3)", () => {
  const hidden = [
    "\u0000",
    "\u0007",
    "\n",
    "\u00ad",
    "\u034f",
    "\u115f",
    "\u1160",
    "\u180e",
    "\u200b",
    "\u202e",
    "\u2028",
  ];
  hidden.push("\u2800", "\u3164", "\uffa0", "\ufeff", "\ue000", "\u{e0041}", "\u{1d159}", "\ud800");

  for (const character of hidden) {
    const name = printableName(`Ro${character}ok`);
    const number = character.codePointAt(0)!.toString(16);
    assertEquals(name.replace(" ", ""), "Rook", number);
    assertEquals(printableName(`${character}${character} `), "", number);
  }

  assertEquals(printableName("  Red \u3000 \u2003 Rook\t"), "Red Rook");
});

Deno.test("printableName: a letter has at most two marks, and a mark has a letter (SPEC 8.3)", () => {
  assertEquals(printableName(`R${"\u0335".repeat(14)}ook`), "R\u0335\u0335ook");
  assertEquals(printableName(`x${"\u0335\u200d".repeat(14)}`), "x\u0335\u0335");
  assertEquals(printableName("\u0301\u0302Rook"), "Rook");
  assertEquals(printableName("\u0301 \u0302"), "");
});

Deno.test("printableName: nobody has an office by their name (SPEC 8.40)", () => {
  const offices = [
    "SERVER",
    "server",
    "Ѕеrvеr",
    "ＳＥＲＶＥＲ",
    "s e r v e r",
    "[Server]",
    "Server 2",
    "Server1",
    "ſerver",
  ];
  offices.push(
    "Admin",
    "ADM1N",
    "adm|n",
    "Аdmіn",
    "~admin~",
    "Operator",
    "0perator",
    "Wyvern support",
    "Rnoderator",
  );
  for (const name of offices) assertEquals(printableName(name), "", name);
  for (const name of ["Serverus", "Admiral", "Modest", "Cooperator", "Wyvern"]) {
    assertEquals(printableName(name), name);
  }
});

Deno.test("printableName: of any text it makes one that it would leave as it is (seed 1)", () => {
  const random = new Random(1);
  const pools = [0x80, 0x370, 0x1200, 0x3400, 0x11_0000];
  for (let i = 0; i < 20_000; i++) {
    const codes = Array.from(
      { length: random.below(40) },
      () => random.below(pools[random.below(pools.length)]!),
    );
    const name = printableName(String.fromCodePoint(...codes));
    assertEquals(printableName(name), name, codes.join());
    assertEquals(name.normalize("NFC"), name, codes.join());
    assertLessOrEqual([...name].length, 24);
    assert(name === "" || /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), codes.join());
  }
});
