/** Pages whose programs run as they stand there, with the installed package. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { bundle } from "../../../../client/build/build.ts";
import { checkCodec } from "../../../../shared/netcode/codec_check.ts";
import { playInLab } from "../../../games/lab_run.ts";
import { programTest } from "../../../support/programs.ts";
import { packageOnce, withProject } from "./installed_package.ts";

/** A block of a program that names its file, and of what it prints. */
const PROGRAM = /```js(?: ignore)?\n\/\/ (\w+\.js)\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g;
const PAGES = [
  {
    page: "physics.md",
    programs: ["pile.js", "rollback.js", "replay.js", "branch.js"],
    promise: "SPEC 19.40",
  },
  { page: "netcode.md", programs: ["pushers.js", "two_ends.js"], promise: "SPEC 19.42" },
];

async function programsOf(page: string): Promise<RegExpExecArray[]> {
  const text = await Deno.readTextFile(new URL(`../../../../docs/${page}`, import.meta.url));
  return [...text.matchAll(PROGRAM)];
}

for (const { page, programs, promise } of PAGES) {
  programTest(
    `docs/${page}: its programs print what the page says, with the package alone (${promise})`,
    {
      programs: ["node", "npm"],
      run: () =>
        withProject(async ({ folder, run }) => {
          const found = await programsOf(page);
          assertEquals(found.map(([, name]) => name), programs);
          for (const [, name, text] of found) await Deno.writeTextFile(`${folder}/${name}`, text!);
          for (const [, name, , printed] of found) {
            if (printed !== undefined) assertEquals(await run("node", name!), printed.trim());
          }
        }),
    },
  );
}

Deno.test("docs/netcode.md: its game plays with real sessions over a bad network, and no rollback differs (SPEC 19.42)", async () => {
  const [[, , text]] = await programsOf("netcode.md") as [RegExpExecArray];
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/pushers.js`, text!);
    await Deno.writeTextFile(`${folder}/bundled.js`, await bundle(`${folder}/pushers.js`));
    const { game } = await import(`file://${folder}/bundled.js`);
    checkCodec(game.command);
    for (const link of ["reliable", "datagrams"] as const) {
      playInLab(game, { seed: 5, stream: "commands", link });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** What a stage does without, if it lists no feature. */
const OPTIONAL = [
  "src/shared/physics/chains/feature.ts",
  "src/shared/physics/joints/joint_table.ts",
  "src/shared/physics/stage/describe.ts",
  "src/shared/physics/stage/queries.ts",
];

Deno.test("pack: a page that imports the stage alone has no code of its features (SPEC 19.41)", async () => {
  const { sizes, files } = await packageOnce();
  const { physics, physicsWithJoints, physicsWhole } = sizes;
  assertEquals(OPTIONAL.filter((module) => physics.modules.includes(module)), []);
  assertEquals(OPTIONAL.filter((module) => !physicsWhole.modules.includes(module)), []);
  assert(physicsWithJoints.modules.includes("src/shared/physics/joints/joint_table.ts"));
  assert(!physicsWithJoints.modules.includes("src/shared/physics/stage/queries.ts"));
  assertGreater(physicsWithJoints.gzip, physics.gzip);
  assertGreater(physicsWhole.gzip, physicsWithJoints.gzip);

  // The pages that stand in the package beside each other
  const pages = files.filter(({ path }) => /\.md$/.test(path)).map(({ path }) => path);
  assertEquals(pages, [
    "PLANCK.md",
    "README.md",
    "docs/archetypes_and_fields.md",
    "docs/physics.md",
    "docs/rates.md",
    "docs/stage.md",
  ]);
});
