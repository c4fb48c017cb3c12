/** Limits that keep the repository readable: lengths, dead exports, missing docstrings, words and sentences. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { exportsOf, isContract, isPartOfAnother, namedBy } from "./exports.ts";
import { functionsIn } from "./functions.ts";
import { FILE_LINES_MAX, measure, sentencesIn } from "./measures.ts";
import { FILE_LINES_MIN, shortFileFaults } from "./short_files.ts";
import { isProduct, type Place, readRepository } from "./sources.ts";

/** A longer function does not fit a screen. */
const FUNCTION_LINES_MAX = 60;
/** The stage's public class has half of its lines in docstrings. To cut it in two would hide its order of phases. */
const LONG_FILES: readonly string[] = ["shared/physics/stage/stage.ts"];
/** The measure judges by the first word and is wrong about some sentences. */
const HEADLESS_SHARE_MAX = 0.01;
/** Numbers and names make a few sentences long that read well. */
const LONG_SENTENCES_SHARE_MAX = 0.01;
/** Source files directly in one folder, tests included. */
const ROOM_FILES_MAX = 20;

/** Exports in these folders need docstrings: authors of games call them, and readers of the server start there. */
const DOCUMENTED = /^(shared|server\/match)\//;

/** Exports that the build's generated entries import, by "path name" (`client/build/game_page.ts`). */
const BY_CONVENTION =
  /^client\/(ui\/run_page\.ts runPage|replay\/run_replay_page\.ts runReplayPage|debug\/replay\/replay_worker\.ts runReplayWorker|games\/\w+\/(view\.ts (view|page)|page_source\.ts page))$/;

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
  const long = places.filesOver400!.filter(({ path }) => !LONG_FILES.includes(path));
  assertEquals(long, [], `over ${FILE_LINES_MAX} lines:${listOf("filesOver400")}`);
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

Deno.test("tidy: no banned word", () => {
  assertEquals(listOf("bannedWords"), "");
});

Deno.test("tidy: hardly any sentence is headless or long", () => {
  assertGreater(sentencesIn(repository).length, 1_000);
  assertLessOrEqual(
    figures.headlessSentenceShare,
    HEADLESS_SHARE_MAX,
    listOf("headlessSentences"),
  );
  assertLessOrEqual(
    figures.sentencesOver25WordsShare,
    LONG_SENTENCES_SHARE_MAX,
    listOf("sentencesOver25Words"),
  );
});

Deno.test("tidy: every reference is to something in the repository", () => {
  assertEquals(listOf("danglingReferences"), "");
});

Deno.test("tidy: no room has more files than a reader can survey", () => {
  const rooms = Object.entries(figures.flatFiles);
  assert(rooms.length > 5);
  assertEquals(rooms.filter(([, count]) => count > ROOM_FILES_MAX), []);
});
