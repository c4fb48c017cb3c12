/** Each measure of `deno task chore tidy` finds planted faults, and accepts the text beside them. */
import { assert, assertEquals } from "@std/assert";
import { bannedIn, bannedPlaces } from "./banned_words.ts";
import { exportsOf, isContract, isPartOfAnother, namedBy } from "./exports.ts";
import { importCircles, importsOf, roomCircles } from "./imports.ts";
import { flatFiles, measureText, sentencesIn } from "./measures.ts";
import { repositoryOf } from "./planted.ts";
import { danglingPlaces } from "./references.ts";
import { type Source, sourceOf } from "./sources.ts";
import { tokensOf, withoutComments } from "./tokens.ts";

function planted(...lines: string[]): Source {
  return sourceOf("shared/x.ts", lines.join("\n"));
}

/** The sentences of one Markdown document. */
function sentencesOfText(...lines: string[]) {
  return sentencesIn(repositoryOf({ "A.md": lines.join("\n") }));
}

/** The sentences of one docstring. */
function sentencesOfComment(...lines: string[]) {
  return sentencesIn(
    repositoryOf({
      "shared/x.ts": ["/**", ...lines.map((line) => ` * ${line}`), " */"].join("\n"),
    }),
  );
}

Deno.test("tokensOf: comments, strings, templates and regular expressions each have their kind", () => {
  const text = 'const a = b / c / d; // e\nf(/[/"]\'/g, `g ${h("i")} // j`); /* k */';
  const found = tokensOf(text).filter(({ kind }) => kind !== "mark").map(({ kind, text }) =>
    `${kind} ${text}`
  );
  assertEquals(found, [
    "name const",
    "name a",
    "name b",
    "name c",
    "name d",
    "comment // e",
    "name f",
    "regex /[/\"]'/g",
    "string `g ${",
    "name h",
    'string "i"',
    "string } // j`",
    "comment /* k */",
  ]);
  assertEquals(tokensOf("a;\n\n#b;").map(({ line }) => line), [1, 1, 3, 3]);
  assertEquals(withoutComments('a("//"); // b', tokensOf('a("//"); // b')), 'a("//");     ');
});

Deno.test("exportsOf, namedBy: exports, the parts of others, contracts and imported names", () => {
  const source = planted(
    "export interface A {",
    "  b(): void;",
    "}",
    "",
    "export type C = number;",
    "export function d(c: C) {}",
  );
  const [a, c] = [...exportsOf(source)];
  assertEquals([...exportsOf(source)].map(({ name }) => name), ["A", "C", "d"]);
  assert(isPartOfAnother(c!, source));
  assert(!isPartOfAnother(a!, source));
  assert(isContract(source, a!));
  const importing = planted('import { A, type C as E } from "./y.ts";', 'export * from "../z.ts";');
  assertEquals([...namedBy(importing)], ["shared/y.ts A", "shared/y.ts C", "z.ts *"]);
});

Deno.test("importCircles: circles of three files and of one are found, and comments and strings form none", () => {
  const { sources } = repositoryOf({
    "shared/a.ts": 'import type { B } from "./b.ts";\n// import "./d.ts";',
    "shared/b.ts": 'export { A } from "./c.ts";\nimport "planck";',
    "shared/c.ts": 'const a = await import("./a.ts"); const from = `${from} from ${a};`;',
    "shared/d.ts": 'import "./a.ts"; const text = \'import "./d.ts"\';',
    "shared/e.ts": 'import { e } from "./e.ts";',
  });
  assertEquals(sources.map(importsOf)[1], ["shared/c.ts", "planck"]);
  assertEquals(importCircles(sources), [["shared/a.ts", "shared/b.ts", "shared/c.ts"], [
    "shared/e.ts",
  ]]);
});

Deno.test("roomCircles: two folders of the server that import each other are found, though no file does", () => {
  const files = {
    "server/one/a.ts": 'import "../two/b.ts";',
    "server/two/b.ts": "",
    "server/two/c.ts": 'import "../one/d.ts"; import "../main.ts";',
    "server/one/d.ts": "",
    "server/main.ts": 'import "../client/e.ts";',
    "client/e.ts": "",
  };
  const { sources } = repositoryOf(files);
  assertEquals(importCircles(sources), []);
  assertEquals(roomCircles(sources), [["server/one", "server/two"]]);
});

