/** The package `wyvern`, as others install it: outside this project, under other runtimes. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { launchChromium } from "../../../browser/chromium.ts";
import { programTest } from "../../../support/programs.ts";
import { addBun, packageOnce, withProject } from "./installed_package.ts";
import { play } from "./physics_scene.ts";
import { jump } from "./rules_check.ts";

const TICKS = 1_200;

Deno.test("pack: every value of a bundle has a type, and the types stand without Deno's (SPEC 19.1)", async () => {
  const { missingTypes, files, api } = await packageOnce();
  assertEquals(missingTypes, []);
  for (const { symbols } of Object.values(api)) assertGreater(symbols.length, 0);

  // Nothing of the tests, no built page, and none of this tree's games
  const paths = files.map(({ path }) => path);
  assertEquals(
    paths.filter((path) => /_test\.|tests\/|\/games\/\w+\/|src\/\w+\/dist/.test(path)),
    [],
  );
  assert(paths.includes("dist/physics.js.map"));
});

/** Tests, games of this repository, and built pages. */
const NOT_PACKED = /(^|\/)tests\/|_test\.ts$|\/games\/\w+\/|^src\/(client|server)\/dist\//;

Deno.test("pack: no test, game or built page; a bundle names only files of the package (SPEC 19.2)", async () => {
  const { files } = await packageOnce();
  const paths = new Set(files.map(({ path }) => path));
  assertEquals([...paths].filter((path) => NOT_PACKED.test(path)), []);
  const text = new TextDecoder();
  const bundles = files.filter(({ path }) => /^dist\/.*\.js$/.test(path));
  for (const { path, bytes } of bundles) {
    const from = [...text.decode(bytes).matchAll(/^(?:import|export) .*?"(\.[^"]+)";$/gm)];
    for (const [, name] of from) assert(paths.has(`dist/${name!.slice(2)}`), `${path}: ${name}`);
  }
  for (const { path, bytes } of files.filter(({ path }) => path.endsWith(".js.map"))) {
    const { sources } = JSON.parse(text.decode(bytes)) as { sources: readonly string[] };
    for (const source of sources) {
      assert(paths.has(source.slice("../".length)), `${path}: ${source}`);
    }
  }
});

programTest("pack: the physics has one hash in Deno, Node, Bun and Chromium (SPEC 19.3)", {
  programs: ["node", "npm", "chromium"],
  run: () =>
    withProject(async (project) => {
      const scene = await project.add("physics_scene.ts");
      const expected = play(TICKS);
      const script = `import { play } from "./${scene}"; console.log(play(${TICKS}));`;
      await Deno.writeTextFile(`${project.folder}/main.js`, script);

      assertEquals(await project.run("node", "main.js"), expected);
      assertEquals(await project.run(Deno.execPath(), "run", "--allow-read", "main.js"), expected);
      assertEquals(await project.run(await addBun(project), "main.js"), expected);
      assertEquals(await playInChromium(project.folder, scene), expected);
    }),
});

/** Plays the scene in a page that loads the installed bundles as they are. */
async function playInChromium(folder: string, scene: string): Promise<string> {
  const page = `<!doctype html><script type="importmap">${
    JSON.stringify({ imports: { "wyvern/physics": "/node_modules/wyvern/dist/physics.js" } })
  }</script><script type="module">import { play } from "/${scene}"; window.play = play;</script>`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(page, { headers: { "Content-Type": "text/html" } });
    if (!pathname.endsWith(".js")) return new Response("", { status: 404 });
    const text = await Deno.readTextFile(`${folder}${pathname}`);
    return new Response(text, { headers: { "Content-Type": "text/javascript" } });
  });
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.addr.port}/`);
    await tab.waitForFunction("window.play !== undefined");
    return await tab.evaluate(`window.play(${TICKS})`) as string;
  } finally {
    await browser.close();
    await server.shutdown();
  }
}

programTest("pack: a unit test of a kit game's rules runs under Node (SPEC 19.4)", {
  programs: ["node", "npm"],
  run: () =>
    withProject(async (project) => {
      const rules = await project.add("rules_check.ts");
      const script = `import { jump } from "./${rules}"; console.log(JSON.stringify(jump()));`;
      await Deno.writeTextFile(`${project.folder}/main.js`, script);
      const { top, x } = JSON.parse(await project.run("node", "main.js"));
      assertEquals({ top, x }, jump());
      assertGreater(top, 3);
      assertGreater(x, 2);
    }),
});

programTest("pack: README's example runs (SPEC 19.3)", {
  programs: ["node", "npm"],
  run: () =>
    withProject(async (project) => {
      const readme = await Deno.readTextFile(`${project.folder}/node_modules/wyvern/README.md`);
      const [, code] = /^```js\n(.*?)^```$/ms.exec(readme)!;
      await Deno.writeTextFile(`${project.folder}/main.js`, code!);
      assertGreater(Number(await project.run("node", "main.js")), 0);
    }),
});
