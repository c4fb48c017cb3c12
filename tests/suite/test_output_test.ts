import { assertEquals } from "@std/assert";
import { TestOutput } from "./test_output.ts";

Deno.test("TestOutput: a test that runs for minutes has its result on a line without its name", () => {
  const output = new TestOutput();
  const lines = [
    "running 2 tests from ./tests/long_test.ts",
    "Long: waits ...'Long: waits' has been running for over (1m0s)",
    "'Long: waits' has been running for over (2m0s)",
    " FAILED (2m17s)",
    "Long: is quick ... ok (2ms)",
    "'Beside: waits' has been running for over (1m0s)",
    "./tests/beside_test.ts => Beside: waits ... ok (1m15s)",
    "./tests/beside_test.ts => Beside: is left out ... ignored (0ms)",
    "",
    " ERRORS ",
    "",
    "Long: waits ... FAILED",
  ];
  for (const line of lines) output.read(line);
  assertEquals(Object.fromEntries(output.files), {
    "tests/long_test.ts": { passed: ["Long: is quick"], failed: ["Long: waits"] },
    "tests/beside_test.ts": { passed: ["Beside: waits"], failed: [] },
  });
});