Deno.test("bannedIn: whole parts of names and words count, and pronouns in prose alone", () => {
  assertEquals(bannedIn("toldOf #told NOTHING_TOLD stand_in standIns"), [
    "told",
    "told",
    "told",
    "stand-in",
    "stand-in",
  ]);
  assertEquals(
    bannedIn("in-house House HOUSES warehouse intelligent pacing factors standing in stand in"),
    [
      "house",
      "house",
      "houses",
    ],
  );
  assertEquals(bannedIn("tellsOf #settled allBonds NEIGHBOURHOODS"), [
    "tells",
    "settled",
    "bonds",
    "neighbourhoods",
  ]);
  assertEquals(bannedIn("npcForeknownShare npcForeknown foreknownShare foreknown countForeknown"), [
    "foreknown",
    "foreknown",
  ]);
  assertEquals(bannedIn("He and his", new Set(["he", "his"])), ["he", "his"]);
  assertEquals(bannedIn("he, his"), []);
});

Deno.test("bannedPlaces: names, comments, titles of tests and documents count; other strings and HTML do not", () => {
  const places = bannedPlaces(repositoryOf({
    "client/mind.ts": 'const mind = "the mind"; // his mind',
    "client/a.css": "/* his house */\n.pace { content: 'mind'; }",
    "client/games/a/page_source.ts": 'export const texts = { rules: ["his house"] };',
    "client/index.html": "<p>house</p>",
    "tests/a_test.ts":
      'Deno.test("a: mind", () => {\n  call("mind", /mind/);\n});\nDeno.test(`b ${pace("x")} mind`, async (t) => {\n  await t.step("mind");\n});\nbrowserTest("mind");',
    "A.md": "one\n\n| house |",
    "deno.json": '{ "tasks": { "mind": {\n"description": "his", "command": "mind" } } }',
    ".ci/run": 'echo "heal"',
  }));
  assertEquals(places.map(({ path, line, text }) => `${path}:${line} ${text.split(":")[0]}`), [
    "client/mind.ts:1 mind",
    "client/mind.ts:1 his",
    "client/mind.ts:1 mind",
    "client/mind.ts:1 mind",
    "tests/a_test.ts:4 pace",
    "tests/a_test.ts:1 mind",
    "tests/a_test.ts:4 mind",
    "tests/a_test.ts:5 mind",
    "tests/a_test.ts:7 mind",
    "client/a.css:1 his",
    "client/a.css:1 house",
    "client/a.css:2 pace",
    "A.md:3 house",
    "deno.json:2 his",
    ".ci/run:1 heal",
  ]);
});

Deno.test("sentences: wrapped lines, list items and tags are split; code, tables, headings and formulas are left out", () => {
  const texts = (sentences: ReturnType<typeof sentencesOfText>) =>
    sentences.map(({ line, text }) => `${line} ${text}`);
  assertEquals(
    texts(sentencesOfText(
      "# A title. Of two",
      "",
      "4.2 One sentence that is",
      "wrapped, e.g. here (Ericson 5.5). Another `a. B` at 0 … 1",
      "",
      "| a cell. | Another. |",
      "",
      "- an item",
      "  that goes on. More",
      "1. [A link. It](https://a.b/c. d)",
      "",
      "A paragraph",
      "",
      "    code. Code",
      "",
      "```",
      "Code.",
      "```",
      "![alt. Text](a.png)",
    )),
    [
      "3 One sentence that is wrapped, e.g. here (Ericson 5.5).",
      "4 Another `a. B` at 0 … 1",
      "8 an item that goes on.",
      "9 More",
      "10 A link.",
      "10 It](https://a.b/c. d)",
      "12 A paragraph",
    ],
  );
  assertEquals(
    texts(sentencesOfComment(
      "Metres. It is",
      "so:",
      "",
      "    a = b. C",
      "",
      "@param a.b the length, m @returns it",
      "@throws Error where it fails",
    )),
    ["2 Metres.", "2 It is so:", "7 the length, m", "7 it", "8 Error where it fails"],
  );
  const { sources } = repositoryOf({
    "shared/x.ts":
      "// deno-lint-ignore no-explicit-any\n// One\n// sentence.\na(); // Two\n// Three",
  });
  const comments = sentencesIn({ paths: [], sources, styles: [], documents: [] });
  assertEquals(texts(comments), ["2 One sentence.", "4 Two", "5 Three"]);
});

