import { assertAlmostEquals, assertEquals } from "@std/assert";
import { Playback, SPEEDS } from "../../../client/replay/playback.ts";
import { momentText } from "../../../client/ui/moment_text.ts";
import { formatReplayUrl, parseReplayUrl } from "../../../client/replay/replay_url.ts";

Deno.test("Playback: at each speed it passes as many ticks as it says, and stops at the end (SPEC 15.12)", () => {
  const ends = { ready: 500, last: 500 };
  for (const speed of SPEEDS) {
    const playback = new Playback(20, 100);
    playback.speed = speed;
    playback.advance(1000, ends);
    assertEquals(playback.position, 100, "it is paused at first");
    playback.isPlaying = true;
    for (let i = 0; i < 60; i++) playback.advance(1000 / 60, ends);
    assertAlmostEquals(playback.position, 100 + 20 * speed, 1e-6);
    for (let i = 0; i < 60 * 100; i++) playback.advance(1000 / 60, ends);
    assertEquals([playback.position, playback.tick, playback.isPlaying], [500, 500, false]);
  }
});

Deno.test("Playback: after a long gap, such as a hidden tab, it goes on from where it was (SPEC 15.12)", () => {
  const playback = new Playback(20, 0);
  playback.isPlaying = true;
  playback.advance(60_000, { ready: 1e6, last: 1e6 });
  assertAlmostEquals(playback.position, 5, 1e-6);
});

Deno.test("Playback: it waits for ticks that are not checked, and plays on (SPEC 15.12)", () => {
  const playback = new Playback(20, 0);
  playback.isPlaying = true;
  for (let i = 0; i < 60; i++) playback.advance(100, { ready: 30, last: 500 });
  assertEquals([playback.position, playback.isPlaying], [30, true]);
  playback.advance(100, { ready: 60, last: 500 });
  assertAlmostEquals(playback.position, 32, 1e-6);
});

Deno.test("momentText: minutes, seconds and tenths, rounded down", () => {
  assertEquals([0, 0.05, 9.99, 59.999, 60, 65.3, 3600].map(momentText), [
    "0:00.0",
    "0:00.0",
    "0:09.9",
    "0:59.9",
    "1:00.0",
    "1:05.3",
    "60:00.0",
  ]);
});

Deno.test("replay URL: it names the match and the tick, or one of them, and nothing else (SPEC 15.12)", () => {
  const id = "20261125T081015-CROW-1a2b3c4d";
  for (
    const url of [{ id, tick: 812 }, { id, tick: undefined }, { id: "", tick: 7 }, {
      id: "",
      tick: undefined,
    }]
  ) {
    assertEquals(parseReplayUrl({ hash: formatReplayUrl(url) }), url);
  }

  for (
    const hash of [
      "",
      "#",
      "#../../x",
      "#a/b",
      "#x@-1",
      "#x@1e9",
      `#${"x".repeat(65)}`,
      "#x@9999999999",
      "#<b>",
    ]
  ) {
    assertEquals(parseReplayUrl({ hash }), { id: "", tick: undefined }, hash);
  }
});
