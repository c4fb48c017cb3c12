/** The figures of a folder: each counts what is planted, and leaves out what is beside it. */
import { assertEquals, assertMatch } from "@std/assert";
import { copyProject } from "../support/project_copy.ts";
import { runTask, runTaskIn } from "../support/task.ts";
import { measureFiles, percentile } from "./figures.ts";
import { readFolder } from "./sources.ts";
import { wordsIn } from "./words.ts";

/** The report on a temporary folder with these files. */
async function reportOf(files: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    for (const [path, text] of Object.entries(files)) {
      const parents = path.split("/").slice(0, -1).join("/");
      await Deno.mkdir(`${folder}/${parents}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    return await measureFiles(await readFolder(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function figuresIn(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
}

/** A function's lines: its signature, `inside`, and calls up to `length` in all. */
function functionOf(length: number, ...inside: string[]): string {
  const calls = Array.from({ length: length - inside.length - 2 }, (_, i) => `  call(${i});`);
  return ["function f(): void {", ...inside, ...calls, "}", ""].join("\n");
}

Deno.test("measureFiles: blank and comment lines of functions of 30 lines count, of shorter ones do not", async () => {
  const inside = [
    "",
    "  // One",
    "  /* Two",
    "",
    "     lines */ // Three",
    "  call(); // Four",
    "`",
    "`;",
  ];
  const { figures } = await reportOf({
    "a.ts": functionOf(30, ...inside),
    "b.ts": functionOf(29, "", "", "  // One"),
  });
  assertEquals([figures.longFunctions, figures.longFunctionLines], [1, 28]);
  assertEquals(figures.longFunctionBlankShare, Math.round(2 / 28 * 10_000) / 10_000);
  assertEquals(figures.longFunctionCommentShare, Math.round(3 / 28 * 10_000) / 10_000);
});

Deno.test("measureFiles: methods, getters and arrows are functions, and one within a long one is not counted again", async () => {
  const body = Array.from({ length: 60 }, (_, i) => `call(${i});`).join("\n");
  const { figures, places } = await reportOf({
    "a.ts": `class A {\n  get #b(): void {\n${body}\n  }\n}`,
    "b.ts": `const a = async (b) => {\nconst c = () => {\n${body}\n};\n};\nconst d = () => 1;`,
    "c.ts": "abstract class A { abstract b(): void; }\nfor (const a of b) {\n}\n",
  });
  assertEquals([figures.functions, figures.functionLongest, figures.longFunctions], [3, 64, 2]);
  assertEquals(places.longFunctions!.map(({ path, line, text }) => `${path}:${line} ${text}`), [
    "a.ts:2 get #b(): void {",
    "b.ts:1 const a = async (b) => {",
  ]);
});

Deno.test("measureFiles: spread literals, several declarations and long lines are found; offsets are right behind wide characters", async () => {
  const { figures, places } = await reportOf({
    "a.ts": [
      "const emoji = '😀—'; // 😀",
      "const a = { ...{ b, c }, ...d, ...e && { f } };",
      "call(...[1, 2], ...g);",
      "let h, j;",
      "const dx = 1, longer = 2;",
      "for (let i = 0, k = 1; i < k; i++);",
      "const { l, m } = n;",
      `const o = "${"x".repeat(87)}";`,
      `const o = "${"x".repeat(88)}";`,
    ].join("\n"),
  });
  const linesOf = (name: string) => places[name]!.map(({ line }) => line);
  assertEquals(linesOf("literalSpreads"), [2, 3]);
  assertEquals(linesOf("severalDeclared"), [4, 5]);
  assertEquals(linesOf("linesOver100"), [9]);
  assertEquals([figures.severalDeclared, figures.severalDeclaredShort], [2, 1]);
});

Deno.test("measureFiles: a file that does not parse, or keeps deno lint away, is told", async () => {
  const { figures, places } = await reportOf({
    "a.ts": "const a: = 1;",
    "b/c.js": "// deno-lint-ignore-file\na();",
    "b/d.tsx": "const a = <b>{c}</b>;",
  });
  assertEquals([figures.files, figures.filesUnread], [3, 2]);
  assertEquals(places.filesUnread!.map(({ path }) => path), ["a.ts", "b/c.js"]);
});

Deno.test("wordsIn: words in comments and documents count; code, headings and tables do not", async () => {
  const { figures } = await reportOf({
    "a.ts": "/** It has what you have: `has of` of it.\n * @param of you */\nconst has = 'of you';",
    "A.md": "# Of you\n\nNobody whose are no; whoever is\nno has. Is not.\n\n| of |\n\n    of\n",
  });
  assertEquals(figures.comments, {
    // It has what you have X of it; you.
    words: 9,
    perThousand: { hasHave: 222.2, of: 111.1, nobodyWhoeverWhose: 0, you: 222.2, isNo: 0 },
  });
  assertEquals(figures.documents, {
    words: 10,
    perThousand: { hasHave: 100, of: 0, nobodyWhoeverWhose: 300, you: 0, isNo: 200 },
  });
  assertEquals(wordsIn([]).perThousand.of, 0);
});

Deno.test("percentile: the smallest value that the share does not exceed", () => {
  assertEquals(percentile([5, 1, 3], 0.5), 3);
  assertEquals(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9), 9);
  assertEquals(percentile([], 0.9), 0);
});

Deno.test("tidy: an unknown flag and a folder without sources are one line with exit code 2", async () => {
  const refused = await runTask("chore", "tidy", "--lists");
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertMatch(refused.stderr, /^chore tidy: .*--lists.*--root --list --json --help\n$/);
  const empty = await runTask("chore", "tidy", "--root", "tests/shots/none");
  assertEquals([empty.code, empty.stdout], [2, ""]);
  assertMatch(empty.stderr, /^chore tidy: --root: [^\n]+\n$/);
});

Deno.test("tidy: prints its figures as one object in the last line; a planted fault is printed, and the exit code is 1", async () => {
  const folder = await copyProject("tidy", "support", "std", "lint", "tools/tasks");
  try {
    await Deno.writeTextFile(`${folder}/shared/netcode/planted.ts`, 'import "zod";\n');
    const { code, stdout, stderr } = await runTaskIn(folder, "chore", ["tidy", "--json", "--list"]);
    const figures = figuresIn(stdout);
    assertEquals([code, figures.brokenWalls], [1, 1]);
    assertMatch(stdout, /^bannedWords: \d+$/m);
    assertMatch(stderr, /^brokenWalls: 1\nshared\/netcode\/planted\.ts:1: imports zod$/m);
    const any = await runTask("chore", "tidy", "--json", "--root", "tests/tidy");
    assertEquals(Object.keys(figuresIn(any.stdout)).filter((key) => !(key in figures)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