Deno.test('headless sentences: relatives and a bare "that" count; questions, "whether" and determiners do not', () => {
  const headless = [
    "Who leaves is gone.",
    "What planck allows is done.",
    "Where it fails, nothing happens.",
    "Whose seat it is decides.",
    "*Whoever* comes, plays.",
    "Of the two, one is sent.",
    "That it has more is sent.",
    "That clients agree is proven.",
    "That's all.",
    "That `a` is set.",
  ];
  const fine = [
    "Who is it?",
    "What now? And so on.",
    "Whether it fails is open.",
    "Of course it does.",
    "That command is sent.",
    "That class's use is rare.",
    "What-if is a name.",
    "A client that leaves is gone.",
    "Offsets decay.",
  ];
  for (const text of headless) assertEquals(sentencesOfText(text)[0]!.isHeadless, true, text);
  for (const text of fine) assertEquals(sentencesOfText(text)[0]!.isHeadless, false, text);
  const tags = sentencesOfComment(
    "@returns what brings it back",
    "@returns whether it fails",
    "@param what of the page",
  );
  assertEquals(tags.map(({ isHeadless }) => isHeadless), [true, false, false]);
});

Deno.test("measureText: shares, long sentences and flat files are counted", () => {
  const words = (count: number) => `${Array(count).fill("word").join(" ")}.`;
  const { figures } = measureText(repositoryOf({
    "A.md": `${words(25)} ${words(26)} Who knows. \`a b c d\` ${words(24)}`,
    "shared/a.ts": "a();",
    "tests/b/c.ts": "a();",
  }));
  assertEquals(figures.sentencesOver25Words, 1);
  assertEquals([figures.sentencesOver25WordsShare, figures.headlessSentenceShare], [0.25, 0.25]);
  assertEquals(figures.flatFiles, { shared: 1, tests: 0, "tests/b": 1 });
  assertEquals(flatFiles(["client/a.css", "client/b/c.html", "client/b/d.png", "README.md"]), {
    client: 1,
    "client/b": 1,
  });
});

Deno.test("danglingPlaces: missing files, folders, documents, sections, headings and links are found", () => {
  const places = danglingPlaces(repositoryOf({
    "SPEC.md": "## 4 Wire\n\n4.2 A rule (4.2, 4.3) of 1.5 s.\n\n1.1 A rule.",
    "WIRE.md":
      "# The wire\n\n## 6 Messages\n\n### 6.1 The hello\n\nSections 6 and 7, section 6.2, RFC 1951 section 9.",
    "README.md":
      "[a](SPEC.md#4-wire) [b](SPEC.md#wire) [c](gone.md) ![d](shared/a.ts) [e](https://x.y/z.md) `client/dist/a.css`",
    "shared/a.ts": [
      "// a.ts, shared/a.ts, ./b/c.ts, b/c.ts and *_test.ts are there; d.ts, shared/c.ts and shared/d/ are not.",
      "// SPEC 4, SPEC 4.2 and SPEC §4 are there; SPEC 4.2, 4.4, SPEC 5 and DESIGN 4 are not.",
      '// SPEC "Wire" is there, SPEC "Wires" is not. See https://a.b/c.ts and RFC 6455 §7.4.',
      "// WIRE 6, WIRE 6.1 and WIRE 6 to 6.1 are there; WIRE 6, 6.3 and WIRE 7 are not.",
      'const path = "gone.ts";',
    ].join("\n"),
    "shared/b/c.ts": "",
  }));
  assertEquals(places.map(({ path, line, text }) => `${path}:${line} ${text.split(":")[0]}`), [
    "shared/a.ts:1 d.ts",
    "shared/a.ts:1 shared/c.ts",
    "shared/a.ts:1 shared/d",
    "shared/a.ts:2 SPEC 4.4",
    "shared/a.ts:2 SPEC 5",
    "shared/a.ts:2 DESIGN",
    'shared/a.ts:3 SPEC "Wires"',
    "shared/a.ts:4 WIRE 6.3",
    "shared/a.ts:4 WIRE 7",
    "SPEC.md:3 SPEC.md 4.3",
    "WIRE.md:7 WIRE.md 7",
    "WIRE.md:7 WIRE.md 6.2",
    "README.md:1 SPEC.md#wire",
    "README.md:1 gone.md",
  ]);
});
