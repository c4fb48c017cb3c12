/**
 * The built pages, read into memory once, so that no request can name another file. Beside each
 * file the build leaves two compressed copies, `NAME.br` and `NAME.gz`. If a file's name contains a
 * hash of its content, browsers cache it for ever; any other file they revalidate on each request,
 * which usually yields "304 Not Modified".
 */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { SAME_BITS_PATH } from "../../shared/hash_reports.ts";
import { acceptedEncodings, eTag } from "./std_http.ts";

/** One file and its HTTP headers. */
export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The compressed bodies that the build left, by content encoding; smallest first. */
  readonly encodings: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The content encodings, smallest first, with the ending of their files' names. */
const ENCODINGS = [["br", ".br"], ["gzip", ".gz"]] as const;

/** Files by URL path. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Where a folder's files are served. */
interface Place {
  /** What stands before every file's name; begins and ends with a slash. */
  readonly base: string;
  /** The paths of index.html, below the base. */
  readonly pages: readonly string[];
}

/**
 * A game's page. Its script reads from the URL whether to play or to watch: /play#CODE,
 * /watch#CODE.
 */
const GAME_PAGES = ["", "play", "watch"];

/** Pages beside it, by file name. Their URLs have no ending either. */
const PAGES: Readonly<Record<string, string>> = { "replay.html": "replay" };

/** Where a game is served that is hosted alone. */
const ROOT: Place = { base: "/", pages: GAME_PAGES };

/** The folder with the list of games, beside the games' folders. No game can have this name. */
const LIST_FOLDER = "_list/";
/** The folder with the page of equal bits. It is served below `SAME_BITS_PATH`. */
const SAME_BITS_FOLDER = "_same_bits/";
/**
 * Each game's item in the list, which the build leaves in the game's folder. A mark in the list's
 * page stands for the items.
 */
const LIST_ITEM = "list_item.part";
const LIST_ITEMS_MARK = "<!-- games -->";

/**
 * The lab's folder, and where it is served unless a game has this name. Only a build of this
 * project has it.
 */
const LAB_FOLDER = "_lab/";
const LAB: Place = { base: "/lab/", pages: [""] };

/** Where a game's page names the script that only several machines need. */
const MATCHMAKING_SCRIPT = /\bdata-matchmaking-script="([^"]+)"/;

/** Where a game's page names its picture for previews of links. */
const CARD = /(<meta property="og:image" content=")([\w.]+)(?=")/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  ico: "image/x-icon",
  webmanifest: "application/manifest+json",
  ogg: "audio/ogg",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  woff2: "font/woff2",
};

/** A name that the build gave, such as main-5KJX3TQA.js. */
const HASHED_NAME = /-[0-9A-Z]{8}\.\w+$/;

/**
 * The longest policy, characters. By default nginx takes an answer's whole header in 4 KiB and
 * answers 502 for a longer one. Our other fields take half a KiB, and a proxy may add its own.
 */
export const POLICY_CHARACTERS_MAX = 2_048;

/** A policy, and how many places it had no room for. */
export interface ContentPolicy {
  readonly text: string;
  readonly leftOut: number;
}

/** A policy's sources by place. A page that may go to a place needs all of that place's sources. */
export type PlaceSources = readonly (readonly string[])[];

/**
 * Allows only this server's files and sockets: no inline script, no plug-in, and no frame around the
 * page but the embedders'.
 * @param places the further places to which the page may open sockets and sessions, the most
 * important first. A place that would make the policy longer than `POLICY_CHARACTERS_MAX` is left
 * out.
 * @param embedders sites that may frame the page
 */
export function contentPolicy(
  places: PlaceSources,
  embedders: readonly string[] = [],
): ContentPolicy {
  const named = new Set<string>();
  let charactersLeft = POLICY_CHARACTERS_MAX - policyText(named, embedders).length;
  let leftOut = 0;
  for (const place of places) {
    const missing = place.filter((source) => !named.has(source));
    const characters = missing.reduce((sum, source) => sum + 1 + source.length, 0);
    if (characters > charactersLeft) {
      leftOut++;
      continue;
    }
    charactersLeft -= characters;
    for (const source of missing) named.add(source);
  }
  return { text: policyText(named, embedders), leftOut };
}

