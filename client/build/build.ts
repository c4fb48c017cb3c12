/**
 * Bundles client/ into the few files that a browser loads for each game: one script, one style
 * sheet, one page, its icon and its manifest. Separate files hold what few pages need: the debug
 * overlay's script, worker and style sheet, which the page fetches when a player opens it; the
 * datagrams' code, which only bad connections need; the settings dialog, "How it works", the
 * invitation with its QR code, the first flight, and what watching needs; what lets a gamepad reach
 * every control; the worker that wakes a hidden page, and the one with a practice
 * match; and "Play now" over several machines, which the server adds to the page where there are
 * several. The service worker keeps the page for visits without a network. planck's worker is built
 * for `serve --check-planck` alone. Replays get their own page.
 *
 * The names of scripts and style sheets contain a hash of their content, so browsers may cache them
 * for ever and still load a new build at once. The previous build's hashed files stay, because open
 * pages may still load them.
 *
 *     client/dist/NAME/         a game's page
 *     client/dist/_list/        the list of games, which a server with several games shows at /
 *     client/dist/_lab/         the lab, which runs as static files, too
 *     client/dist/_same_bits/   the page /same-bits, which needs no server
 */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { EXIT_UNUSABLE, UsageError } from "../../shared/flags.ts";
import { quoted } from "../../shared/quoted.ts";
import { GAMES } from "../../shared/games/registry.ts";
import { compressed, type CompressedFile, servable, type ServableFile } from "./compressed_file.ts";
import { withFingerprints } from "./fingerprint.ts";
import { FILE_SETTINGS, gameFiles } from "./game_files.ts";
import { drawnIcon, gamePage } from "./game_page.ts";
import { guardLoops } from "./guard_loops.ts";
import { buildPrograms } from "./programs.ts";
import { LIBRARY_FILES } from "./libraries.ts";
import { HASHED, KeptFiles, removeIfThere, writeIfChanged } from "./kept_files.ts";
import { noSideEffects } from "./no_side_effects.ts";
import { styleTexts } from "./style_texts.ts";
import { stripChecks } from "./strip_checks.ts";
import { stripLabels } from "./strip_labels.ts";
import {
  fillPageTexts,
  listItemOf,
  manifestOf,
  type PageSource,
  pageTemplate,
  PICTURE_NAMES,
  withCard,
} from "./page_source.ts";

const SOURCE = new URL("../", import.meta.url);
const BUILT = new URL("../dist/", import.meta.url);
/** The folder for the list of games. A game cannot take this name. */
const LIST = "_list";
/** The folder for the page of equal bits. */
const SAME_BITS = "_same_bits";
/** The folder for the lab. A game cannot take this name either. */
const LAB = "_lab";

type BuiltFile = Pick<CompressedFile, "name" | "bytes">;

/** Settings for every bundle that players get. */
const SETTINGS = {
  bundle: true,
  write: false,
  alias: LIBRARY_FILES,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "silent", // the thrown error carries the messages
} satisfies esbuild.BuildOptions;

/** Settings for development, so that errors name source lines and a build is quick. */
const DEVELOPMENT = { minify: false, sourcemap: "inline" } satisfies esbuild.BuildOptions;

/**
 * Bundles one script for a browser, for example a page that a test writes.
 * @param entry a TypeScript or JavaScript file's path
 * @returns the script's text
 * @throws Error with esbuild's message if bundling fails
 */
export async function bundle(entry: string): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      ...SETTINGS,
      plugins: [styleTexts],
      entryPoints: [entry],
    });
    return outputFiles[0]!.text;
  } finally {
    await esbuild.stop(); // because esbuild's helper process would keep this one alive
  }
}

export interface BuildOptions {
  /** Which games to build, at least one; by default all. */
  readonly games?: readonly string[];
  /**
   * Whether to build for `deno task dev`: the pages reload themselves after the next build
   * (`live_reload.ts`), carry source maps, are neither minified nor compressed, and end an author's
   * endless loop sooner (`guard_loops.ts`).
   */
  readonly isDevelopment?: boolean;
  /**
   * The address of the game's page at its server, https://…/ or https://…/NAME/, for a page that
   * will lie on another site. It has no page of replays, because the server has one.
   */
  readonly server?: string;
  /**
   * Whether there is the lab, which knows this project's games alone; lobbies and the list link to
   * it.
   */
  readonly hasLab?: boolean;
  /** Whether the overlays show planck beside the stage: for development (SPEC 9.90). */
  readonly checksPlanck?: boolean;
  /**
   * Called when a server can serve all pages and only Brotli is missing, which takes most of a
   * build's time; the server sends gzip meanwhile. With it, Brotli leaves all other cores to the
   * server.
   */
  readonly onServable?: () => void;
}

