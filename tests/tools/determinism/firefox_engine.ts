/**
 * Firefox as an engine. A local server delivers the page and the requests to run, and receives the
 * replies. The page polls: it always keeps one HTTP request for work open, so a new run starts at
 * once.
 */
import { Firefox } from "../../browser/firefox.ts";
import type { Engine } from "./engine.ts";
import type { Request as Work } from "./runner.ts";
import { withTimeout } from "./with_timeout.ts";

/** A cold start on a machine under load, ms. */
const START_MS_MAX = 60_000;

const PAGE =
  `<!doctype html><meta charset="utf-8"><title>Wyvern</title><script type="module" src="/script.js"></script>`;

type Answer = { readonly reply: unknown } | { readonly error: string };

/**
 * The server's routes, and the request in progress. It serves one page, and one request at a time.
 */
class WorkQueue {
  readonly #script: string;
  /** Resolves when the page polls, with a function that answers the poll. */
  #pageReady = Promise.withResolvers<(request: Work) => void>();
  #answer = Promise.withResolvers<Answer>();

  constructor(script: string) {
    this.#script = script;
  }

  /** Resolves when the page polls for work. */
  async ready(): Promise<void> {
    await this.#pageReady.promise;
  }

  async submit(request: Work): Promise<Answer> {
    const deliver = await this.#pageReady.promise;
    this.#pageReady = Promise.withResolvers();
    this.#answer = Promise.withResolvers();
    deliver(request);
    return await this.#answer.promise;
  }

  async serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
    if (pathname === "/script.js") {
      return new Response(this.#script, { headers: { "content-type": "text/javascript" } });
    }
    if (pathname === "/next") {
      const work = Promise.withResolvers<Work>();
      this.#pageReady.resolve(work.resolve);
      return Response.json(await work.promise);
    }
    if (pathname === "/answer") {
      this.#answer.resolve(await request.json());
      return new Response();
    }
    return new Response(null, { status: 404 });
  }
}

/**
 * @param script the page's bundled script
 * @param runMsMax time limit of one run
 * @throws Error if Firefox does not start in time
 */
export async function startFirefoxEngine(script: string, runMsMax: number): Promise<Engine> {
  const queue = new WorkQueue(script);
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen: () => {} },
    (request) => queue.serve(request),
  );
  const firefox = await Firefox.open(`http://127.0.0.1:${server.addr.port}/`);
  const gone = firefox.ended.then(({ code }) => {
    throw new Error(`firefox ended with code ${code}`);
  });
  gone.catch(() => {}); // the race in `run` reports it
  const close = async () => {
    await firefox.close();
    closing.abort();
    await server.finished;
  };

  try {
    await withTimeout(START_MS_MAX, "firefox", Promise.race([queue.ready(), gone]));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    name: "firefox",
    async run(request) {
      const answer = await withTimeout(
        runMsMax,
        "firefox",
        Promise.race([queue.submit(request), gone]),
      );
      if ("error" in answer) throw new Error(`firefox: ${answer.error}`);
      return answer.reply as never;
    },
    close,
  };
}