function policyText(sources: Iterable<string>, embedders: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...sources].join(" "),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    ["frame-ancestors", ...embedders.length === 0 ? ["'none'"] : embedders].join(" "),
  ].join("; ");
}

/**
 * Reads every file in the folder that a browser can use, but no subfolders.
 * @param place where the files are served; by default as the page of a game that is hosted alone
 * @throws Deno.errors.NotFound if there is no such folder
 */
export async function loadStaticFiles(
  folder: string | URL,
  { base, pages }: Place = ROOT,
): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const type = CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (!isFile || type === undefined) continue;

    const body = await Deno.readFile(pathIn(folder, name));
    const encodings = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const [encoding, ending] of ENCODINGS) {
      const encoded = await readIfExists(pathIn(folder, name + ending));
      if (encoded !== undefined) encodings.set(encoding, encoded);
    }

    const file = { ...await staticFileOf(body, { name, type }), encodings };
    for (const path of name === "index.html" ? pages : [PAGES[name] ?? name]) {
      files.set(base + path, file);
    }
  }
  return files;
}

/** The hosted games, and which of them have a page here. */
export interface HostedPages {
  readonly names: readonly string[];
  /** False for a game that is played on other sites alone. */
  readonly hasPage: (game: string) => boolean;
}

/**
 * Reads the pages of some games, and the lab at `/lab/` if the build has it. One game alone is
 * served at `/`. Several games are each served at `/NAME/`, with their list at `/`. In the place of a
 * page that a game does not have, a sentence says so.
 * @param folder of the whole build, with one folder for each game
 * @throws Deno.errors.NotFound if the folder of a game or of the list is missing
 */
export async function loadGamePages(folder: URL, games: HostedPages): Promise<StaticFiles> {
  const [lab, pages] = await Promise.all([
    loadStaticFiles(new URL(LAB_FOLDER, folder), LAB).catch(noneIfAbsent),
    loadHostedPages(folder, games),
  ]);
  return new Map([...lab, ...pages]);
}

/** @throws Error unless the folder is only not there */
function noneIfAbsent(error: unknown): StaticFiles {
  if (error instanceof Deno.errors.NotFound) return new Map();
  throw error;
}

async function loadHostedPages(
  folder: URL,
  { names, hasPage }: HostedPages,
): Promise<StaticFiles> {
  if (names.length === 1) {
    const [name] = names as [string];
    if (!hasPage(name)) return new Map([["/", await absentPageOf(name)]]);
    const page = await loadStaticFiles(new URL(`${name}/`, folder));
    return new Map([...page, ...await sameBitsFiles(folder)]);
  }

  // Without any page there is no list either
  if (!names.some(hasPage)) {
    const places = await Promise.all(
      names.map(async (name) => [`/${name}/`, await absentPageOf(name)] as const),
    );
    return new Map([["/", await absentPageOf(names.join(", "))], ...places]);
  }

  // The files of the list, and those of each game
  const list = await loadStaticFiles(new URL(LIST_FOLDER, folder), { base: "/", pages: [""] });
  const files = new Map([...list, ...await sameBitsFiles(folder)]);
  let items = "";
  for (const name of names) {
    if (!hasPage(name)) {
      files.set(`/${name}/`, await absentPageOf(name));
      continue;
    }
    const gameFolder = new URL(`${name}/`, folder);
    const place = { base: `/${name}/`, pages: GAME_PAGES };
    for (const [path, file] of await loadStaticFiles(gameFolder, place)) files.set(path, file);
    items += await Deno.readTextFile(new URL(LIST_ITEM, gameFolder));
  }

  // The list's page, with an item for each game
  const template = new TextDecoder().decode(files.get("/")!.body);
  const page = new TextEncoder().encode(template.replace(LIST_ITEMS_MARK, () => items));
  const file = await staticFileOf(page, { name: "index.html", type: CONTENT_TYPES["html"]! });
  files.set("/", { ...file, encodings: encodingsOf(page) });
  return files;
}

/** The page of equal bits; nothing from a build before there was one. */
async function sameBitsFiles(folder: URL): Promise<StaticFiles> {
  const place = { base: SAME_BITS_PATH, pages: [""] };
  return await loadStaticFiles(new URL(SAME_BITS_FOLDER, folder), place).catch(noneIfAbsent);
}

