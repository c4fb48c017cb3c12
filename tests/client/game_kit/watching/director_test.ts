/** Where the director of a spectator goes. */
import { assertEquals } from "@std/assert";
import { Director, type DirectorOptions } from "../../../../client/game_kit/watching/director.ts";
import type { ShownThing } from "../../../../client/game_kit/shown_thing.ts";

const NOTHING: DirectorOptions = { viewWidth: 10, interestOf: () => 0, scores: () => [] };

const player = (seat: number, x: number, team?: string) =>
  ({ seat, x, y: 0, fields: team === undefined ? {} : { team } }) as unknown as ShownThing;

Deno.test("Director: it goes to the nearest fight; people count more than NPCs, and the leader more than others (SPEC 13.200)", () => {
  const choose = (
    players: readonly ShownThing[],
    scores: ReturnType<DirectorOptions["scores"]> = [],
  ) => new Director({ ...NOTHING, scores: () => scores }).choose(players, 0)?.seat;

  assertEquals(choose([]), undefined);
  assertEquals(choose([player(2, 0), player(1, 9)]), 1, "of equals the lowest seat");
  assertEquals(choose([player(0, 0), player(1, 5), player(2, 6)]), 1, "1 and 2 fight");
  const mates = [
    player(0, 0, "red"),
    player(1, 1, "red"),
    player(2, 5, "red"),
    player(3, 6, "blue"),
  ];
  assertEquals(choose(mates), 2, "mates do not fight");
  assertEquals(choose([player(16, 0), player(17, 0.5), player(0, 9)]), 16, "a close fight of NPCs");
  assertEquals(choose([player(16, 0), player(17, 2), player(0, 9)]), 0, "a wide one");
  const three = [player(0, 0), player(1, 9), player(2, 18)];
  assertEquals(choose(three, [{ seat: 0, score: 1 }, { seat: 2, score: 3 }]), 2, "the leader");
  assertEquals(choose(three, [{ seat: 2, score: 0 }]), 0, "nobody has a point");
});

Deno.test("Director: it stays for four seconds, but not with who is gone; the view adds interest (SPEC 13.200)", () => {
  const director = new Director({ ...NOTHING, interestOf: ({ x }) => x });
  const at = (seconds: number, ...players: readonly ShownThing[]) =>
    director.choose(players, seconds)?.seat;
  assertEquals(at(10, player(0, 50), player(1, 40)), 0);
  assertEquals(at(13.9, player(0, 50), player(1, 70)), 0);
  assertEquals(at(14, player(0, 50), player(1, 70)), 1);
  assertEquals(at(15, player(0, 50), player(2, 20)), 0, "seat 1 has left");
  assertEquals(at(16, player(0, 50), player(2, 90)), 0);
  assertEquals(at(1, player(0, 50), player(2, 90)), 2, "a replay went back");
  assertEquals(at(2, player(0, 95), player(2, 90)), 2);
  director.restart();
  assertEquals(at(2, player(0, 95), player(2, 90)), 0, "nothing of before counts");
});
