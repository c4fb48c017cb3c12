/**
 * The service worker of a game's page: it keeps the page and its scripts, so that one can practise
 * without a network after the first visit.
 *
 * The page itself always comes from the server if it answers, so it is never older than the server.
 * Files whose names have a hash of their content come from what is kept, because another content has
 * another name. The build before stays, as it does on the server, for pages that are still open.
 *
 *     the server answers           its page, and its files
 *     it does not within 8 s, or only 5xx     the newest page that was kept whole
 */

/** What the build writes into this script. */
declare const OFFLINE: {
  /** A hash of the page and of all files' names. */
  readonly version: string;
  /** Names relative to the page; the first is the page's own script, which its text names. */
  readonly files: readonly string[];
};

/** The part of a service worker's global scope that is used here: the compiler has only the page's. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate",
    listener: (event: { waitUntil(done: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(
    type: "fetch",
    listener: (event: {
      readonly request: Request;
      respondWith(answer: Promise<Response>): void;
    }) => void,
  ): void;
}

/** This build and the one before. */
const BUILDS_KEPT = 2;
/** How long a visitor waits for a server before the page that is kept is shown, ms. */
const SERVER_MS_MAX = 8000;
/** As the build names files: a content hash of eight characters. */
const HASHED = /-[A-Z0-9]{8}\.\w+$/;

const scope = globalThis as unknown as WorkerScope;
/** The page's address, which ends with "/". */
const page = scope.registration.scope;
/** Several games on one server have caches beside each other. */
const prefix = `wyvern ${page} `;

scope.addEventListener("install", (event) => event.waitUntil(keepBuild()));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOlderBuilds()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(page)) return;
  const name = new URL(request.url).pathname.slice(new URL(page).pathname.length);
  const isPage = request.mode === "navigate" && ["", "play", "watch"].includes(name);
  if (isPage) event.respondWith(fromServer(request, page));
  else if (!OFFLINE.files.includes(name) && !HASHED.test(name)) return;
  else if (HASHED.test(name)) event.respondWith(fromCache(request));
  else event.respondWith(fromServer(request, request.url));
});

/** @throws Error if the server does not have this build any more; the browser tries again later */
async function keepBuild(): Promise<void> {
  const answer = await fetch(page, { cache: "reload" });
  const text = await answer.clone().text();
  if (!answer.ok || !text.includes(OFFLINE.files[0]!)) {
    throw new Error("the server has another build by now");
  }
  // A build that comes back is the newest again
  await caches.delete(prefix + OFFLINE.version);
  const cache = await caches.open(prefix + OFFLINE.version);
  await cache.addAll(OFFLINE.files.map((name) => new URL(name, page).href));
  // Last, so that a page that is kept finds all its files
  await cache.put(page, answer);
  await scope.skipWaiting();
}

async function forgetOlderBuilds(): Promise<void> {
  const own = (await caches.keys()).filter((name) => name.startsWith(prefix));
  await Promise.all(own.slice(0, -BUILDS_KEPT).map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** @param address under which the same is kept */
async function fromServer(request: Request, address: string): Promise<Response> {
  const kept = await newestOf(address);
  if (kept === undefined) return await fetch(request);
  const asked = fetch(request).then((answer) => answer.status < 500 ? answer : kept, () => kept);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), SERVER_MS_MAX));
  return await Promise.race([asked, late]);
}

async function fromCache(request: Request): Promise<Response> {
  return await newestOf(request.url) ?? await fetch(request);
}

/** Finds the newest copy of an address that is kept. */
async function newestOf(address: string): Promise<Response | undefined> {
  const own = (await caches.keys()).filter((name) => name.startsWith(prefix));
  for (const name of own.reverse()) {
    const answer = await (await caches.open(name)).match(address);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