/**
 * Builds the pages of the registry's games and their list, and removes the files from earlier
 * builds, except the previous build's hashed ones.
 * @returns as `buildPages`
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function build(
  options: BuildOptions = {},
): Promise<ReadonlyMap<string, readonly CompressedFile[]>> {
  const { games = Object.keys(GAMES) } = options;
  const sources = await Promise.all(games.map((name) => gamePage(name)));
  // Its scenes are of several games, so a server of one game does not wait for it.
  const hasLab = games.length === Object.keys(GAMES).length;
  const folders = await buildPages(sources, BUILT, { ...options, hasLab });

  // Remove games that no longer exist
  for await (const { name } of Deno.readDir(BUILT)) {
    if ([LIST, SAME_BITS, LAB].includes(name) || Object.hasOwn(GAMES, name)) continue;
    await Deno.remove(new URL(`${name}/`, BUILT), { recursive: true });
  }
  return folders;
}

/**
 * Builds a page for each game, and their list, and removes these folders' files from earlier builds
 * as `build` does.
 * @param into the folder for the games' folders
 * @param options.hasList whether there is a list of games; by default if there are several
 * @returns the files by folder, each folder's page last; none for development
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function buildPages(
  sources: readonly PageSource[],
  into: URL,
  { hasList = sources.length > 1, ...options }: Omit<BuildOptions, "games"> & {
    readonly hasList?: boolean;
  } = {},
): Promise<ReadonlyMap<string, readonly CompressedFile[]>> {
  const { onServable } = options;
  const folderOf = (name: string) => new URL(`${name}/`, into);
  const servables = new Map<string, readonly ServableFile[]>();
  try {
    // Game after game, because each has enough files for all cores
    for (const source of sources) {
      const files = await pageFiles(source, options);
      servables.set(source.name, await written(files, folderOf(source.name), options));
    }
    const sameBits = await sameBitsFiles(options);
    servables.set(SAME_BITS, await written(sameBits, folderOf(SAME_BITS), options));
    if (hasList) {
      servables.set(LIST, await written(await listFiles(options), folderOf(LIST), options));
    }
    if (options.hasLab) {
      servables.set(LAB, await written(await labFiles(options), folderOf(LAB), options));
    }
  } finally {
    await esbuild.stop();
  }

  onServable?.();
  if (options.isDevelopment) return new Map();
  const folders = new Map<string, readonly CompressedFile[]>();
  for (const [name, files] of servables) {
    folders.set(
      name,
      await withBrotli(files, folderOf(name), { inTurn: onServable !== undefined }),
    );
  }
  return folders;
}

/**
 * Builds one game's page and removes files from earlier builds as `build` does.
 * @param into the folder to write to
 * @returns the files, the page last
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function buildPage(
  source: PageSource,
  into: URL,
  options: Pick<BuildOptions, "checksPlanck" | "isDevelopment"> = {},
): Promise<readonly CompressedFile[]> {
  try {
    return await withBrotli(await written(await pageFiles(source, options), into, options), into);
  } finally {
    await esbuild.stop();
  }
}

/**
 * Builds one game's page for another site than its server.
 * @param server as in `BuildOptions`
 * @returns the files, without compressed copies, the page last
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function buildElsewhere(
  source: PageSource,
  server: string,
): Promise<readonly BuiltFile[]> {
  try {
    return await pageFiles(source, { server });
  } finally {
    await esbuild.stop();
  }
}

/**
 * Makes the files for a game's page. The page comes last, so that a browser that loads it finds all
 * files that it names.
 */
