import {
  assert,
  assertEquals,
  assertLessOrEqual,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { build, bundle } from "../../../client/build/build.ts";
import { ALWAYS, cut, WITHOUT_JOINTS, WITHOUT_POLYGONS } from "../../../client/build/planck_cuts.ts";
import { slimmed } from "../../../client/build/slim_planck.ts";

const BUILT = new URL("../../../client/dist/", import.meta.url);

/** Runs `use` with a temporary script beside this file, where package imports resolve. */
async function withTempScript(content: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({
    dir: fileURLToPath(new URL(".", import.meta.url)),
    prefix: "bundle_",
    suffix: ".ts",
  });
  try {
    await Deno.writeTextFile(path, content);
    await use(path);
  } finally {
    await Deno.remove(path);
  }
}

/** Runs a script as a worker. @returns the first message that it posts */
async function firstMessageOf(script: string): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  const answer = await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  worker.terminate();
  URL.revokeObjectURL(url);
  return answer;
}

Deno.test("build: writes a script and a style sheet for game and overlay, the overlay's worker, and the page that names them", async () => {
  await Deno.mkdir(BUILT, { recursive: true });
  await Deno.writeTextFile(new URL("main-STALE000.js", BUILT), "stale");
  await Deno.writeTextFile(new URL("icon.svg.br", BUILT), "damaged");
  const files = await build(), names = files.map(({ name }) => name);
  for (const { bytes, gzip, brotli } of files) {
    assertEquals(new Uint8Array(gunzipSync(gzip)), bytes);
    assertEquals(new Uint8Array(brotliDecompressSync(brotli)), bytes);
  }
  assertMatch(names[0]!, /^main-[0-9A-Z]{8}\.js$/);
  assertMatch(names[1]!, /^style-[0-9A-Z]{8}\.css$/);
  assertMatch(names[2]!, /^overlay-[0-9A-Z]{8}\.js$/);
  assertMatch(names[3]!, /^overlay-[0-9A-Z]{8}\.css$/);
  assertMatch(names[4]!, /^replay_worker-[0-9A-Z]{8}\.js$/);
  assertEquals(names.slice(5), ["icon.svg", "manifest.webmanifest", "index.html"]);
  const left = await Array.fromAsync(Deno.readDir(BUILT), ({ name }) => name);
  assertEquals(left.sort(), names.flatMap((name) => [name, `${name}.gz`, `${name}.br`]).sort());
  const page = await Deno.readTextFile(new URL("index.html", BUILT));
  assert(!page.includes("{{"), "a text of the game is missing");
  assertStringIncludes(page, `src="${names[0]}"`);
  assertStringIncludes(page, `href="${names[1]}"`);
  for (const [part, name] of [["script", names[2]], ["style", names[3]], ["worker", names[4]]]) {
    assertStringIncludes(page, `data-overlay-${part}="${name}"`);
  }
});

Deno.test("build: the manifest and the tags for link previews have the game's own words", async () => {
  const text = (name: string) => Deno.readTextFile(new URL(name, BUILT));
  await build();
  const { name, short_name, icons } = JSON.parse(await text("manifest.webmanifest"));
  assertEquals([name, short_name, icons[0].src], ["Wyvern: joust on dragons", "Wyvern", "/icon.svg"]);
  assertMatch(await text("icon.svg"), /^<svg /);
  assertStringIncludes(await text("index.html"), `<meta property="og:title" content="Wyvern: joust on dragons">`);
});

/** The largest compressed script that a phone loads before the first frame. */
const SCRIPT_GZIP_BYTES_MAX = 100_000;

Deno.test("build: the script for play is small enough for a phone's network", async () => {
  const [script] = await build();
  assertLessOrEqual(script!.gzip.length, SCRIPT_GZIP_BYTES_MAX);
  const text = new TextDecoder().decode(script!.bytes);
  assertStringIncludes(text, "linearSlop"); // planck is in it …
  assert(!/(wheel|rope)-joint/.test(text), "… without joints");
  assert(!/uplot/i.test(text), "curves are the overlay's");
  assertStringIncludes(text, "built without minds"); // only the server runs the NPCs' policy
  assert(!/heldTicks|notSet/.test(text), "only the server describes the game");
  // The script names no other host.
  assertEquals([...text.matchAll(/https?:\/\/[\w.]+/g)].map(([url]) => url), []);
});

const PLANCK = `var Wing = (
  /** @class says Tail.wag */
  (function() {
    function Wing2() {
      this.tail = new Tail();
    }
    Wing2.prototype.flap = function() {
      this.tail.lift();
    };
    Wing2.prototype.fold = function() {
      this.tail.wag();
    };
    Wing2.neo = function() {
      return new Wing2();
    };
    return Wing2;
  })()
);
var Tail = (
  (function() {
    function Tail2() {
    }
    Tail2.neo = function() {
      return new Tail2();
    };
    Tail2.prototype.lift = function() {
      return Tail.neo();
    };
    Tail2.prototype.wag = function() {
    };
    return Tail2;
  })()
);
var Claw = function() {
  return new Wing();
};
Claw.sharp = new BroadPhase();
export { Wing as default, Wing, Claw };
`;

