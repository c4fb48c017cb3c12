import { assertEquals } from "@std/assert";
import { ScoreAnnouncer } from "../../../../client/ui/match/score_announcer.ts";
import { standings } from "../scores.ts";

Deno.test("ScoreAnnouncer: a score that stays for a second, at most one in eight seconds", () => {
  const announcer = new ScoreAnnouncer();
  const at = (seconds: number, points: number) =>
    announcer.update(standings([points, 3], true), seconds * 1000);
  assertEquals([at(0, 2), at(5, 2)], ["", ""], "the first score is no news");
  // A misprediction is gone before it is announced.
  assertEquals([at(6, 4), at(6.5, 2), at(8, 2)], ["", "", ""]);
  assertEquals([at(9, 4), at(9.9, 4), at(10, 4)], ["", "", "4 points, place 1 of 2"]);
  assertEquals([at(11, 5), at(17.9, 5)], Array(2).fill("4 points, place 1 of 2"));
  assertEquals(at(18, 5), "5 points, place 1 of 2");
});

Deno.test("ScoreAnnouncer: says nothing to a spectator", () => {
  const announcer = new ScoreAnnouncer();
  for (const seconds of [0, 20, 40]) {
    assertEquals(announcer.update(standings([seconds, 1]), seconds * 1000), "");
  }
});