async function pageFiles(source: PageSource, options: BuildOptions): Promise<readonly BuiltFile[]> {
  // Script, styles and the files that scripts load later
  const files = await filesOf(
    [
      { in: MAIN, out: "main" },
      ...[
        "style.css",
        "debug/overlay.ts",
        "debug/overlay.css",
        "ui/settings_panel.ts",
        "ui/match/after_round.ts",
        "replay/rewind/rewind.ts",
        "ui/asked/how_it_works.ts",
        "ui/asked/invite_dialog.ts",
        "ui/asked/by_hand.ts",
        "ui/asked/first_flight.ts",
        "input/pad_focus.ts",
        "ui/asked/asked.css",
        "game_kit/watching/watching.ts",
      ].map(entryOf),
      { in: REPLAY_WORKER, out: "replay_worker" },
      ...options.checksPlanck ? [{ in: PLANCK_WORKER, out: "planck_worker" }] : [],
      { in: SOLO_WORKER, out: "solo_worker" },
      { in: DATAGRAMS, out: "datagrams" },
      entryOf("page_rooms/page_rooms.ts"),
      entryOf("ui/matchmaking.ts"),
      entryOf("ui/pulse_worker.ts"),
    ],
    {
      plugins: [
        entriesOf(source, options),
        stripLabels,
        ...options.isDevelopment ? [] : [stripChecks],
        await withFingerprints([source.replayGame]),
        ...source.plugins,
      ],
      options,
    },
  );

  // Files that do not need the bundler
  files.push({ name: "icon.svg", bytes: encoded(source.icon) });
  files.push({ name: "manifest.webmanifest", bytes: encoded(JSON.stringify(manifestOf(source))) });

  // The page and its replay page name the built files
  const hasOffline = !options.isDevelopment && options.server === undefined;
  const workers = [
    ...hasOffline ? [`data-offline-worker="${OFFLINE_WORKER}"`] : [],
    ...options.checksPlanck ? [`data-planck-worker="planck_worker.js"`] : [],
    ...source.hasTitleMatch ? [`data-title-worker="main.js"`] : [],
  ];
  const template = await pageTemplate();
  const markup = withLab(
    fillPageTexts(
      template.replace("<body", ["<body", ...workers].join("\n    ")),
      source.texts,
    ),
    options,
  );
  if (options.server !== undefined) {
    // The picture stays at the server, because this page's own address is not known.
    const named = withCard(elsewhere(markup, options.server), source, options.server);
    const page = withBuiltNames(named, files);
    return [...files, ...await iconsOf(source), { name: "index.html", bytes: encoded(page) }];
  }
  const replay = await replayPageFiles(source, { shared: files, markup, options });

  const page = await finished(withBuiltNames(withCard(markup, source), files), {
    files: [...files, ...replay],
    options,
  });

  return [
    { name: "list_item.part", bytes: encoded(listItemOf(source)) },
    ...page.slice(0, -1),
    ...hasOffline ? [await offlineWorker(page.at(-1)!, files)] : [],
    ...await iconsOf(source),
    ...await picturesOf(source),
    page.at(-1)!,
  ];
}

/** What a page without a network does without. */
const ONLINE_FILES = /^(matchmaking|invite_dialog|rewind)-/;

/**
 * Makes the service worker, whose name has no hash, because browsers look for a newer one under the
 * same name.
 * @param files the page's own files
 */
async function offlineWorker(page: BuiltFile, files: readonly BuiltFile[]): Promise<BuiltFile> {
  const names = files.map(({ name }) => name).filter((name) => !ONLINE_FILES.test(name));
  const main = names.findIndex((name) => name.startsWith("main-"));
  names.unshift(...names.splice(main, 1));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", page.bytes));
  const offline = { version: digest.subarray(0, 8).toHex(), files: names };
  const { outputFiles } = await esbuild.build({
    ...SETTINGS,
    entryPoints: [fileURLToPath(new URL("solo/offline_worker.ts", SOURCE))],
    define: { OFFLINE: JSON.stringify(offline) },
  });
  return { name: OFFLINE_WORKER, bytes: outputFiles[0]!.contents as Uint8Array<ArrayBuffer> };
}

/** Reads the game's icons, which only the manifest names. */
async function iconsOf({ view, icons = [] }: PageSource): Promise<BuiltFile[]> {
  return await Promise.all(
    icons.map(async ({ name }) => ({ name, bytes: await Deno.readFile(new URL(name, view)) })),
  );
}

/** Reads the game's pictures, which no script names. */
async function picturesOf({ pictures = {} }: PageSource): Promise<BuiltFile[]> {
  const files: BuiltFile[] = [];
  for (const kind of ["card", "preview"] as const) {
    const picture = pictures[kind];
    if (picture === undefined) continue;
    files.push({ name: PICTURE_NAMES[kind], bytes: await Deno.readFile(picture) });
  }
  return files;
}

