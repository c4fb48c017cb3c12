/**
 * The README's section "One command's way" stays true: the files that a newcomer reads,
 * from key to frame.
 */
import { assert, assertEquals } from "@std/assert";
import { readRepository, type TextFile, textFileOf } from "./sources.ts";

const HEADING = "## One command's way";
const FILE = /`([^`\s]+\.ts)`/g;

/**
 * @returns the files that the section names, once each, in its order; empty if the document lacks
 *   the section
 */
function filesOfWalk({ lines }: TextFile): string[] {
  const begin = lines.indexOf(HEADING);
  if (begin < 0) return [];
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith("## "));
  const section = lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length).join("\n");
  return [...new Set([...section.matchAll(FILE)].map(([, file]) => file!))];
}

/**
 * @param paths every file of the repository. A file of the walk must be one of them, as a whole
 *   path.
 * @returns one line for each fault: no files, or a file that does not exist
 */
function walkFaults(readme: TextFile, paths: readonly string[]): string[] {
  const files = filesOfWalk(readme);
  return [
    ...files.length === 0 ? [`${readme.path} has no files below "${HEADING}"`] : [],
    ...files.filter((file) => !paths.includes(file)).map((file) => `${file} does not exist`),
  ];
}

function readmeOf(...lines: string[]) {
  return textFileOf("README.md", lines.join("\n"));
}

Deno.test("README: each file on the way of one command exists", async () => {
  const { documents, paths } = await readRepository();
  const readme = documents.find(({ path }) => path === "README.md");
  assert(readme !== undefined);
  assertEquals(walkFaults(readme, paths), []);
});

Deno.test("walkFaults: a missing section and a missing file are found", () => {
  const files = Array.from({ length: 20 }, (_, i) => `shared/file_${i}.ts`);
  const walk = (named: readonly string[]) =>
    readmeOf(
      "`a.ts`",
      "## One command's way",
      "",
      ...named.map((file) => `1. \`${file}\` — text`),
      "## Next",
      "`b.ts`",
    );
  assertEquals(filesOfWalk(walk(["x.ts", "y/z.ts", "x.ts"])), ["x.ts", "y/z.ts"]);
  assertEquals(walkFaults(walk(files), files), []);
  assertEquals(walkFaults(walk(files), files.slice(1)), ["shared/file_0.ts does not exist"]);

  // The end of a path is no path.
  assertEquals(walkFaults(walk(["file_1.ts"]), files), ["file_1.ts does not exist"]);
  assertEquals(walkFaults(readmeOf("## Another way", "`a.ts`"), ["a.ts"]), [
    'README.md has no files below "## One command\'s way"',
  ]);
});
