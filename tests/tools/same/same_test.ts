/** The comparison of two checkouts finds a planted change of each part, and nothing in a copy. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { copyProject, type Mistake, withMistake } from "../../support/project_copy.ts";
import { runTask } from "../../support/task.ts";
import { readRepository } from "../../tidy/sources.ts";
import { GROUPS } from "../tasks/commands.ts";
import { Checkout } from "./checkout.ts";
import { JSON_COMMANDS, NOT_COMPARED } from "./commands.ts";
import { ABSENT, keysOf, valueDifferences } from "./differences.ts";
import type { SameReport } from "./main.ts";
import { PARTS } from "./parts.ts";

/** The report of a comparison with a folder, and its exit code. */
async function compareWith(folder: string, part: string): Promise<SameReport & { code: number }> {
  const { code, stdout } = await runTask(
    "prove",
    "same",
    "--with",
    folder,
    "--only",
    part,
    "--json",
  );
  return { code, ...JSON.parse(stdout.trimEnd().split("\n").at(-1)!) };
}

/** Plants all mistakes in a copy at the same time, and removes them after `action`. */
function withMistakes<Result>(
  folder: string,
  [first, ...rest]: readonly Mistake[],
  action: () => Promise<Result>,
): Promise<Result> {
  return first === undefined
    ? action()
    : withMistake(folder, first, () => withMistakes(folder, rest, action));
}

Deno.test("valueDifferences: each value that differs is one, and so is each that one side lacks", () => {
  const here = { a: [1, { b: 2 }], c: "x", d: null };
  assertEquals(valueDifferences("", here, structuredClone(here)), []);
  assertEquals(valueDifferences("", here, { a: [1, { b: 3 }, 4], d: 0 }), [
    { where: "a[1].b", here: "2", there: "3" },
    { where: "a[2]", here: ABSENT, there: "4" },
    { where: "c", here: '"x"', there: ABSENT },
    { where: "d", here: "null", there: "0" },
  ]);
  assertEquals(valueDifferences("e", [], {}), [{ where: "e", here: "[]", there: "{}" }]);
});

Deno.test("keysOf: elements of a list count together, and keys that are data as one", () => {
  const value = { rows: [{ a: 1 }, { b: [2] }], folders: { "x/y": 3 }, none: null };
  assertEquals([...keysOf(value, ["folders"])], [
    "rows",
    "rows[].a",
    "rows[].b",
    "folders",
    "none",
  ]);
  assertEquals([...keysOf(value)].includes("folders.x/y"), true);
});

Deno.test("same: the commands are all those that have --json", async () => {
  const { documents } = await readRepository();
  const { tasks } = JSON.parse(documents.find(({ path }) => path === "deno.json")!.text);
  const alone = Object.entries<{ description: string }>(tasks).filter(([, { description }]) =>
    description.includes("--json")
  ).map(([name]) => name);
  const grouped = Object.entries(GROUPS).flatMap(([task, { commands, usual }]) =>
    Object.entries(commands).filter(([, { about }]) => about.includes("--json")).map(([name]) =>
      name === usual && task !== "bench" ? task : `${task} ${name}`
    )
  );
  const listed = new Set([
    ...JSON_COMMANDS.map(({ command }) => command),
    ...Object.keys(NOT_COMPARED),
  ]);
  assertEquals([...listed].toSorted(), [...alone, ...grouped].toSorted());
});

Deno.test("same: a copy differs in a changed hash, rule, coder and vector, and in nothing else", async () => {
  const folder = await copyProject(
    ...["games", "shared", "std", "support", "tools", "vectors"],
  );
  try {
    const pin = {
      file: "tests/shared/games/dragons/golden_test.ts",
      text: "4_248_513_731",
      replacement: "4_248_513_732",
    };
    const rule = {
      file: "shared/games/puck/game.ts",
      text: "export const KICK_OFF_TICKS = 30;",
      replacement: "export const KICK_OFF_TICKS = 31;",
    };
    const coder = {
      file: "shared/netcode/wire/range_coder.ts",
      text: "const RANGE_MIN = 16_777_216;",
      replacement: "const RANGE_MIN = 8_388_608;",
    };
    const checksum = {
      file: "tests/vectors/checksums.json",
      text: '"words": [], "hash": 0',
      replacement: '"words": [], "hash": 1',
    };
    const pair = { here: await Checkout.own(), there: (await Checkout.at(folder))! };
    const [golden, vectors] = await withMistakes(
      folder,
      [pin, rule, coder, checksum],
      () =>
        Promise.all([
          // Far fewer ticks than the command compares: the planted rule is seen in the first 40.
          PARTS.golden(pair, {
            minutes: 1,
            seed: 1,
            live: false,
            scenes: ["stage", "puck"],
            goldenTicks: 100,
          }),
          compareWith(folder, "vectors"),
        ]),
    );
    assertGreater(golden.compared, 200);
    const [pinned, puck, ...others] = golden.differences;
    assertEquals(pinned, { where: "pinned[0]", here: '"4248513731"', there: '"4248513732"' });
    assertMatch(puck!.where, /^puck\[\d+\]$/);
    assertEquals(others, []);

    assertEquals([vectors.code, vectors.same], [1, false]);
    assertEquals(vectors.parts.map(({ compared }) => compared > 500), [true]);
    const [file, ...made] = vectors.differences;
    assertEquals(file, {
      part: "vectors",
      where: "tests/vectors/checksums.json.cases[0].hash",
      here: "0",
      there: "1",
    });
    assertGreater(made.length, 1);
    for (const { where } of made) assertMatch(where, /^made by the code\./);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("same: a key that a command no longer has is found, and so is a command that fails", async () => {
  const folder = await copyProject("games", "shared", "support", "tools");
  try {
    const pair = { here: await Checkout.own(), there: (await Checkout.at(folder))! };
    const options = { minutes: 1, seed: 1, live: false };
    const keysWith = async (line: string, mistake: Mistake) => {
      const commands = JSON_COMMANDS.filter(({ command }) => command === line);
      const { compared, differences } = await withMistake(
        folder,
        mistake,
        () => PARTS.keys(pair, { ...options, commands }),
      );
      return { compared, differences };
    };

    const dropped = await keysWith("lab connection", {
      file: "tests/tools/lab/live_network.ts",
      text: 'leadMsMean: deltaOf("leadMsSum") / deltaOf("commandsSent"),',
      replacement: "",
    });
    const where = "lab connection --seconds 5";
    assertEquals(dropped, {
      compared: 3,
      differences: [{ where, here: "leadMsMean", there: ABSENT }],
    });

    const failed = await keysWith("lab connection", {
      file: "tests/tools/lab/live_network.ts",
      text: "const sums = () =>",
      replacement: 'throw new Error("planted"); const sums = () =>',
    });
    assertEquals(failed.differences.map((each) => [each.where, each.here]), [[
      where,
      "an answer",
    ]]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("same: a folder that is no checkout is one line with exit code 2", async () => {
  const { code, stdout, stderr } = await runTask("prove", "same", "--with", "shared");
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /^prove same: --with: shared is no checkout\n$/);
});
