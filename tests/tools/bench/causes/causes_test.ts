import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { parseFlags, UsageError } from "../../../../shared/flags.ts";
import { browserTest } from "../../../browser/chromium.ts";
import { FLAGS } from "./main.ts";
import { measurePageCause, PAGE_CAUSES } from "./page_causes.ts";

browserTest(
  "bench causes: a flood fills the line of a real page, and every correction that it made is judged",
  async (browser) => {
    const cause = PAGE_CAUSES.find(({ name }) => name === "a flood fills this page's line")!;
    const result = await measurePageCause(browser, cause, { ms: 8000, corrections: 1000 });
    const { corrections, planted, given, wrong, serverLateMs: { p99, max } } = result;
    assertEquals(planted - given, wrong.length);
    for (const text of wrong) assert(text.includes("truly"), text);
    assertGreater(max, p99 - 1);
    if (result.disturbedParts === 0) assertGreater(corrections, 0);
  },
);

Deno.test("bench causes: each cause has a name of its own, and wrong flags are refused", () => {
  assertEquals(new Set(PAGE_CAUSES.map(({ name }) => name)).size, PAGE_CAUSES.length);
  for (const args of [["--seconds", "271"], ["--corrections", "0"], ["--seeds", "-1"]]) {
    assertThrows(() => parseFlags(args, FLAGS), UsageError);
  }
});
