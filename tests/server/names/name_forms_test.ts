import { assert, assertEquals } from "@std/assert";
import { nameForms } from "../../../server/names/name_forms.ts";

const areAlike = (a: string, b: string) => nameForms(a).some((form) => nameForms(b).includes(form));

Deno.test("nameForms: names with one skeleton are alike, in any case, width and script (SPEC 8.15)", () => {
  const alike: readonly (readonly [string, string])[] = [
    ["Rook", "ROOK"],
    ["Rook", "Ｒｏｏｋ"],
    ["Rook", "Rооk"], // Cyrillic о
    ["ROOK", "RΟΟΚ"], // Greek Ο and Κ
    ["Ivan", "lvan"],
    ["IVAN", "1van"],
    ["ivan", "IVAN"],
    ["Вob", "вob"], // Cyrillic В, whose small letter is no b
    ["Вob", "bob"],
    ["rnod", "Mod"],
    ["Röok", "Ro\u0308ok"],
    ["Rook", "R\u200do\u034fok"],
    ["ſam", "Sam"],
  ];
  for (const [a, b] of alike) assert(areAlike(a, b), `${a} ${b}`);
});

Deno.test("nameForms: other names are not alike", () => {
  for (
    const [a, b] of [["Rook", "Röok"], ["Rook", "Rooks"], ["Wren", "Gale"], ["卜", "イ"]] as const
  ) {
    assert(!areAlike(a, b), `${a} ${b}`);
  }
  assertEquals(nameForms("\u3164 \u2060")[0], "", "nothing is visible");
});
