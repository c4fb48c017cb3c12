/** Whom a page without a seat follows. */
import { assertEquals } from "@std/assert";
import type { ShownThing } from "../../../client/game_kit/shown_thing.ts";
import { Watcher } from "../../../client/game_kit/watcher.ts";

const players = (...seats: readonly number[]) =>
  seats.map((seat) => ({ seat, label: `P${seat}` }) as ShownThing);

/** The seat that is followed at this moment. */
function followed(watcher: Watcher, seats: readonly number[], seconds = 0): number | undefined {
  return watcher.choose(players(...seats), seconds)?.seat;
}

Deno.test("Watcher: with a camera of the view it follows a player at once, and keys go round (SPEC 13.61)", () => {
  const watcher = new Watcher({ hasCamera: true });
  const seats = [16, 2, 0];
  assertEquals(followed(watcher, []), undefined);
  assertEquals(followed(watcher, seats), 0, "players before NPCs");
  const way = ([1, 1, 1, -1, -1] as const).map((by) => {
    watcher.step(by);
    return followed(watcher, seats);
  });
  assertEquals(way, [2, 16, 0, 16, 2]);
  assertEquals([watcher.isWatching, watcher.label], [true, "P2"]);
});

Deno.test("Watcher: without a camera everybody is a choice, and the first one (SPEC 13.61)", () => {
  const watcher = new Watcher({ hasCamera: false });
  const way = ([1, 1, 1, -1] as const).map((by) => {
    followed(watcher, [0, 1]);
    watcher.step(by);
    return followed(watcher, [0, 1]);
  });
  assertEquals([followed(new Watcher({ hasCamera: false }), [0, 1]), ...way], [
    undefined,
    0,
    1,
    undefined,
    1,
  ]);
});

Deno.test("Watcher: who is away for three seconds is waited for; then the next one is followed (SPEC 13.61)", () => {
  const watcher = new Watcher({ hasCamera: true });
  followed(watcher, [0, 1, 2], 10);
  watcher.step(1);
  assertEquals(followed(watcher, [0, 1, 2], 11), 1);
  assertEquals(followed(watcher, [0, 2], 12), undefined, "the picture stays where it is");
  assertEquals(followed(watcher, [0, 1, 2], 13), 1, "back again");
  assertEquals(followed(watcher, [0, 2], 16.5), undefined);
  assertEquals(followed(watcher, [0, 2], 16.6), 2);
  assertEquals(followed(watcher, [0], 20), undefined);
  assertEquals(followed(watcher, [0], 20.1), 0);
});

Deno.test("Watcher: a page with a seat watches nobody, and begins anew the next time", () => {
  const watcher = new Watcher({ hasCamera: true });
  followed(watcher, [0, 1]);
  watcher.step(1);
  watcher.end();
  assertEquals(watcher.isWatching, false);
  assertEquals(followed(watcher, [0, 1]), 0);
});
