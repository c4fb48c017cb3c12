/** The pages of `docs/` and README's list of them agree with the sources. */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { SOUNDS } from "../../client/game_kit/client_kit.ts";
import { usageFor } from "../../server/settings/settings.ts";
import { readRepository } from "../tidy/sources.ts";
import { symbolsOf } from "./kit_symbols.ts";
import { IMPORTED } from "./reference.ts";

const { documents } = await readRepository();
const textOf = (path: string) => documents.find((document) => document.path === path)!.text;

/** The code at the begin of each row of the tables below a heading, without arguments. */
function rowsBelow(path: string, heading: string): string[] {
  const section = textOf(path).split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return [...section.matchAll(/^\| `(?:--)?([\w-]+)/gm)].map(([, name]) => name!);
}

/** The members of an interface of the kit. */
async function membersOf(name: string): Promise<string[]> {
  const symbols = (await Promise.all(IMPORTED.map(symbolsOf))).flat();
  return symbols.find((symbol) => symbol.name === name)!.members.map((member) => member.name);
}

Deno.test("docs: README lists every page", () => {
  const pages = documents.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
  const listed = [...textOf("README.md").matchAll(/\]\((docs\/\w+\.md)\)/g)].map((
    [, page],
  ) => page!);
  assertGreater(pages.length, 8);
  assertEquals([...new Set(listed)].toSorted(), pages);
});

Deno.test("docs: the first game says how many lines it has, and changes what is in it", async () => {
  const template = [
    "shared/game_kit/templates/side/game.ts",
    "client/game_kit/templates/side/view.ts",
  ];
  const texts = await Promise.all(
    template.map((path) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url))),
  );
  const lines = texts.join("").split("\n").length - 1;
  assertStringIncludes(textOf("docs/first_game.md"), `copies ${lines} lines into two files`);
  // The steps replace these by others.
  for (const part of ["JUMP_SPEED = 14;", 'world.emit("coin", hero)']) {
    assertStringIncludes(texts[0]!, part);
  }
  assertStringIncludes(texts[1]!, "coin: (brush) => brush.disc(");
});

/** Pages with programs of a project of one's own, which the package's tests check (SPEC 19.33, 19.40, 19.42). */
const RUN_PAGES = ["docs/first_server.md", "docs/netcode.md", "docs/physics.md"];

Deno.test("docs: every block of TypeScript is one that `deno task check` compiles; only the reference has fragments", () => {
  const blocks = documents.flatMap(({ path, text }) =>
    path.startsWith("docs/")
      ? [...text.matchAll(/^```(ts|typescript|js)\b(.*)$/gm)].map(([, , rest]) => [path, rest])
      : []
  );
  assertGreater(blocks.length, 100);
  assertEquals(
    blocks.filter(([path]) => !RUN_PAGES.includes(path!))
      .filter(([path, rest]) => (rest !== "") !== (path === "docs/reference.md")),
    [],
  );
});

Deno.test("docs: the tables of flags, of events and of the status have every member", async () => {
  const flags = [...usageFor(["dragons"]).matchAll(/^ +--([\w-]+)/gm)].map(([, flag]) => flag!);
  assertEquals(
    ["Flags", "The config file"].flatMap((part) => rowsBelow("docs/hosting.md", part)).toSorted(),
    flags.filter((flag) => !["dev", "help"].includes(flag)).toSorted(),
  );
  assertEquals(
    rowsBelow("docs/view.md", "Events and sounds").toSorted(),
    (await membersOf("EventLook")).toSorted(),
  );
  assertEquals(
    rowsBelow("docs/view.md", "Status").toSorted(),
    (await membersOf("KitStatus")).toSorted(),
  );
  const brush = await membersOf("Brush");
  assertEquals(
    rowsBelow("docs/view.md", "Things and the brush").filter((name) => !brush.includes(name)),
    [],
  );
});

Deno.test("docs: the page about views names every sound", () => {
  const [, listed] = /`SOUNDS` has ([^.]+)\./.exec(textOf("docs/view.md").replaceAll("\n", " "))!;
  assertEquals(listed!.split(/, | and /).toSorted(), Object.keys(SOUNDS).toSorted());
});
