/**
 * The built pages, read into memory once: nothing that a request says can name another file. Beside each file the build leaves the
 * same one compressed, `NAME.gz`. A name with a hash of its content in it is
 * cached for ever; anything else is asked for again each time and costs a "not modified".
 */

/** One file as it is answered. */
export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body compressed, where the build has left that. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** By path; `PAGE_PATHS` are index.html. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** One page, which reads in its own address whether it is asked to play or to watch: /play#CODE, /watch#CODE. */
const PAGE_PATHS = ["/", "/play", "/watch"];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
};

/** As the build names them: main-5KJX3TQA.js. */
const HASHED_NAME = /-[0-9A-Z]{8}\.\w+$/;

/** Our own files and sockets, and nothing from anywhere else: no inline script, no plug-in, no frame around the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Every file of the folder that a browser can use; folders inside it are left out.
 * @throws Deno.errors.NotFound where the folder is not there
 */
export async function loadStaticFiles(folder: string | URL): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const type = CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (!isFile || type === undefined) continue;
    const body = await Deno.readFile(pathIn(folder, name));
    const gzip = await readIfExists(pathIn(folder, `${name}.gz`));
    const file = { ...await staticFileOf(body, { name, type }), gzip };
    for (const path of name === "index.html" ? PAGE_PATHS : [`/${name}`]) files.set(path, file);
  }
  return files;
}

async function staticFileOf(
  body: Uint8Array<ArrayBuffer>,
  file: { name: string; type: string },
): Promise<Omit<StaticFile, "gzip">> {
  return {
    body,
    etag: await etagOf(body),
    headers: {
      "Content-Type": file.type,
      "Cache-Control": HASHED_NAME.test(file.name) ? "public, max-age=31536000, immutable" : "no-cache",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Vary": "Accept-Encoding",
    },
  };
}

async function readIfExists(path: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function etagOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  // W/: the compressed body stands for the same page.
  return `W/"${digest.subarray(0, 12).toHex()}"`;
}

function pathIn(folder: string | URL, name: string): string | URL {
  return typeof folder === "string" ? `${folder}/${name}` : new URL(encodeURIComponent(name), folder);
}
