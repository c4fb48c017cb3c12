/** SPEC.md and the tests agree on which rules there are. */
import { assertEquals, assertGreater } from "@std/assert";

const ROOT = new URL("../", import.meta.url);

async function* testFiles(folder: URL): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) yield* testFiles(new URL(`${entry.name}/`, folder));
    else if (entry.name.endsWith("_test.ts")) yield new URL(entry.name, folder);
  }
}

Deno.test("SPEC: every rule is cited by a test, and every citation is of a rule", async () => {
  const spec = await Deno.readTextFile(new URL("SPEC.md", ROOT));
  const rules = new Set([...spec.matchAll(/^(\d+\.\d+) /gm)].map(([, rule]) => rule!));
  assertGreater(rules.size, 30);
  const cited = new Set<string>();
  for await (const file of testFiles(new URL("tests/", ROOT))) {
    for (const [, list] of (await Deno.readTextFile(file)).matchAll(/\(SPEC ([\d., ]+)\)/g)) {
      for (const rule of list!.split(", ")) cited.add(rule);
    }
  }
  assertEquals({ uncited: [...rules.difference(cited)], unknown: [...cited.difference(rules)] }, {
    uncited: [],
    unknown: [],
  });
});
