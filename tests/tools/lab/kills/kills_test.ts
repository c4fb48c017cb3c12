import { assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { measureKills } from "./kills.ts";

const FAR = { roundTripMs: 200, loss: 0, seconds: 60 } as const;

Deno.test("Lab: against NPCs a page 200 ms away shows its kills when it predicts them, and takes none back (SPEC 8.23, 8.170, 8.172) [seed 1]", () => {
  const { npcs, shown, shownEarly, takenBack } = measureKills({
    ...FAR,
    players: 1,
    npcs: 8,
    seed: 1,
  });
  assertGreater(npcs.count, 2);
  assertGreater(shown, 60);
  assertEquals([shownEarly, takenBack], [shown, 0]);
  assertLessOrEqual(npcs.shownMsP95, 120);
  assertGreater(npcs.definitiveMsP95, 200, "the server says so that much later");
});

Deno.test("Lab: among people a page shows the deaths early that nobody unknown could reach, counts the own ones at once, and takes nothing back (SPEC 8.23, 8.171, 8.190) [seed 2]", () => {
  const row = measureKills({
    ...FAR,
    players: 4,
    npcs: 4,
    seed: 2,
  });
  const { npcs, people, shown, shownEarly, takenBack } = row;
  const { counted, countedBySettledTick, pointsTakenBack } = row;
  assertGreater(shownEarly, 60);
  assertLess(shownEarly, shown, "some happen near to others");
  assertEquals([takenBack, pointsTakenBack], [0, 0]);
  assertLess(npcs.shownMsP50, npcs.definitiveMsP95);
  assertEquals(counted, npcs.count + people.count);
  assertLess(countedBySettledTick, counted, "the settled tick waits for everybody");
});

Deno.test("Lab: on a line that loses packets a page waits until its own commands are announced (SPEC 8.170) [seed 3]", () => {
  const { npcs, takenBack } = measureKills({
    ...FAR,
    loss: 0.01,
    seconds: 90,
    players: 1,
    npcs: 8,
    seed: 3,
  });
  assertGreater(npcs.count, 2);
  assertGreater(npcs.shownMsP50, 100);
  assertEquals(takenBack, 0);
});