/**
 * Makes the page name its server: in the root element for `client/ui/home.ts`, in its links, which
 * leave a portal's frame, and with the script for "Play now" over several machines, which a server
 * otherwise adds by itself.
 */
function elsewhere(markup: string, server: string): string {
  const { origin } = new URL(server);
  const replacements = [
    ["<html", `<html data-server="${server}"`],
    [`href="replay"`, `href="${server}replay" target="_blank" rel="noopener"`],
    [`href="/" hidden`, `href="${origin}/" target="_blank" rel="noopener" hidden`],
    ["</head>", `  <script type="module" src="matchmaking.js"></script>\n  </head>`],
  ] as const;
  let page = markup;
  for (const [from, to] of replacements) {
    if (!page.includes(from)) throw new Error(`client/index.html has no ${from}`);
    page = page.replace(from, () => to);
  }
  return page;
}

/**
 * Makes the files for the replay page. Its own script contains the NPCs' policy and the labels of
 * states, which no other page needs.
 * @param shared files that both pages use
 * @param markup the game's page, from which it takes the HUD
 */
async function replayPageFiles(
  source: PageSource,
  { shared, markup, options }: {
    shared: readonly BuiltFile[];
    markup: string;
    options: BuildOptions;
  },
): Promise<readonly BuiltFile[]> {
  const entries = [{ in: REPLAY_PAGE, out: "replay_page" }, entryOf("replay/replay.css")];
  const files = await filesOf(entries, { plugins: [entriesOf(source, options)], options });
  const template = fillPageTexts(
    await Deno.readTextFile(new URL("replay/replay.html", SOURCE)),
    source.texts,
  );
  const page = template.replace(HUD_MARK, () => HUD.exec(markup)![0]);
  const named = shared.filter(({ name }) =>
    /^(style|replay_worker|watching)-\w+\.(js|css)$/.test(name)
  );
  const sharedNames = new Set(shared.map(({ name }) => name));
  return [...files.filter(({ name }) => !sharedNames.has(name)), {
    name: "replay.html",
    bytes: encoded(withBuiltNames(page, [...files, ...named])),
  }];
}

/** Makes the files for the list of games. The server puts its games' items into the page. */
async function listFiles(options: BuildOptions): Promise<readonly BuiltFile[]> {
  const files = await filesOf(["game_list/list.ts", "game_list/list.css"].map(entryOf), {
    options,
  });
  files.push({ name: "icon.svg", bytes: encoded(drawnIcon("wyvern")) });
  const template = await Deno.readTextFile(new URL("game_list/list.html", SOURCE));
  const markup = withLab(template, options);
  return await finished(withBuiltNames(markup, files), { files, options });
}

/** The physics engines that the page of equal bits compares with, by the scripts of their workers. */
const LIBRARY_WORKERS = ["planck_worker", "matter_worker", "rapier_worker"];

/**
 * Makes the files for the page of equal bits.
 * @param options.withLibraries whether the page can also run the other physics engines, which need
 *   packages that a server does without
 */
async function sameBitsFiles(
  { withLibraries = false, ...options }: BuildOptions & { readonly withLibraries?: boolean },
): Promise<readonly BuiltFile[]> {
  const workers = withLibraries ? LIBRARY_WORKERS : [];
  const own = ["page.ts", "worker.ts", "same_bits.css"].map((name) => `same_bits/${name}`);
  const files = await filesOf(
    [...own, ...workers.map((name) => `same_bits/libraries/${name}.ts`)].map(entryOf),
    { options },
  );
  files.push({ name: "icon.svg", bytes: encoded(drawnIcon("wyvern")) });
  const template = await Deno.readTextFile(new URL("same_bits/same_bits.html", SOURCE));
  const attributes = workers.map((name) => ` data-${name.replace("_", "-")}="${name}.js"`);
  const markup = template.replace("<body", ["<body", ...attributes].join(""));
  return await finished(withBuiltNames(markup, files), { files, options });
}

/**
 * Builds the page of equal bits with the other physics engines, for any file server.
 * @returns the files, without compressed copies, the page last
 * @throws Error with esbuild's message if the sources do not bundle
 */
export async function buildSameBits(): Promise<readonly BuiltFile[]> {
  try {
    return await sameBitsFiles({ withLibraries: true });
  } finally {
    await esbuild.stop();
  }
}

