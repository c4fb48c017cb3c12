import { assertEquals } from "@std/assert";
import { HangWatch, LOOK_EVERY_MS, STEP_MS_MAX } from "../../../server/supervision/hang_watch.ts";
import { Heartbeat, readHeartbeat, subjectBytesOf } from "../../../server/supervision/heartbeat.ts";

const SUBJECT = subjectBytesOf({
  game: "dragons-10",
  room: "ABCD",
  match: "20261127T000000-ABCD-0000000a",
});

/** A heartbeat, and a watch whose time the test gives. */
function open() {
  const heartbeat = new Heartbeat();
  const watch = new HangWatch(0);
  let nowMs = 0;
  /** Looks for so long, each look after `everyMs`. @returns the signs */
  const lookFor = (ms: number, { everyMs = LOOK_EVERY_MS, meanwhile = () => {} } = {}) => {
    const signs: string[] = [];
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs += everyMs;
      meanwhile();
      const sign = watch.look(readHeartbeat(heartbeat.memory), nowMs);
      if (sign !== undefined) signs.push(sign);
    }
    return signs;
  };
  return { heartbeat, watch, lookFor };
}

Deno.test("HangWatch: a tick that does not end is suspected, then hangs, and is named (SPEC 17.14)", () => {
  const { heartbeat, watch, lookFor } = open();
  heartbeat.enter(SUBJECT, "tick", 41);
  assertEquals(lookFor(STEP_MS_MAX), ["suspect"]);
  assertEquals(lookFor(LOOK_EVERY_MS), ["hangs"]);
  const { phase, tick, subject } = readHeartbeat(heartbeat.memory);
  assertEquals([phase, tick], ["tick", 41]);
  assertEquals(JSON.parse(subject), {
    game: "dragons-10",
    room: "ABCD",
    match: "20261127T000000-ABCD-0000000a",
  });
  assertEquals(
    lookFor(2 * STEP_MS_MAX),
    ["hangs", "hangs"],
    "it is said again while nothing changes",
  );
  heartbeat.leave();
  assertEquals([lookFor(LOOK_EVERY_MS), watch.stuckMs], [["cleared"], 0]);
});

Deno.test("HangWatch: a loop of ticks that stands still hangs outside of a match; before it began and after its end nothing does", () => {
  const { heartbeat, lookFor } = open();
  assertEquals(lookFor(3 * STEP_MS_MAX), []);
  heartbeat.loop();
  assertEquals(lookFor(STEP_MS_MAX + LOOK_EVERY_MS), ["suspect", "hangs"]);
  assertEquals(readHeartbeat(heartbeat.memory), {
    ...readHeartbeat(heartbeat.memory),
    phase: "idle",
    tick: -1,
    subject: "",
  });
  heartbeat.endLoop();
  assertEquals(lookFor(3 * STEP_MS_MAX), ["cleared"]);
});

Deno.test("HangWatch: ticks that go on never hang, however slow their sum (SPEC 17.14)", () => {
  const { heartbeat, lookFor } = open();
  const signs = lookFor(10 * STEP_MS_MAX, {
    meanwhile: () => {
      heartbeat.enter(SUBJECT, "tick", 1);
      heartbeat.leave();
      heartbeat.enter(SUBJECT, "tick", 2);
    },
  });
  assertEquals(signs, []);
});

Deno.test("HangWatch: time in which the watcher itself stood still does not count (SPEC 17.14)", () => {
  const { heartbeat, watch, lookFor } = open();
  heartbeat.enter(SUBJECT, "tick", 7);
  assertEquals(lookFor(LOOK_EVERY_MS), []);
  assertEquals(
    lookFor(3_600_000, { everyMs: 3_600_000 }),
    [],
    "a laptop slept for an hour within a tick",
  );
  assertEquals(watch.stuckMs, 2 * LOOK_EVERY_MS);
  assertEquals(lookFor(STEP_MS_MAX), ["suspect", "hangs"]);
});
