import { assertEquals } from "@std/assert";
import { runTask } from "../support/task.ts";

/** By the reason: flags that have no effect alone. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "lab: --judging: only with --people": ["--judging"],
  "lab: --input-delay: only with --people": ["--input-delay", "1"],
  "lab: --held-aside: only with --matrix": ["--held-aside"],
};

Deno.test("lab: a flag that would have no effect is refused in one line with exit code 2", async () => {
  for (const [reason, args] of Object.entries(REFUSED)) {
    const { code, stdout, stderr } = await runTask("lab", ...args);
    assertEquals([code, stdout, stderr], [2, "", `${reason}\n`]);
  }
});
