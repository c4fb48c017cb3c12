import { assertEquals } from "@std/assert";
import { proofText, sealText } from "../../../../client/ui/match/proof_words.ts";

Deno.test("sealText: the number apart from the words, which small screens leave out", () => {
  const text = (ticks: number) => sealText({ ticks, differences: 0, rollbacks: 0 });
  assertEquals(text(1240), { count: "1,240", words: " ticks proven" });
  assertEquals(text(1), { count: "1", words: " tick proven" });
});

Deno.test("proofText: says how often it rolled back, and hides no tick that differed (SPEC 4.18)", () => {
  const text = (rollbacks: number, differences = 0) =>
    proofText({ ticks: 1240, differences, rollbacks });
  assertEquals(text(31), "Rolled back 31 times, 0 bits differ: 1,240 ticks proven");
  assertEquals(text(1), "Rolled back once, 0 bits differ: 1,240 ticks proven");
  assertEquals(text(0), "Never rolled back, 0 bits differ: 1,240 ticks proven");
  assertEquals(
    text(1031, 1),
    "Rolled back 1,031 times, 1 tick differed and was healed: 1,240 ticks proven",
  );
  assertEquals(
    text(31, 2),
    "Rolled back 31 times, 2 ticks differed and were healed: 1,240 ticks proven",
  );
});
