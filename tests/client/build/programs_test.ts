/** Programs as bundles: errors name lines of the sources, and threads are bundles, too. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPrograms, bundleProgram } from "../../../client/build/programs.ts";
import { textOf } from "../../support/task.ts";

const ROOT = new URL("../../../", import.meta.url);
const CONFIG = fileURLToPath(new URL("deno.json", ROOT));

async function run(module: string, ...flags: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--config", CONFIG, ...flags, module],
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return { stdout, stderr, code: (await child.status).code };
}

Deno.test("bundleProgram: enums become numbers, and an error names file and line of its source (SPEC 14.52)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    const source = new URL("failing_program.ts", import.meta.url);
    const module = await bundleProgram(source.href, pathToFileURL(`${folder}/`));
    const text = await Deno.readTextFile(new URL(module));
    assertEquals(text.includes("Body.STRIDE"), false);

    const lines = (await Deno.readTextFile(source)).split("\n");
    const thrown = 1 + lines.findIndex((line) => line.includes("throw new Error"));
    const { stdout, stderr, code } = await run(module);
    assertEquals([stdout, code], [`${source.href}\n`, 1]);
    assertMatch(stderr, new RegExp(`failing_program\\.ts:${thrown}:\\d+`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("buildPrograms: the server's threads are bundles, too (SPEC 14.52)", async () => {
  await buildPrograms();
  const built = new URL("server/dist/", ROOT);
  const names = await Array.fromAsync(Deno.readDir(built), ({ name }) => name);
  for (const name of ["main.js", "trial.js", "watchdog_thread.js", "bots.js", "main.js.map"]) {
    assertEquals(names.includes(name), true, name);
  }

  // Modules that start threads
  const scripts = names.filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(scripts.map((name) => Deno.readTextFile(new URL(name, built))));
  const all = texts.join("");
  for (const thread of ["trial", "watchdog_thread"]) {
    assertStringIncludes(all, `new URL("./${thread}.js", import.meta.url)`);
  }
  assertEquals(all.includes('trial/main.ts", import.meta.url'), false);
});
