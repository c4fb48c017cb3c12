/** The README's walk through the code stays short and true. */
import { assert, assertEquals } from "@std/assert";
import { filesOfWalk, walkFaults } from "./readme_walk.ts";
import { readRepository, textFileOf } from "./sources.ts";

function readmeOf(...lines: string[]) {
  return textFileOf("README.md", lines.join("\n"));
}

Deno.test("README: the way of one command names at most twenty files, and each exists", async () => {
  const { documents, paths } = await readRepository();
  const readme = documents.find(({ path }) => path === "README.md");
  assert(readme !== undefined);
  assertEquals(walkFaults(readme, paths), []);
});

Deno.test("walkFaults: a missing section, a missing file and a twenty-first file are found", () => {
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
  const more = [...files, "shared/file_20.ts"];
  assertEquals(walkFaults(walk(more), more), ["21 files, at most 20"]);
  assertEquals(walkFaults(readmeOf("## Another way", "`a.ts`"), ["a.ts"]), [
    'README.md has no files below "## One command\'s way"',
  ]);
});
