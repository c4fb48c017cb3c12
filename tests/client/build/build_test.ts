import {
  assert,
  assertEquals,
  assertLessOrEqual,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import * as esbuild from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { build, bundle } from "../../../client/build/build.ts";
import { LIBRARY_FILES } from "../../../client/build/libraries.ts";
import { isPacked } from "../../../client/build/game_files.ts";
import { gamePage } from "../../../client/build/game_page.ts";
import { noSideEffects } from "../../../client/build/no_side_effects.ts";
import { fillPageTexts } from "../../../client/build/page_source.ts";
import { JOINT_FORMS } from "../../../shared/physics/joints/joint_forms.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const BUILT = new URL("../../../client/dist/dragons/", import.meta.url);
const DECLARATION_CHECKS = new URL(
  "../../../shared/game_kit/checks/check_declaration.ts",
  import.meta.url,
);

/** The files of the dragon game's page. */
const buildDragons = async () => (await build()).get("dragons")!;

/** Runs `use` with a temporary script beside this file, where package imports resolve. */
async function withTempScript(
  content: string,
  use: (path: string) => Promise<void>,
): Promise<void> {
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
  await buildDragons();
  await Deno.writeTextFile(new URL("main-STALE000.js", BUILT), "stale");
  await Deno.writeTextFile(new URL("icon.svg.br", BUILT), "damaged");
  const files = await buildDragons();
  const names = files.map(({ name }) => name);
  for (const { name, bytes, gzip, brotli } of files) {
    if (isPacked(name)) continue;
    assertEquals(new Uint8Array(gunzipSync(gzip)), bytes);
    assertEquals(new Uint8Array(brotliDecompressSync(brotli)), bytes);
  }
  assertEquals(names.map((name) => name.replace(/-[0-9A-Z]{8}\./, ".")), [
    "list_item.part",
    "main.js",
    "style.css",
    "overlay.js",
    "overlay.css",
    "settings_panel.js",
    "after_round.js",
    "rewind.js",
    "how_it_works.js",
    "invite_dialog.js",
    "by_hand.js",
    "first_flight.js",
    "pad_focus.js",
    "asked.css",
    "watching.js",
    "replay_worker.js",
    "solo_worker.js",
    "datagrams.js",
    "page_rooms.js",
    "matchmaking.js",
    "pulse_worker.js",
    "icon.svg",
    "manifest.webmanifest",
    "replay_page.js",
    "replay.css",
    "replay.html",
    "offline_worker.js",
    "icon-192.png",
    "icon-512.png",
    "icon-mask-512.png",
    "card.jpg",
    "preview.webp",
    "index.html",
  ]);
  const left = await Array.fromAsync(Deno.readDir(BUILT), ({ name }) => name);
  const kept: string[][] = JSON.parse(await Deno.readTextFile(new URL("builds.part", BUILT)));
  const all = new Set(
    [...names, ...kept.flat()].flatMap((name) =>
      isPacked(name) ? [name] : [name, `${name}.gz`, `${name}.br`]
    ),
  );
  assertEquals(left.sort(), ["builds.part", ...all].sort());
  assert(!left.includes("main-STALE000.js"));
  const page = await Deno.readTextFile(new URL("index.html", BUILT));
  assert(!page.includes("{{"), "a text of the game is missing");
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name))!;
  assertStringIncludes(page, `src="${named(/^main-/)}"`);
  assertStringIncludes(page, `href="${named(/^style-/)}"`);
  for (
    const [attribute, pattern] of [
      ["overlay-script", /^overlay-.*js$/],
      ["overlay-style", /^overlay-.*css$/],
      ["overlay-worker", /^replay_worker-/],
      ["solo-worker", /^solo_worker-/],
      ["offline-worker", /^offline_worker\.js$/],
      ["datagram-script", /^datagrams-/],
      ["page-rooms-script", /^page_rooms-/],
      ["how-script", /^how_it_works-/],
      ["invite-script", /^invite_dialog-/],
      ["by-hand-script", /^by_hand-/],
      ["flight-script", /^first_flight-/],
      ["pad-script", /^pad_focus-/],
      ["asked-style", /^asked-/],
      ["settings-script", /^settings_panel-/],
      ["after-round-script", /^after_round-/],
      ["rewind-script", /^rewind-/],
      ["pulse-worker", /^pulse_worker-/],
    ] as const
  ) {
    assertStringIncludes(page, `data-${attribute}="${named(pattern)}"`);
  }

  // What is kept for visits without a network names the files of this build
  const offline = await Deno.readTextFile(new URL("offline_worker.js", BUILT));
  for (const pattern of [/^main-/, /^style-/, /^solo_worker-/, /^page_rooms-/, /^datagrams-/]) {
    assertStringIncludes(offline, `"${named(pattern)}"`);
  }
  assert(!offline.includes("matchmaking-"));
});

