import { assertEquals } from "@std/assert";
import { lanceMarksOf } from "../../../../../../client/games/dragons/presenters/dragon/marks.ts";
import { LANCE_LEAD } from "../../../../../../shared/games/dragons/tuning.ts";
import { dragonSprite } from "./sprites.ts";

const OWN_HEIGHT = 5;
const own = dragonSprite({
  own: true,
  lance: { y: OWN_HEIGHT, lowest: OWN_HEIGHT, highest: OWN_HEIGHT },
});

/**
 * The mark between the own dragon and a rival who is `lead` metres lower, or at most `fall` more or
 * `rise` less.
 */
function markOf(lead: number, { fall = 0, rise = 0 } = {}) {
  const y = OWN_HEIGHT - lead;
  const rival = dragonSprite({
    id: 2,
    seat: 1,
    x: 11,
    lance: { y, lowest: y - fall, highest: y + rise },
  });
  const [mark] = lanceMarksOf([rival, own]);
  return mark && [mark.winner, mark.isSolid];
}

Deno.test("lanceMarksOf: points at the lance that is higher by the lead of a joust", () => {
  assertEquals(markOf(LANCE_LEAD), [1, true]);
  assertEquals(markOf(-LANCE_LEAD), [-1, true]);
  assertEquals(markOf(LANCE_LEAD - 0.01), [0, true]);
});

Deno.test("lanceMarksOf: a mark is hollow if the rival may be high or low enough for another winner", () => {
  assertEquals(markOf(1, { rise: 0.7 }), [1, true]);
  assertEquals(markOf(1, { rise: 0.8 }), [1, false]);
  assertEquals(markOf(0.1, { rise: 0.2, fall: 0.1 }), [0, true]);
  assertEquals(markOf(0.1, { rise: 0.4 }), [0, false]);
  assertEquals(markOf(-0.5, { rise: 9 }), [-1, true], "a rival above can only rise");
  assertEquals(markOf(-0.5, { fall: 0.3 }), [-1, false]);
});

Deno.test("lanceMarksOf: there is none for a dragon without a rider, far away, or without an own dragon", () => {
  const rival = dragonSprite({ id: 2, seat: 1, lance: own.lance });
  assertEquals(lanceMarksOf([rival, own]).length, 1);
  assertEquals(lanceMarksOf([{ ...rival, lance: undefined }, own]), []);
  assertEquals(lanceMarksOf([rival, { ...own, lance: undefined }]), []);
  assertEquals(lanceMarksOf([{ ...rival, x: own.x + 3.1 }, own]), []);
  assertEquals(lanceMarksOf([rival]), []);
});
