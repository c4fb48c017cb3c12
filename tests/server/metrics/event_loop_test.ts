import { assertEquals } from "@std/assert";
import { sampleEventLoop } from "../../../server/metrics/event_loop.ts";
import { Histogram } from "../../../server/metrics/histogram.ts";
import { systemScheduler } from "../../../server/ground/ticker.ts";

Deno.test("sampleEventLoop: a task that holds the process up is seen, and nothing runs after the stop", async () => {
  const lag = new Histogram([0.1]);
  const lags: number[] = [];
  const seen = Promise.withResolvers<void>();
  const stop = sampleEventLoop(lag, systemScheduler);
  lag.passOn((seconds) => {
    lags.push(seconds);
    if (seconds > 0.1) seen.resolve();
  });
  for (const beganMs = performance.now(); performance.now() - beganMs < 300;);
  await seen.promise;
  stop();
  const counts = [...lag.samples()].map(({ value }) => value);
  assertEquals(counts[1]! - counts[0]!, lags.filter((seconds) => seconds > 0.1).length);
});