/** What stands in the place of a page that is not here. @param games the game's name, or several */
async function absentPageOf(games: string): Promise<StaticFile> {
  const body = new TextEncoder().encode(
    `This server hosts ${games} for pages on other sites, and has no page here.\n`,
  );
  const file = { name: "index.txt", type: "text/plain; charset=utf-8" };
  return { ...await staticFileOf(body, file), encodings: new Map() };
}

/** Whether one of the pages has this attribute. */
export function haveAttribute(files: StaticFiles, name: string): boolean {
  return [...files.values()].some(({ headers, body }) =>
    headers["Content-Type"] === CONTENT_TYPES["html"] &&
    new TextDecoder().decode(body).includes(` ${name}="`)
  );
}

/**
 * Returns the same files, except that the games' pages load one more script, for "Play now" over
 * several machines. A data attribute of the page names it.
 */
export function withMatchmaking(files: StaticFiles): StaticFiles {
  return withPages(files, "matchmaking", (text) => {
    const [, script] = MATCHMAKING_SCRIPT.exec(text) ?? [];
    if (script === undefined) return text;
    const tag = `<script type="module" src="${script}"></script>`;
    return text.replace("</head>", () => `  ${tag}\n  </head>`);
  });
}

/**
 * Returns the same files, except that pages name their picture for previews of links by its whole
 * address, because most programs that show previews resolve no other.
 * @param origin where players reach the pages
 */
export function withCardAddress(files: StaticFiles, origin: string): StaticFiles {
  return withPages(files, "card", (text, path) => {
    const base = path.slice(0, path.lastIndexOf("/") + 1);
    return text.replace(CARD, (_, before: string, name: string) => before + origin + base + name);
  });
}

/**
 * Returns the same files with changed pages.
 * @param name of the change, for the pages' tags
 * @param change gets a page's text and the first path at which it is served
 */
function withPages(
  files: StaticFiles,
  name: string,
  change: (text: string, path: string) => string,
): StaticFiles {
  const pages = new Map<StaticFile, StaticFile>();
  for (const [path, file] of files) {
    if (pages.has(file) || file.headers["Content-Type"] !== CONTENT_TYPES["html"]) continue;
    const text = new TextDecoder().decode(file.body);
    const changed = change(text, path);
    if (changed === text) continue;

    const body = new TextEncoder().encode(changed);
    const etag = file.etag.replace(/"$/, `-${name}"`);
    pages.set(file, { ...file, body, encodings: encodingsOf(body), etag });
  }
  return new Map(Array.from(files, ([path, file]) => [path, pages.get(file) ?? file]));
}

function encodingsOf(page: Uint8Array): StaticFile["encodings"] {
  return new Map([["br", bytesOf(brotliCompressSync(page))], ["gzip", bytesOf(gzipSync(page))]]);
}

function bytesOf(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}

async function staticFileOf(
  body: Uint8Array<ArrayBuffer>,
  file: { name: string; type: string },
): Promise<Omit<StaticFile, "encodings">> {
  return {
    body,
    // Weak, because the plain and the compressed bodies share the tag.
    etag: (await eTag(body, { weak: true }))!,
    headers: {
      "Content-Type": file.type,
      "Cache-Control": HASHED_NAME.test(file.name)
        ? "public, max-age=31536000, immutable"
        : "no-cache",
      // Pages that open this one, or are opened by it, share no browsing context with it.
      "Cross-Origin-Opener-Policy": "same-origin",
      "Vary": "Accept-Encoding",
    },
  };
}

/**
 * The smallest of a file's content encodings that a client accepts (RFC 9110 §12.5.3); undefined
 * for the plain body.
 * @param accepted the request's header, if it has one
 */
export function encodingFor(
  { encodings }: StaticFile,
  accepted: string | undefined,
): string | undefined {
  if (accepted === undefined) return undefined;
  const headers = new Headers({ "Accept-Encoding": accepted.toLowerCase() });
  // Chosen here, because browsers list gzip first, so std's choice would be gzip.
  const encodingsAccepted = acceptedEncodings({ headers });
  return encodings.keys().find((encoding) => encodingsAccepted.includes(encoding));
}

async function readIfExists(path: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function pathIn(folder: string | URL, name: string): string | URL {
  return typeof folder === "string"
    ? `${folder}/${name}`
    : new URL(encodeURIComponent(name), folder);
}