/** Shows a page's link to the lab if there is one. */
function withLab(markup: string, { hasLab = false }: BuildOptions): string {
  return hasLab ? markup.replace(`href="/lab/" hidden`, `href="/lab/"`) : markup;
}

/** Makes the files for the lab. */
async function labFiles(options: BuildOptions): Promise<readonly BuiltFile[]> {
  const files = await filesOf(["lab/page/run_lab_page.ts", "lab/page/lab.css"].map(entryOf), {
    options,
  });
  files.push({ name: "icon.svg", bytes: encoded(drawnIcon("lab")) });
  const markup = await Deno.readTextFile(new URL("lab/page/lab.html", SOURCE));
  return await finished(withBuiltNames(markup, files), { files, options });
}

/** Adds the page to the files, with the reload script if it is wanted. */
async function finished(
  page: string,
  { files, options: { isDevelopment } }: {
    files: readonly BuiltFile[];
    options: BuildOptions;
  },
): Promise<readonly BuiltFile[]> {
  if (!isDevelopment) return [...files, { name: "index.html", bytes: encoded(page) }];
  const script = await reloadScript(page);
  const reloading = page.replace(
    "</head>",
    `  <script type="module" src="${script.name}"></script>\n  </head>`,
  );
  return [...files, script, { name: "index.html", bytes: encoded(reloading) }];
}

/** The scripts that name the game, which the build generates. */
const MAIN = "wyvern:main";
const TITLE_WORKER = "wyvern:title_worker";
const LOOP_BOUND = "wyvern:loop_bound";
/** Whether the script of a page runs in the page, and not in a worker. */
const IS_PAGE = 'typeof document === "object"';
const REPLAY_WORKER = "wyvern:replay_worker";
const PLANCK_WORKER = "wyvern:planck_worker";
const SOLO_WORKER = "wyvern:solo_worker";
const OFFLINE_WORKER = "offline_worker.js";
const REPLAY_PAGE = "wyvern:replay_page";
/** The scripts that `client/ui/script_loader.ts` fetches. */
const DATAGRAMS = "wyvern:datagrams";
const DATAGRAM_MODULES = ["session/datagrams/session_datagrams.ts", "net/datagram_session.ts"];

/** How long the loops of one task may run in a page in which people play, ms. */
const DEVELOPMENT_LOOPS_MS = 1_000;
/** Longer than a slow phone takes for what ends, such as laying out a big level. */
const BUILT_LOOPS_MS = 5_000;
const LOOP_TURN = new URL("ui/loop_turn.ts", SOURCE);

/** Adds the sliders for constants, which only pages in development have. */
const TUNED_VIEW = new URL("game_kit/tune/tuned_view.ts", SOURCE);

/** The HUD in index.html, and where it goes in the replay page. */
const HUD = /<section id="hud"[\s\S]*?<\/section>\s*<\/section>/;
const HUD_MARK = "<!-- hud -->";

