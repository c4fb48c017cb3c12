import { assertEquals } from "@std/assert";
import { RoundMoments } from "../../../../client/ui/match/round_moments.ts";
import { standings } from "../scores.ts";

Deno.test("RoundMoments: the last moment of who won decides a round; none does after a draw (SPEC 25.20)", () => {
  const moments = new RoundMoments();
  const note = (tick: number, doer: number) =>
    moments.note({ tick, caption: { doer, verb: "unseated", victim: 3 } });
  note(100, 0);
  note(200, 0);
  note(300, 1);
  const decided = (...points: number[]) => moments.decidingOf(standings(points))?.tick;
  assertEquals([decided(5, 3), decided(3, 5), decided(3, 3), decided(1, 2, 9)], [
    200,
    300,
    undefined,
    undefined,
  ]);

  // A team's last moment is that of whichever mate it was.
  const team = standings([5, 5, 1]).map((score, i) => ({ ...score, team: i < 2 ? "blue" : "red" }));
  assertEquals(moments.decidingOf(team)?.tick, 300);

  moments.clear();
  assertEquals(decided(5, 3), undefined);
});
