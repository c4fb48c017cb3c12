import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { parseFlags, UsageError } from "../../../../shared/flags.ts";
import { browserTest } from "../../../browser/chromium.ts";
import before from "../feel_before.json" with { type: "json" };
import { conditionsOf, LINE_NAMES } from "./lines.ts";
import { feelTable, FLAGS, reportOf } from "./main.ts";
import { runLine } from "./run_line.ts";

browserTest(
  "bench feel: a person at a real page sees seven others, and every frame is compared",
  async () => {
    const seconds = 5;
    const figures = await runLine({ line: "rtt100", seconds, warmUpSeconds: 3, inputDelay: 2 });

    for (const [key, value] of Object.entries(figures)) {
      assert(
        Number.isFinite(value),
        `${key} is ${value}`,
      );
    }

    assertGreater(figures.frames, 10 * seconds);

    // Two ticks of input delay are more than a tick from the key to the picture.
    assertGreater(1000 * figures.keyToFrames / figures.framesPerSecond, 50);

    // People cause mispredictions, and the page eases them.
    assertGreater(figures.drawnMinusSimulatedMaxM, 0.05);
    assertGreater(figures.remoteErrorM, 0);
    assertGreater(figures.popMeter, 0);
    assertEquals(
      reportOf(figures, { line: "rtt100", minutes: 1 }).framesPerSecond,
      figures.framesPerSecond,
    );
  },
);

/** The figures that were added after the first measurement. */
const UNMEASURED = { ownPopMeter: 0, objective: 0 };

Deno.test("reportOf: the figures before the change are 1 relative to themselves, and half of them is 0.5", () => {
  for (const [name, lineBefore] of Object.entries(before.lines)) {
    const was = { ...lineBefore, ...UNMEASURED };
    const line = LINE_NAMES.find((each) => each === name)!;
    const minutes = before.minutes;
    const same = reportOf(was, { line, minutes });
    assertEquals([same.remoteErrorToBefore, same.popMeterToBefore, same.counts], [1, 1, true]);
    const half = { ...was, remoteErrorM: was.remoteErrorM / 2, popMeter: was.popMeter / 2 };
    const better = reportOf(half, { line, minutes });
    assertAlmostEquals(better.remoteErrorToBefore!, 0.5, 1e-3);
    assertAlmostEquals(better.popMeterToBefore!, 0.5, 1e-3);
  }
  assertEquals(Object.keys(before.lines), [...LINE_NAMES]);
});

Deno.test("reportOf: a run without fights, or with hidden marks, does not count and says so", () => {
  const was = { ...before.lines.rtt200, ...UNMEASURED };
  const line = "rtt200";
  const minutes = 5;
  const report = (more: Partial<typeof was>) =>
    reportOf({ ...was, deaths: 20, solidMarkShare: 0.6, ...more }, { line, minutes });
  assertEquals([
    report({}).counts,
    report({ deaths: 19 }).counts,
    report({ solidMarkShare: 0.59 }).counts,
  ], [
    true,
    false,
    false,
  ]);
  assert(!feelTable({ rtt200: report({}) }).includes("does not count"));
  assert(feelTable({ rtt200: report({ deaths: 3 }) }).includes("rtt200: does not count: 3 deaths"));
  assert(feelTable({ rtt200: report({ stalledShare: 0.4 }) }).includes("too busy"));
});

Deno.test("bench feel: wrong lines and delays are refused", () => {
  const parse = (...args: string[]) => parseFlags(args, FLAGS);
  for (
    const args of [["--lines", "rtt50"], ["--lines", ""], ["--minutes", "0"], [
      "--input-delay",
      "4",
    ]]
  ) {
    let error: unknown;
    try {
      parse(...args);
    } catch (thrown) {
      error = thrown;
    }
    assert(error instanceof UsageError && error.message.includes(args[0]!), `${args}`);
  }

  const flags = parse("--lines", "wifi,rtt0", "--input-delay", "1");
  assert(flags !== "help");
  assertEquals(flags.lines, ["wifi", "rtt0"]);
  assertEquals(flags["input-delay"], 1);
});

Deno.test("conditionsOf: a page gets the line's round trip, jitter, loss and pauses", () => {
  assertEquals(conditionsOf("rtt200"), { rttMs: 200, jitterMs: 10, lossPercent: 0, more: {} });
  const { rttMs, jitterMs, lossPercent, more } = conditionsOf("wifi");
  assertEquals([rttMs, jitterMs, lossPercent], [60, 5, 0.5]);
  assert(more.pauses !== undefined);
});
