import { assert, assertEquals } from "@std/assert";
import { readRepository } from "../tidy/sources.ts";
import { QUICK_TESTS } from "./quick_tests.ts";

Deno.test("QUICK_TESTS: each path has tests, and none is there twice", async () => {
  const { paths } = await readRepository();
  const tests = paths.filter((path) => path.endsWith("_test.ts"));
  const quick = QUICK_TESTS.flatMap((each) => each.paths);
  for (const path of quick) {
    assert(tests.some((test) => test === path || test.startsWith(`${path}/`)), path);
  }
  const chosen = quick.flatMap((path) => tests.filter((test) => test.startsWith(path)));
  assertEquals(new Set(chosen).size, chosen.length);
});
