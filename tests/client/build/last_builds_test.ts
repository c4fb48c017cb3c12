/** The files of the build before stay, and a real server has them for pages that are open. */
import { assert, assertEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { buildVersion } from "../../support/build_version.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const SERVER = new URL("../../server/stop/rounds_server.ts", import.meta.url);
/** @returns the names that differ from those of another build */
function onlyIn(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

Deno.test("build: the hashed files of the last two builds are served, and those of older ones are gone (SPEC 8.42)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  const into = pathToFileURL(`${folder}/counter/`);
  const present = async () =>
    (await Array.fromAsync(Deno.readDir(into), ({ name }) => name)).sort();
  const served = async (names: readonly string[]) => {
    await using server = await ServerProcess.startScript(SERVER, pathToFileURL(`${folder}/`).href);
    return await Promise.all(names.map(async (name) => {
      const answer = await fetch(server.url + name, { headers: { "Accept-Encoding": "br" } });
      await answer.body?.cancel();
      return answer.status;
    }));
  };

  try {
    // A folder of a version that kept no list.
    const first = await buildVersion("first", into);
    await Deno.remove(new URL("builds.part", into));
    const second = await buildVersion("second", into);
    const old = onlyIn(first, second);
    assert(old.length > 3, "scripts, and the style sheet");
    assertEquals(await served([...first, ...second]), [...first, ...second].map(() => 200));
    assertEquals(await served(["builds.part"]), [404]);

    // The same sources again make no third build.
    const before = await present();
    assertEquals(await buildVersion("second", into), second);
    assertEquals(await present(), before);

    const third = await buildVersion("third", into);
    const left = await present();
    for (
      const name of [...second, ...third].flatMap((name) => [name, `${name}.br`, `${name}.gz`])
    ) {
      assert(left.includes(name), name);
    }
    for (const name of old) assertEquals(left.filter((each) => each.startsWith(name)), []);
    assertEquals(await served(old), old.map(() => 404));

    // What is in neither build goes, and a list that is damaged is none.
    await Deno.writeTextFile(new URL("main-STALE000.js", into), "stale");
    await buildVersion("third", into);
    assert(!(await present()).includes("main-STALE000.js"));
    await Deno.writeTextFile(new URL("builds.part", into), "[[");
    const fourth = await buildVersion("fourth", into);
    const names = [...third, ...fourth].flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
    for (const name of names) assert((await present()).includes(name), name);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
