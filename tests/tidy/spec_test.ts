/** SPEC.md and the tests list the same rules. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { readRepository } from "./sources.ts";

Deno.test("SPEC: every rule is cited by a test, and every citation is of a rule", async () => {
  const { sources, documents } = await readRepository();
  const spec = documents.find(({ path }) => path === "SPEC.md");
  assert(spec !== undefined);
  // A rule begins a paragraph: within one, a line may begin with a measure.
  const numbers = [...spec.text.matchAll(/(?<=\n\n)(\d+\.\d+) /g)].map(([, rule]) => rule!);
  const rules = new Set(numbers);
  assertGreater(rules.size, 30);
  assertEquals(
    numbers.filter((number, i) => numbers.indexOf(number) < i),
    [],
    "each number has one rule",
  );
  const tests = sources.filter(({ path }) =>
    path.startsWith("tests/") && path.endsWith("_test.ts")
  );
  const citations = tests.flatMap(({ text }) => [...text.matchAll(/\(SPEC ([\d., ]+)\)/g)]);
  const cited = new Set(citations.flatMap(([, list]) => list!.split(", ")));
  assertEquals({ uncited: [...rules.difference(cited)], unknown: [...cited.difference(rules)] }, {
    uncited: [],
    unknown: [],
  });
});