Deno.test("slimmed: keeps called methods and all that they name; removes the rest, and unnamed classes", () => {
  const text = slimmed({ planck: PLANCK, imported: ["Wing"], called: ["flap"] });
  for (const name of ["flap", "lift"]) assertStringIncludes(text, `.prototype.${name} =`);
  assertStringIncludes(text, "Tail2.neo =");
  for (const name of ["fold", "wag", "Claw", "Wing2.neo"]) assert(!text.includes(name), name);
  assertStringIncludes(text, "export { Wing as Wing };");
  new Function(text.replace(/^export.*$/m, "new Wing().flap();"))();
});

Deno.test("slimmed: fails for another planck than the one it was written for", () => {
  const options = { imported: ["Wing"], called: [] };
  assertThrows(() => slimmed({ planck: "export { Wing };", ...options }), Error, "new BroadPhase()");
  assertThrows(() => slimmed({ planck: PLANCK, ...options, imported: ["Hoof"] }), Error, "planck exports no Hoof");
});

Deno.test("cut: fails unless planck has each passage as often as declared", async () => {
  const planck = await Deno.readTextFile(new URL("../../../node_modules/planck/dist/planck.mjs", import.meta.url));
  const cuts = [...ALWAYS, ...WITHOUT_JOINTS, ...WITHOUT_POLYGONS];
  const rest = cut(planck, cuts);
  for (const gone of [".publish(", "SuppressedError", "PolygonShape.TYPE, PolygonContact", "_set(vertices)"]) {
    assertStringIncludes(planck, gone);
    assert(!rest.includes(gone), gone);
  }
  for (const each of cuts) assertThrows(() => cut("another planck", [each]), Error, "look at it again");
});

Deno.test("build: the same sources give the same names", async () => {
  const names = async () => (await build()).map(({ name }) => name);
  assertEquals(await names(), await names());
});

Deno.test("bundle: a script contains everything that it imports, planck included", async () => {
  const source =
    `import { Circle } from "planck"; const wing: { m_radius?: number } = new Circle(5); postMessage(wing.m_radius);`;
  await withTempScript(source, async (path) => {
    const script = await bundle(path);
    assert(!/\bimport\b[^(]*["']planck/.test(script));
    assertEquals(await firstMessageOf(script), 5);
  });
});

/** One stage that uses nothing that the dragon page leaves out, and one stage for each part that it leaves out. */
const STAGES = `
  import { Stage } from "../../../shared/physics/stage/stage.ts";
  import { StageError } from "../../../shared/physics/core/types.ts";
  const box = { shape: { box: [1, 1] } }, fields = {};
  const crate = { name: "crate", body: { fixtures: [box] }, fields };
  const plain = { gravity: 10, tickHz: 20, substeps: 2, ground: [box], archetypes: [crate], fields };
  const lift = { name: "lift", body: { fixtures: [box], path: (tick: number) => ({ x: tick, y: 0 }) }, fields };
  const shelf = { ...box, oneWay: true };
  const tray = { name: "tray", body: { fixtures: [shelf] }, fields };
  const results = [
    plain,
    { ...plain, joints: [{ name: "rope", type: "rope", fields }] },
    { ...plain, archetypes: [crate, lift] },
    { ...plain, ground: [shelf] },
    { ...plain, archetypes: [crate, tray] },
  ].map((def) => {
    try {
      const stage = new Stage(def as never);
      stage.spawn(crate as never, { x: 0, y: 3 } as never);
      for (let tick = 0; tick < 40; tick++) {
        stage.advance();
        stage.endTick();
      }
      return "rests on " + stage.touchingIds(stage.get(1)!);
    } catch (error) {
      return error instanceof StageError ? (error as Error).message : "another error: " + error;
    }
  });
  postMessage(results);
`;

Deno.test("bundle: the dragon page refuses a stage with a left-out part by a message that names the part", async () => {
  await withTempScript(STAGES, async (path) => {
    const without = (what: string) => `this page was built without ${what}`;
    assertEquals(await firstMessageOf(await bundle(path, { forDragons: true })), [
      "rests on 0",
      without("joints"),
      without("paths"),
      without("one-way fixtures"),
      without("one-way fixtures"),
    ]);
    assertEquals(await firstMessageOf(await bundle(path)), new Array(5).fill("rests on 0"));
  });
});

Deno.test("bundle: an import that does not resolve is an error that names it", async () => {
  await withTempScript(`import "./nowhere.ts";`, async (path) => {
    await assertRejects(() => bundle(path), Error, 'Could not resolve "./nowhere.ts"');
  });
});
