import { assertEquals } from "@std/assert";
import { countsOf, summaryOf } from "./counts.ts";

Deno.test("countsOf: reads deno's last summary, with and without steps, ignored tests and colours", () => {
  const counts = (summary: string) => countsOf(`a test ... ok (3ms)\n\n${summary}\n\nerror: Test failed\n`);
  assertEquals(counts("ok | 12 passed (3 steps) | 0 failed (4s)"), { passed: 12, steps: 3, failed: 0, ignored: 0 });
  assertEquals(counts("ok | 1 passed (1 step) | 0 failed | 4 filtered out (2s)"), {
    passed: 1,
    steps: 1,
    failed: 0,
    ignored: 0,
  });
  assertEquals(counts("FAILED | 7 passed | 2 failed (1 step) | 5 ignored (1m2s)"), {
    passed: 7,
    steps: 0,
    failed: 2,
    ignored: 5,
  });
  const coloured = "\x1b[0m\x1b[32mok\x1b[0m | 12 passed (3 steps) | 0 failed \x1b[0m\x1b[38;5;245m(4s)\x1b[0m";
  assertEquals(counts(coloured)?.passed, 12);
  assertEquals(countsOf("ok | 1 passed | 0 failed (1s)\nok | 2 passed | 0 failed (1s)\n")?.passed, 2);
  assertEquals(countsOf("error: Uncaught SyntaxError\n"), undefined);
});

Deno.test("summaryOf: sums the parts, and a part that ended wrongly is never ok", () => {
  const part = (passed: number, failed: number, code = Math.min(failed, 1)) => ({
    code,
    counts: { passed, steps: 1, failed, ignored: 0 },
    isInterrupted: false,
  });
  assertEquals(summaryOf([part(900, 0), part(107, 0)], 305_400), "ok | 1007 passed (2 steps) | 0 failed (5m5s)");
  assertEquals(summaryOf([part(3, 2), part(4, 1)], 9000), "FAILED | 7 passed (2 steps) | 3 failed (9s)");
  assertEquals(summaryOf([part(3, 0, 1), part(4, 0)], 0), "FAILED | 7 passed (2 steps) | 1 failed (0s)");
  const broken = { code: 1, counts: undefined, isInterrupted: false };
  assertEquals(summaryOf([broken, part(4, 0)], 0), "FAILED | 4 passed (1 steps) | 1 failed (0s)");
  const ignored = { code: 0, counts: { passed: 1, steps: 0, failed: 0, ignored: 2 }, isInterrupted: false };
  assertEquals(summaryOf([ignored], 0), "ok | 1 passed (0 steps) | 0 failed | 2 ignored (0s)");
  const ours = summaryOf([part(2, 1)], 1000);
  assertEquals(countsOf(ours), { passed: 2, steps: 1, failed: 1, ignored: 0 }, "others read it as deno's");
});
