import { assert, assertEquals, assertGreater, assertGreaterOrEqual } from "@std/assert";
import { parseFlags, UsageError } from "../../../shared/flags.ts";
import { browserTest } from "../../browser/chromium.ts";
import { conditionsOf } from "./lines.ts";
import { FLAGS, measureFeel, reportOf } from "./main.ts";
import { runLine } from "./run_line.ts";

browserTest("bench feel: a person at a real page sees seven others, and every frame is compared", async () => {
  const seconds = 10, figures = await runLine({ line: "rtt100", seconds });
  for (const [key, value] of Object.entries(figures)) assert(Number.isFinite(value), `${key} is ${value}`);
  assertGreater(figures.frames, 10 * seconds);
  assertGreaterOrEqual(figures.keyToFrames, 1);
  // People cause mispredictions, and the page eases them.
  assertGreater(figures.drawnMinusSimulatedMaxM, 0.05);
  assertGreater(figures.remoteErrorM, 0);
  assertGreater(figures.popMeter, 0);
  assertEquals(reportOf(figures, { line: "rtt100", minutes: 1 }).framesPerSecond, figures.framesPerSecond);
});

Deno.test("bench feel: wrong lines and delays are refused", async () => {
  const parse = (...args: string[]) => parseFlags(args, FLAGS);
  for (const args of [["--lines", "rtt50"], ["--lines", ""], ["--minutes", "0"], ["--input-delay", "4"]]) {
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
  const refusal = await measureFeel(flags).catch((error) => error);
  assert(refusal instanceof UsageError);
});

Deno.test("conditionsOf: a page gets the line's round trip, jitter, loss and pauses", () => {
  assertEquals(conditionsOf("rtt200"), { rttMs: 200, jitterMs: 10, lossPercent: 0, more: {} });
  const { rttMs, jitterMs, lossPercent, more } = conditionsOf("wifi");
  assertEquals([rttMs, jitterMs, lossPercent], [60, 5, 0.5]);
  assert(more.pauses !== undefined);
});