Deno.test("build: the page of replays has its own script, and the HUD of the game's page", async () => {
  const files = await buildDragons();
  const text = (name: string) => Deno.readTextFile(new URL(name, BUILT));
  const named = (pattern: RegExp) =>
    files.map(({ name }) => name).find((name) => pattern.test(name))!;
  const [page, index] = [await text("replay.html"), await text("index.html")];
  assert(!/\{\{|<!--/.test(page), "a mark of the template is left");
  for (const pattern of [/^replay_page-.*js$/, /^replay-.*css$/, /^style-.*css$/]) {
    assertStringIncludes(page, `"${named(pattern)}"`);
  }
  assert(!index.includes("replay_page"), "the game's page loads no script of replays");
  for (const [, id] of index.matchAll(/id="(scores|timer|feed|steer|result|help|spoken)"/g)) {
    assertStringIncludes(page, `id="${id}"`);
  }
  const script = await text(named(/^replay_page-.*js$/));
  assert(!script.includes("built without minds"), "NPCs play in a fork");
});

Deno.test("build: the manifest and the tags for link previews have the game's own words", async () => {
  const text = (name: string) => Deno.readTextFile(new URL(name, BUILT));
  await build();
  const { name, short_name, icons } = JSON.parse(await text("manifest.webmanifest"));
  assertEquals([name, short_name, icons[0].src], [
    "Wyvern: joust on dragons",
    "Wyvern",
    "icon.svg",
  ]);
  assertMatch(await text("icon.svg"), /^<svg /);
  assertStringIncludes(
    await text("index.html"),
    `<meta property="og:title" content="Wyvern: joust on dragons">`,
  );
});

/**
 * The largest compressed script that a phone loads before the first frame. The watch of the
 * connection takes 0.8 kB of it, what tells the server's answers from a proxy's 0.6 kB, and what
 * tells a slow screen from a slow device 0.5 kB: all are needed before anything more is loaded, or
 * where nothing more can be. The physics takes 5 kB more than before floors held and touches ended,
 * and that standing still is told from playing 0.6 kB. Dragons as a game of the kit take 27 kB more:
 * the kit's rules and view, and the NPCs' policy for the match behind the lobby. That a page may host
 * a room, whose script is its own, takes 0.9 kB, and matches that the server only orders 1.3 kB. That
 * panels give way to the own thing, and what of watching is not in a script of its own, 0.8 kB. What is
 * settled before the server says so 0.6 kB. Arenas, modes and the Wyrm of the dragons take 22.8 kB: the
 * page predicts their rules from its first tick on, and with them the joints that hold the lift on its
 * rail and a rider in the troll's hand. The browser's way back, words about rooms where nobody is, about
 * no network and about a server that crashed take 1.7 kB: they are wanted when nothing more can be
 * loaded, or before anything is. Sets, with their verdicts, podium and marks of who is ready, take
 * 2.8 kB; the slow motion is a script of its own. Loot and the bridge take 4 kB: the page predicts
 * chests, ropes and shots from its first tick on, and draws them. The vote takes 0.9 kB, and
 * what NPCs plan 0.8 kB. The checks of declarations, 3.5 kB, are the build's (`strip_checks.ts`).
 */
const SCRIPT_GZIP_BYTES_MAX = 183_500;

Deno.test("build: the script for play is small enough for a phone's network", async () => {
  const [, script] = await buildDragons();
  assertLessOrEqual(script!.gzip.length, SCRIPT_GZIP_BYTES_MAX);
  const text = new TextDecoder().decode(script!.bytes);
  assert(!/uplot/i.test(text), "curves are the overlay's");
  assert(!text.includes("createBidirectionalStream"), "datagrams are a script of their own");
  assert(!text.includes("Press a key"), "the dialog of settings is a script of its own");
  const check = "a game has no option"; // of `checkDeclaration`
  assertStringIncludes(await Deno.readTextFile(DECLARATION_CHECKS), check);
  assert(!text.includes(check), "the build has checked the declaration");
  // The script names no other host.
  assertEquals([...text.matchAll(/https?:\/\/[\w.]+/g)].map(([url]) => url), []);
});

Deno.test("build: the same sources give the same names", async () => {
  const names = async () => (await buildDragons()).map(({ name }) => name);
  assertEquals(await names(), await names());
});

/** A page with one stage, whose declaration lists a feature or none. */
function stagePage(feature: "chains" | "joints" | "paths" | undefined): string {
  const modules = {
    chains: "chains/feature.ts",
    joints: "joints/feature.ts",
    paths: "stage/kinematic_paths.ts",
  };
  const features = feature === undefined ? "" : feature;
  return `
    import { Stage } from "../../../shared/physics/stage/stage.ts";
    ${feature && `import { ${feature} } from "../../../shared/physics/${modules[feature]}";`}
    const box = { shape: { box: [1, 1] } } as const, fields = {};
    const crate = { name: "crate", body: { fixtures: [box] }, fields };
    const stage = new Stage({
      gravity: 10, tickHz: 20, substeps: 2, ground: [box], archetypes: [crate], fields, features: [${features}],
    });
    stage.spawn(crate, { x: 0, y: 3 });
    for (let tick = 0; tick < 40; tick++) {
      stage.advance();
      stage.endTick();
    }
    postMessage("rests on " + stage.touchingNow(stage.get(1)!).map(({ id }) => id));
  `;
}

Deno.test("bundle: a page has the code of the features that it lists (SPEC 9.30)", async () => {
  const marks = {
    chains: "chain is a loop and",
    joints: "has a joint of nobody",
    paths: "its path at tick",
  } as const;
  const names = ["chains", "joints", "paths"] as const;
  for (const feature of [undefined, ...names]) {
    await withTempScript(stagePage(feature), async (path) => {
      const script = await bundle(path);
      assertEquals(
        names.filter((name) => script.includes(marks[name])),
        feature === undefined ? [] : [feature],
      );
      assertEquals(await firstMessageOf(script), "rests on 0");
    });
  }
});

Deno.test("bundle: no name of a game's author is another in the bundle", async () => {
  const names = [
    "s_left",
    "m_speed",
    "c_",
    "p_x",
    "v_max",
    "_hidden",
    "__deep",
    "$cash",
    "x_",
    "left",
  ];
  const script = `
    class Car { ${names.map((name) => `${name} = 1;`).join(" ")} }
    const car = new Car(), { ${names.join(", ")} } = car;
    car.s_left += s_left;
    postMessage([Object.keys(car), Object.keys({ ${
    names.join(", ")
  } }), car["s_left"], car["p" + "_x"]]);
  `;
  await withTempScript(script, async (path) => {
    assertEquals(await firstMessageOf(await bundle(path)), [names, names, 2, 1]);
  });
});

/** @returns esbuild's report of a bundle, made without any settings of ours but the plugins */
async function metafileOf(
  entry: string,
  plugins: esbuild.Plugin[] = [],
): Promise<esbuild.Metafile> {
  try {
    const { metafile } = await esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      alias: LIBRARY_FILES,
      logLevel: "error",
      plugins,
    });
    return metafile;
  } finally {
    await esbuild.stop();
  }
}

