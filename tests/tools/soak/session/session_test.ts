import { assert, assertEquals, assertGreater } from "@std/assert";
import { browserTest } from "../../../browser/chromium.ts";
import { playedLog } from "../../lab/logs/played_log.ts";
import { faultsOf } from "./main.ts";
import { sessionOf } from "./minutes.ts";
import { playSession } from "./played_session.ts";

Deno.test("sessionOf: each minute has what its ticks had, and names what the first one had not (SPEC 8.195) [seed 95]", () => {
  const { bytes, lastTick } = playedLog({ seed: 95, seconds: 125 });
  const { ticks, rounds, minutes } = sessionOf(bytes);
  assertEquals([ticks, rounds], [lastTick, 2]);
  // The last five seconds count with the second minute.
  assertEquals(minutes.map(({ minute }) => minute), [1, 2]);

  const [first, second] = minutes;
  assert(first!.had.includes("arena ledges") && first!.had.includes("round 1 of a set"));
  assertEquals(first!.isNew, []);
  assert(second!.isNew.includes("round 2 of a set"), second!.isNew.join(", "));
  assert(second!.isNew.includes("result of a round"), second!.isNew.join(", "));
  assert(!second!.isNew.includes("event flap"), "the first minute had flaps");
  for (const name of second!.isNew) {
    assert(second!.had.includes(name) && !first!.had.includes(name), name);
  }
});

Deno.test("soak session: a dull minute, an error and a desync are faults (SPEC 8.195)", () => {
  const minute = (minute: number, isNew: readonly string[]) => ({ minute, had: isNew, isNew });
  const report = {
    ticks: 3600,
    rounds: 2,
    sets: 0,
    minutes: [minute(1, []), minute(2, ["mode x"])],
  };
  const clean = { desyncs: 0, errors: [] };
  assertEquals(faultsOf(report, clean), []);
  assertEquals(faultsOf({ ...report, minutes: [...report.minutes, minute(3, [])] }, clean), [
    "minute 3 has nothing that the first one had not",
  ]);
  assertEquals(faultsOf({ ...report, rounds: 0 }, { desyncs: 2, errors: ["no"] }), [
    "the page threw: no",
    "2 desyncs",
    "only 0 rounds",
  ]);
});

browserTest(
  "soak session: keys play on a real server, 100 ms away, and its log is the session (SPEC 8.195)",
  async () => {
    const { log, keys, errors, desyncs, rollbacks } = await playSession({
      seconds: 20,
      roundTripMs: 100,
      jitterMs: 80, // some keys come late, and are corrected
      npcs: 3,
      seed: 7,
    });
    assertEquals([errors, desyncs], [[], 0]);
    assertGreater(keys, 20);
    assertGreater(rollbacks, 0);
    const { ticks, minutes } = sessionOf(log);
    assertGreater(ticks, 20 * 20);
    assertEquals(minutes.length, 1);
    assert(
      ["arena ledges", "mode melee", "event flap", "thing dragon"].every((name) =>
        minutes[0]!.had.includes(name)
      ),
    );
  },
);
