/** What the examples have in common. Whether they play is in `engines_test.ts`. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";

const EXAMPLES = new URL("../../examples/", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

/** The part of a `package.json` that these tests read. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The example on a plain canvas needs no packages, and is bundled by its own test. */
const WITHOUT_ENGINE = "canvas";

const folders = (await Array.fromAsync(Deno.readDir(EXAMPLES)))
  .filter(({ name, isDirectory }) => isDirectory && name !== WITHOUT_ENGINE)
  .map(({ name }) => name).sort();

/** The texts of a file that several examples have. */
async function copiesOf(path: string): Promise<Set<string>> {
  const texts = folders.map((name) => Deno.readTextFile(new URL(`${name}/${path}`, EXAMPLES)));
  return new Set(await Promise.all(texts));
}

Deno.test("examples: each is whole, so what they share is a copy; the copies are equal", async () => {
  assertGreater(folders.length, 2);
  for (const path of ["src/controls.ts", "src/hud.ts", "src/style.css", "tsconfig.json"]) {
    assertEquals((await copiesOf(path)).size, 1, path);
  }
});

Deno.test("examples: versions are exact, and the archive is the one that `deno task pack` makes (SPEC 19.50)", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  for (const name of folders) {
    const text = await Deno.readTextFile(new URL(`${name}/package.json`, EXAMPLES));
    const { dependencies, devDependencies } = JSON.parse(text) as Manifest;
    const { wyvern, ...others } = { ...dependencies, ...devDependencies };
    assertEquals(wyvern, `file:../../wyvern-${version}.tgz`, name);
    for (const each of Object.values(others)) assertMatch(each, /^\d+\.\d+\.\d+$/, name);
  }
});

Deno.test("examples: no engine is a package of this project", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("import_map.json", ROOT)));
  const targets = Object.values(imports as Readonly<Record<string, string>>).join("\n");
  for (const engine of ["pixi.js", "phaser", "three", "vite"]) {
    assertEquals(targets.includes(`npm:${engine}@`), false, engine);
  }
});