/** @returns the files of which some code is in the bundle */
async function filesInBundle(entry: string, plugins?: esbuild.Plugin[]): Promise<string[]> {
  const [output] = Object.values((await metafileOf(entry, plugins)).outputs);
  return Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map((
    [file],
  ) => file);
}

Deno.test("bundle: an ordinary bundler drops every file of a feature that a page does not list (SPEC 9.30)", async () => {
  const parts = {
    chains: /shared\/physics\/chains\//,
    joints: /shared\/physics\/joints\/|joint_words/,
    paths: /kinematic_paths/,
  } as const;
  const names = ["chains", "joints", "paths"] as const;
  for (const feature of [undefined, ...names]) {
    await withTempScript(stagePage(feature), async (path) => {
      const files = await filesInBundle(path);
      assert(files.some((file) => file.endsWith("shared/physics/stage/stage.ts")), files.join());
      const kept = names.filter((name) => files.some((file) => parts[name].test(file)));
      assertEquals(kept, feature === undefined ? [] : [feature], files.join());
    });
  }
});

/** The files of the features that the template for an empty game does not list. */
const FEATURE_FILES =
  /physics\/(joints|chains|rounded)\/|joint_words|joint_stream|kinematic_paths|events\/touches|stage\/(describe|properties|queries)\./;

