/**
 * What keeps the repository readable, as far as a test can know it: no dead export, no missing
 * docstring, no reference to nothing. Lengths, words and sentences are figures of `deno task chore tidy`,
 * and a reader decides what they mean.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { exportsOf, isContract, isPartOfAnother, namedBy } from "./exports.ts";
import { measure } from "./measures.ts";
import { isProduct, type Place, readRepository } from "./sources.ts";

/**
 * Exports in these folders need docstrings: authors of games call them, and readers of the server
 * start there.
 */
const DOCUMENTED = /^(shared|server\/match)\//;

/**
 * Exports that the build's generated entries import, by "path name" (`client/build/game_page.ts`).
 */
const BY_CONVENTION =
  /^client\/(ui\/run_page\.ts runPage|replay\/run_replay_page\.ts runReplayPage|debug\/replay\/replay_worker\.ts runReplayWorker|replay\/trial\/trial_worker\.ts runReplayTrial|games\/\w+\/(view\.ts (view|page)|page_source\.ts page))$/;

const repository = await readRepository();
const { sources } = repository;
const product = sources.filter(({ path }) => isProduct(path));
const { places } = measure(repository);

/** The places of a figure, for the message of a failed test. */
function listOf(name: string): string {
  return places[name]!.map(({ path, line, text }: Place) => `\n${path}:${line}: ${text}`).join("");
}

Deno.test("tidy: no export that no other file imports", () => {
  const taken = new Set(sources.flatMap((source) => [...namedBy(source)]));
  const dead: string[] = [];
  let exported = 0;
  for (const source of product) {
    for (const each of exportsOf(source)) {
      exported++;
      if (
        BY_CONVENTION.test(`${each.path} ${each.name}`) || taken.has(`${each.path} ${each.name}`) ||
        taken.has(`${each.path} *`)
      ) continue;
      if (!isPartOfAnother(each, source)) dead.push(`${each.path} exports ${each.name}`);
    }
  }
  assertGreater(exported, 200);
  assertEquals(dead, []);
});

Deno.test("tidy: every function, class and contract of shared/ and server/match/ has a docstring", () => {
  const silent: string[] = [];
  let documented = 0;
  for (const source of product.filter(({ path }) => DOCUMENTED.test(path))) {
    for (const each of exportsOf(source)) {
      if (!isContract(source, each)) continue;
      if (source.lines[each.line - 1]?.trimEnd().endsWith("*/")) documented++;
      else silent.push(`${each.path}:${each.line + 1} ${each.kind} ${each.name}`);
    }
  }
  assertGreater(documented, 60);
  assertEquals(silent, []);
});

Deno.test("tidy: every reference is to something in the repository", () => {
  assertEquals(listOf("danglingReferences"), "");
});