function entriesOf(
  { game, replayGame, view, hasTitleMatch }: PageSource,
  { isDevelopment = false }: BuildOptions,
): esbuild.Plugin {
  const imports = (names: string, from: URL) =>
    `import { ${names} } from ${JSON.stringify(fileURLToPath(from))};\n`;

  // A bundle places a module where it is first imported. In this order the compressed script is 1.5
  // kB smaller.
  const first = [
    "../shared/physics/dynamics/sensor_sweeps.ts",
    "../shared/physics/dynamics/world_step.ts",
    "session/session.ts",
    "presentation/match_presenter.ts",
    "../shared/game_kit/checks/check_declaration.ts",
  ]
    .map((path) => `import ${JSON.stringify(fileURLToPath(new URL(path, SOURCE)))};\n`).join("");
  const contents: Readonly<Record<string, string>> = {
    [DATAGRAMS]: DATAGRAM_MODULES.map((path) =>
      `export * from ${JSON.stringify(fileURLToPath(new URL(path, SOURCE)))};\n`
    ).join(""),
    // Before the page's modules, because in a worker those may end the script
    [LOOP_BOUND]: imports("boundLoops", LOOP_TURN) +
      `boundLoops(${isDevelopment ? DEVELOPMENT_LOOPS_MS : BUILT_LOOPS_MS});\n`,
    [MAIN]: `import "${LOOP_BOUND}";\n` + first +
      (hasTitleMatch ? `import "${TITLE_WORKER}";\n` : "") +
      imports("runPage", new URL("ui/run_page.ts", SOURCE)) + imports("game", game) +
      imports("view", view) +
      (isDevelopment
        ? imports("tunedView", TUNED_VIEW) +
          `if (${IS_PAGE}) runPage(game, tunedView(game, view));\n`
        : `if (${IS_PAGE}) runPage(game, view);\n`),
    // Before them, too, because they may use the page when they load
    [TITLE_WORKER]: imports("game", game) +
      imports("runTitleWorker", new URL("game_kit/title_worker.ts", SOURCE)) +
      `if (!(${IS_PAGE})) runTitleWorker(game);\n`,
    [REPLAY_WORKER]: imports("game", replayGame) +
      imports("runReplayWorker", new URL("debug/replay/replay_worker.ts", SOURCE)) +
      imports("runReplayTrial, TRIAL_WORKER", new URL("replay/trial/trial_worker.ts", SOURCE)) +
      "if (self.name === TRIAL_WORKER) runReplayTrial(game);\nelse runReplayWorker(game);\n",
    [PLANCK_WORKER]: imports("game", replayGame) +
      imports("runPlanckWorker", new URL("debug/planck/planck_worker.ts", SOURCE)) +
      "runPlanckWorker(game);\n",
    [SOLO_WORKER]: imports("game", replayGame) +
      imports("runSoloWorker", new URL("solo/solo_worker.ts", SOURCE)) + "runSoloWorker(game);\n",
    [REPLAY_PAGE]: imports("runReplayPage", new URL("replay/run_replay_page.ts", SOURCE)) +
      imports("game", replayGame) + imports("view", view) + "runReplayPage(game, view);\n",
  };

  return {
    name: "entries of a game",
    setup(build) {
      build.onResolve({ filter: /^wyvern:/ }, ({ path }) => ({ path, namespace: "wyvern" }));
      build.onLoad(
        { filter: /.*/, namespace: "wyvern" },
        ({ path }) => ({
          contents: contents[path]!,
          resolveDir: fileURLToPath(SOURCE),
          loader: "js",
        }),
      );
    },
  };
}

interface BundleEntry {
  readonly in: string;
  /** The output's name, without hash and ending. */
  readonly out: string;
}

/** @param path relative to client/ */
function entryOf(path: string): BundleEntry {
  return { in: fileURLToPath(new URL(path, SOURCE)), out: basename(path).replace(/\.\w+$/, "") };
}

/**
 * Writes each file and its gzip copy, unless it is already there, because a server may be reading
 * the folder. Removes all other files from the folder, except the previous build's hashed ones.
 * @returns none for development, which makes no copies
 */
async function written(
  files: readonly BuiltFile[],
  into: URL,
  { isDevelopment }: BuildOptions,
): Promise<readonly ServableFile[]> {
  await Deno.mkdir(into, { recursive: true });
  if (isDevelopment) {
    await writePlain(files, into);
    return [];
  }
  const kept = await KeptFiles.of(files.map(({ name }) => name), into);

  // The page comes last, so that a browser that loads it finds all files that it names. The old
  // Brotli copy goes first, because a server that found it beside a new page would send it.
  const servables = await Promise.all(files.map(({ name, bytes }) => servable(name, bytes, into)));
  for (const { name, bytes, gzip, earlierBrotli } of servables) {
    if (earlierBrotli === undefined) await removeIfThere(new URL(`${name}.br`, into));
    if (gzip !== bytes) await writeIfChanged(new URL(`${name}.gz`, into), gzip);
    await writeIfChanged(new URL(name, into), bytes);
  }

  await kept.removeOthers();
  return servables;
}

/**
 * Writes the files without copies, and removes all others, because pages reload themselves at once.
 */
async function writePlain(files: readonly BuiltFile[], into: URL): Promise<void> {
  for (const { name, bytes } of files) await writeIfChanged(new URL(name, into), bytes);
  const names = new Set(files.map(({ name }) => name));
  for await (const { name, isFile } of Deno.readDir(into)) {
    if (isFile && !names.has(name)) await removeIfThere(new URL(name, into));
  }
}