Deno.test("build: a kit game's page has no file of a feature that it does not list (SPEC 9.30, 14.60)", async () => {
  const [game, view] = [
    "shared/game_kit/templates/blank/game.ts",
    "client/game_kit/templates/blank/view.ts",
  ]
    .map((path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  const script = `
    import { game } from ${JSON.stringify(game)};
    import { view } from ${JSON.stringify(view)};
    console.log(game, view);
  `;
  await withTempScript(script, async (path) => {
    const files = await filesInBundle(path, [noSideEffects]);
    assert(files.some((file) => file.endsWith("game_kit/simulation/declared_simulation.ts")));
    assertEquals(files.filter((file) => FEATURE_FILES.test(file)), []);
  });
});

Deno.test("build: a page has the solvers of the types of joints that its game lists (SPEC 9.30)", async () => {
  const { game } = await gamePage("puck");
  await withTempScript(
    `export { game } from ${JSON.stringify(fileURLToPath(game))};`,
    async (path) => {
      const files = await filesInBundle(path, [noSideEffects]);
      const types = files.flatMap((file) => /solvers\/([a-z]+)\.ts$/.exec(file)?.[1] ?? []);
      assertEquals(types.filter((type) => JOINT_FORMS.some((form) => form.type === type)), [
        "revolute",
        "rope",
      ]);
    },
  );
});

/** The modules of a page that name no game: of its script and of those that it fetches later. */
const PAGE_MODULES = [
  "ui/run_page.ts",
  "debug/overlay.ts",
  "ui/settings_panel.ts",
  "debug/replay/replay_worker.ts",
  "replay/trial/trial_worker.ts",
  "replay/run_replay_page.ts",
  "net/datagram_session.ts",
].map((path) => new URL(`../../../client/${path}`, import.meta.url));

Deno.test("bundle: no page reads a file of planck's, whatever shapes its game has (SPEC 9.34)", async () => {
  const yard = ["game.ts", "view.ts"].map((file) =>
    new URL(`../../browser/kit/${file}`, import.meta.url)
  );
  const pages = await Promise.all(Object.keys(GAMES).map((name) => gamePage(name)));
  const games = pages.map(({ game, replayGame, view }) => [game, replayGame, view]);
  for (const modules of [yard, ...games]) {
    const imports = [...modules, ...PAGE_MODULES].map(({ pathname }) => `import "${pathname}";`);
    await withTempScript(imports.join("\n"), async (path) => {
      const files = Object.keys((await metafileOf(path)).inputs);
      assert(files.some((file) => file.endsWith("physics/geometry/hull.ts")), files.join());
      const packages = files.flatMap((file) =>
        /node_modules\/(?:\.deno\/)?([a-z-]+)/.exec(file)?.[1] ?? []
      );
      assertEquals([...new Set(packages)], ["uplot"]);
    });
  }
});

Deno.test("gamePage: a page has the declared title, the texts beside its view, and defaults for the rest (SPEC 13.64)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = {
      "shared/games/air_hockey/game.ts":
        `export const game = { declaration: { title: "Air & Ice" } };`,
      "client/games/air_hockey/view.ts": "export const view = {};",
      "client/games/air_hockey/page_source.ts":
        `export const page = { texts: { pitch: "Push the disc:", point: "five goals win.", rules: ["No hands."] } };`,
      "client/games/air_hockey/icon.svg": "<svg/>",
    };
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    const page = await gamePage("air_hockey", pathToFileURL(`${folder}/`));
    const { title, heading, name, pitch, point, rules, arena } = page.texts;
    assertEquals([title, heading, name], ["Air & Ice", "Air & Ice", "Air & Ice"]);
    assertEquals([pitch, point, rules, arena], [
      "Push the disc:",
      "five goals win.",
      ["No hands."],
      "The arena of Air & Ice",
    ]);
    assertEquals(page.icon, "<svg/>");
    const markup = fillPageTexts("<h1>{{ heading }}</h1><ul>{{ rules }}</ul>", page.texts);
    assertEquals(markup, "<h1>Air &amp; Ice</h1><ul><li>No hands.</li></ul>");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("bundle: an import that does not resolve is an error that names it", async () => {
  await withTempScript(`import "./nowhere.ts";`, async (path) => {
    await assertRejects(() => bundle(path), Error, 'Could not resolve "./nowhere.ts"');
  });
});
