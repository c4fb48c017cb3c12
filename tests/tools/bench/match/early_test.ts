import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { measureEarly } from "./early.ts";

Deno.test("measureEarly: the same recorded match costs a server with early announcements more messages and bytes (SPEC 2.14) [seed 1]", async () => {
  const { cpuRatio, cpuRatioRange, msPerTick, bytesRatio, messagesPerSecond } = await measureEarly({
    matches: 1,
    rounds: 1,
    countedTicks: 120,
    warmUpTicks: 120,
  });
  assertEquals(cpuRatioRange, [cpuRatio, cpuRatio]);
  assertGreater(msPerTick, 0);
  assertGreater(messagesPerSecond, 3);
  assertLess(messagesPerSecond, 20);
  assertGreater(bytesRatio, 1.05);
  assertLess(bytesRatio, 1.35);
});
