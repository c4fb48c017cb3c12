/** Whom a page without a seat follows. */
import { assertEquals } from "@std/assert";
import type { LooseWorld } from "../../../client/game_kit/loose_types.ts";
import type { ShownThing } from "../../../client/game_kit/shown_thing.ts";
import { Watcher } from "../../../client/game_kit/watcher.ts";
import { Director } from "../../../client/game_kit/watching/director.ts";

const WORLD = {} as LooseWorld;

const players = (...seats: readonly number[]) =>
  seats.map((seat) => ({ seat, label: `P${seat}`, fields: {}, x: seat, y: 0 }) as ShownThing);

/** The seat that is followed at this moment. */
function followed(watcher: Watcher, seats: readonly number[], seconds = 0): number | undefined {
  return watcher.choose(players(...seats), { seconds, world: WORLD })?.seat;
}

/** A director that goes to the player on the highest seat. */
function withDirector(watcher: Watcher): Watcher {
  watcher.director = new Director({
    viewWidth: 1,
    interestOf: ({ seat }) => seat,
    scores: () => [],
  });
  return watcher;
}

Deno.test("Watcher: with a camera of the view it follows a player at once, and keys go round by the director (SPEC 13.61)", () => {
  const watcher = new Watcher({ hasCamera: true });
  const seats = [16, 2, 0];
  assertEquals(followed(watcher, []), undefined);
  assertEquals(followed(watcher, seats), 0, "players before NPCs");
  assertEquals(watcher.isDirected, false, "its code is not loaded");

  withDirector(watcher);
  assertEquals([followed(watcher, seats), watcher.isDirected], [16, true]);
  const way = ([1, 1, 1, 1, -1, -1] as const).map((by) => {
    watcher.step(by);
    return [followed(watcher, seats), watcher.isDirected];
  });
  assertEquals(way, [[0, false], [2, false], [16, false], [16, true], [16, false], [2, false]]);
  assertEquals([watcher.isWatching, watcher.label], [true, "P2"]);
});

Deno.test("Watcher: without a camera everybody is a choice after the director (SPEC 13.61)", () => {
  const watcher = new Watcher({ hasCamera: false });
  assertEquals(followed(watcher, [0, 1]), undefined, "all, until the director's code is loaded");
  withDirector(watcher);
  const way = ([1, 1, 1, 1, -1] as const).map((by) => {
    watcher.step(by);
    return followed(watcher, [0, 1]);
  });
  assertEquals(way, [undefined, 0, 1, 1, 1]);
  assertEquals(watcher.isDirected, false);
});

Deno.test("Watcher: who is chosen is followed from then on (SPEC 13.61)", () => {
  const watcher = withDirector(new Watcher({ hasCamera: true }));
  assertEquals(followed(watcher, [0, 1, 2]), 2);
  watcher.follow(1);
  assertEquals([followed(watcher, [0, 1, 2]), watcher.label], [1, "P1"]);
});

Deno.test("Watcher: who is away for three seconds is waited for; then the next one is followed (SPEC 13.61)", () => {
  const watcher = withDirector(new Watcher({ hasCamera: true }));
  watcher.follow(1);
  assertEquals(followed(watcher, [0, 1, 2], 11), 1);
  assertEquals(followed(watcher, [0, 2], 12), undefined, "the picture stays where it is");
  assertEquals(followed(watcher, [0, 1, 2], 13), 1, "back again");
  assertEquals(followed(watcher, [0, 2], 16.5), undefined);
  assertEquals(followed(watcher, [0, 2], 16.6), 2);
});

Deno.test("Watcher: a page with a seat watches nobody, and begins anew the next time", () => {
  const watcher = withDirector(new Watcher({ hasCamera: true }));
  followed(watcher, [0, 1]);
  watcher.follow(0);
  watcher.end();
  assertEquals(watcher.isWatching, false);
  assertEquals([followed(watcher, [0, 1]), watcher.isDirected], [1, true]);
});
