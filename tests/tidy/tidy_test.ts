/**
 * Limits that keep the repository readable: lengths, dead exports, missing docstrings, words and sentences.
 *
 * The limits on words, sentences and folders equal the values reached so far. A change may only lower them.
 */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { exportsOf, isContract, isPartOfAnother, namedBy } from "./exports.ts";
import { functionsIn } from "./functions.ts";
import { FILE_LINES_MAX, measure, sentencesIn } from "./measures.ts";
import { FILE_LINES_MIN, shortFileFaults } from "./short_files.ts";
import { isProduct, type Place, readRepository } from "./sources.ts";

/** A longer function does not fit a screen. */
const FUNCTION_LINES_MAX = 60;
/** Goal: 0. */
const BANNED_WORDS_MAX = 2_230;
/** Goal: 0.01. */
const HEADLESS_SHARE_MAX = 0.14;
/** Goal: 0. */
const DANGLING_REFERENCES_MAX = 9;
/** Source files directly in one folder of the product. Goal: 18. */
const ROOM_FILES_MAX = 18;

/** Exports in these folders need docstrings: authors of games call them, and readers of the server start there. */
const DOCUMENTED = /^(shared|server\/match)\//;

const repository = await readRepository();
const { sources } = repository;
const product = sources.filter(({ path }) => isProduct(path));
const { figures, places } = measure(repository);

/** The places of a figure, for the message of a failed test. */
function listOf(name: string): string {
  return places[name]!.map(({ path, line, text }: Place) => `\n${path}:${line}: ${text}`).join("");
}

Deno.test("tidy: no file is longer than one reading", () => {
  assertGreater(product.length, 60);
  assertEquals(figures.filesOver400, 0, `over ${FILE_LINES_MAX} lines:${listOf("filesOver400")}`);
});

Deno.test(`tidy: a file under ${FILE_LINES_MIN} lines has a reason`, () => {
  assertEquals(shortFileFaults(sources), []);
});

Deno.test("tidy: no function is longer than a screen", () => {
  const functions = sources.flatMap(functionsIn);
  assertGreater(functions.length, 1_000);
  const long = functions.filter(({ length }) => length > FUNCTION_LINES_MAX);
  assertEquals(long.map(({ path, line, text, length }) => `${path}:${line} ${text} ${length} lines`), []);
});

Deno.test("tidy: no export that no other file imports", () => {
  const taken = new Set(sources.flatMap((source) => [...namedBy(source)]));
  const dead: string[] = [];
  let exported = 0;
  for (const source of product) {
    for (const each of exportsOf(source)) {
      exported++;
      if (taken.has(`${each.path} ${each.name}`) || taken.has(`${each.path} *`)) continue;
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

Deno.test("tidy: no more banned words than there were", () => {
  assertLessOrEqual(figures.bannedWords, BANNED_WORDS_MAX, `${figures.bannedWords}; see deno task tidy --list`);
});

Deno.test("tidy: no greater share of headless sentences than there was", () => {
  assertGreater(sentencesIn(repository).length, 1_000);
  assertLessOrEqual(
    figures.headlessSentenceShare,
    HEADLESS_SHARE_MAX,
    `${figures.headlessSentenceShare}; see deno task tidy --list`,
  );
});

Deno.test("tidy: no more references to what is not in the repository than there were", () => {
  assertLessOrEqual(figures.danglingReferences, DANGLING_REFERENCES_MAX, listOf("danglingReferences"));
});

Deno.test("tidy: no room of the product has more files than a reader can survey", () => {
  const rooms = Object.entries(figures.flatFiles).filter(([folder]) => isProduct(`${folder}/`));
  assert(rooms.length > 5);
  assertEquals(rooms.filter(([, count]) => count > ROOM_FILES_MAX), []);
});