/** Writes the Brotli copies. @param inTurn on one core instead of all */
async function withBrotli(
  files: readonly ServableFile[],
  into: URL,
  { inTurn = false } = {},
): Promise<readonly CompressedFile[]> {
  const compressAndWrite = async (file: ServableFile) => {
    const result = await compressed(file);
    // Write it whole or not at all, because the process may be ended meanwhile
    if (file.earlierBrotli === undefined) {
      const unfinished = new URL(`${file.name}.br.new`, into);
      await Deno.writeFile(unfinished, result.brotli);
      await Deno.rename(unfinished, new URL(`${file.name}.br`, into)).catch((error) => {
        // Another build began and tidied up; it will write the file itself.
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
    }
    return result;
  };

  if (!inTurn) return await Promise.all(files.map(compressAndWrite));
  const results: CompressedFile[] = [];
  for (const file of files) results.push(await compressAndWrite(file));
  return results;
}

async function filesOf(
  entries: readonly BundleEntry[],
  { plugins = [], options }: { plugins?: esbuild.Plugin[]; options: BuildOptions },
): Promise<BuiltFile[]> {
  const { outputFiles } = await esbuild.build({
    ...SETTINGS,
    ...FILE_SETTINGS,
    ...options.isDevelopment && DEVELOPMENT,
    plugins: [
      ...plugins,
      guardLoops,
      gameFiles(),
      styleTexts,
      noSideEffects,
    ],
    entryPoints: [...entries],
    entryNames: "[name]-[hash]",
    outdir: fileURLToPath(BUILT),
  });
  return outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    bytes: new Uint8Array(contents),
  }));
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/**
 * Puts built names in place of source names. Scripts name the files that they import themselves.
 * @throws Error if the page does not name another file
 */
function withBuiltNames(markup: string, files: readonly BuiltFile[]): string {
  let page = markup;
  for (const { name } of files) {
    if (HASHED.test(name) && !/\.(js|css)$/.test(name)) continue;
    const written = name.replace(HASHED, ".");
    if (!page.includes(`"${written}"`)) throw new Error(`the page does not name "${written}"`);
    page = page.replaceAll(`"${written}"`, `"${name}"`);
  }
  return page;
}

/**
 * Makes the reload script, named after the page's hash. The page names all other files, so every
 * change gives a new name.
 */
async function reloadScript(page: string): Promise<BuiltFile> {
  const [script] = await filesOf([entryOf("build/live_reload.ts")], { options: {} });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoded(page)));
  return { ...script!, name: `reload-${digest.subarray(0, 4).toHex().toUpperCase()}.js` };
}

function sizeOf({ name, bytes, gzip, brotli }: CompressedFile): string {
  const kilobytes = (length: number) => (length / 1000).toFixed(1);
  return `${name} ${kilobytes(bytes.length)} kB (${kilobytes(gzip.length)} gzip, ${
    kilobytes(brotli.length)
  } brotli)`;
}

/**
 * @returns the games that `--games` names, or with `--first-game` the one that a server hosts by
 *   default; undefined for all
 */
function gamesOf(args: readonly string[]): string[] | undefined {
  if (args.includes("--first-game")) return Object.keys(GAMES).slice(0, 1);
  const at = args.indexOf("--games");
  if (at < 0) return undefined;
  if (args[at + 1] === "all") return undefined;
  const names = (args[at + 1] ?? "").split(",");
  const unknown = names.find((name) => !Object.hasOwn(GAMES, name));
  if (unknown === undefined) return names;
  throw new UsageError(`--games ${quoted(unknown)}: there are ${Object.keys(GAMES).join(", ")}`);
}

/**
 * Runs `deno task build`. With `--dev` it leaves out the programs, with `--programs` the pages.
 * With `--for-server` it prints a line once the programs are built, and another once a server can
 * send the pages, before their Brotli copies are made.
 */
async function main(args: readonly string[]): Promise<void> {
  const isForServer = args.includes("--for-server");
  const names = gamesOf(args) ?? Object.keys(GAMES);
  const sayPages = () => console.log(`Built the pages of ${names.join(", ")}`);

  if (!args.includes("--dev")) {
    await buildPrograms();
    if (isForServer) console.log("Built the programs");
  }
  if (args.includes("--programs")) return await esbuild.stop();

  const folders = await build({
    games: names,
    isDevelopment: args.includes("--dev"),
    checksPlanck: args.includes("--check-planck"),
    ...isForServer && { onServable: sayPages },
  });
  if (!isForServer) sayPages();
  if (!args.includes("--sizes")) return;
  for (const [folder, files] of folders) {
    const shown = files.filter(({ name }) => !name.endsWith(".part"));
    console.log(`client/dist/${folder}: ${shown.map(sizeOf).join(", ")}`);
  }
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}
