import { assertEquals } from "@std/assert";
import { outcomeOf, setOutcomeOf } from "../../../shared/netcode/round_outcome.ts";

type Row = { readonly score: number; readonly team?: string };

/** The places in the list of those who won, and of those who drew. */
function placesOf(rows: readonly Row[]): { readonly won: number[]; readonly drew: number[] } {
  const { winners, drew } = outcomeOf(rows);
  return {
    won: winners.map((row) => rows.indexOf(row)),
    drew: drew.map((row) => rows.indexOf(row)),
  };
}

Deno.test("outcomeOf: the best of several wins; equals draw; nobody wins alone, and nobody draws without a point (SPEC 25.11)", () => {
  const of = (...scores: number[]) => placesOf(scores.map((score) => ({ score })));
  assertEquals(of(3, 7, 1), { won: [1], drew: [] });
  assertEquals(of(3, 7, 7), { won: [], drew: [1, 2] });
  assertEquals(of(4, 4), { won: [], drew: [0, 1] });
  assertEquals(of(0, -2), { won: [0], drew: [] });
  for (const nobody of [of(), of(9), of(0, 0), of(-1, -1)]) {
    assertEquals(nobody, { won: [], drew: [] });
  }
});

Deno.test("outcomeOf: a team wins together; a draw of teams is one, and a team without rivals has not won (SPEC 25.11)", () => {
  const of = (...rows: (readonly [team: string, score: number])[]) =>
    placesOf(rows.map(([team, score]) => ({ team, score })));
  assertEquals(of(["blue", 3], ["orange", 5], ["orange", 5]), { won: [1, 2], drew: [] });
  assertEquals(of(["blue", 3], ["orange", 3]), { won: [], drew: [0, 1] });
  assertEquals(of(["blue", 3], ["blue", 3]), { won: [], drew: [0, 1] });
});

Deno.test("setOutcomeOf: rounds won come before any points (SPEC 25.13)", () => {
  const rows = [{ score: 1, total: 9, wins: 2 }, { score: 8, total: 4_000_000_000, wins: 1 }];
  assertEquals(setOutcomeOf(rows).winners, [rows[0]!]);
  const equal = rows.map((row) => ({ ...row, wins: 1 }));
  assertEquals(setOutcomeOf(equal).winners, [equal[1]!]);
});
