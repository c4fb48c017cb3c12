/**
 * The page of the testbed as files in memory, and the server that offers them to this machine
 * alone.
 */
import { fileURLToPath } from "node:url";
import { bundle } from "../../../client/build/build.ts";

const PAGE = new URL("page/", import.meta.url);
const ICON = new URL("../../../client/games/dragons/icon.svg", import.meta.url);

interface File {
  readonly body: string;
  readonly type: string;
}

/** Bundles the page. @throws Error with esbuild's message if that fails */
async function filesOf(): Promise<ReadonlyMap<string, File>> {
  return new Map<string, File>([
    ["/", {
      body: await Deno.readTextFile(new URL("index.html", PAGE)),
      type: "text/html; charset=utf-8",
    }],
    ["/style.css", {
      body: await Deno.readTextFile(new URL("style.css", PAGE)),
      type: "text/css; charset=utf-8",
    }],
    ["/icon.svg", { body: await Deno.readTextFile(ICON), type: "image/svg+xml" }],
    ["/main.js", {
      body: await bundle(fileURLToPath(new URL("main.ts", PAGE))),
      type: "text/javascript; charset=utf-8",
    }],
  ]);
}

/** A running server of the page. */
export interface Site extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string;
  /** Fulfilled when the server has ended. */
  readonly finished: Promise<void>;
}

/**
 * Bundles the page and serves it on 127.0.0.1.
 * @param port 0 for a free one
 * @throws Deno.errors.AddrInUse if something else listens there
 */
export async function serveSite(port: number): Promise<Site> {
  const files = await filesOf();
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, ({ url }) => {
    const file = files.get(new URL(url).pathname);
    if (file === undefined) return new Response("There is no such file.", { status: 404 });
    return new Response(file.body, {
      headers: { "content-type": file.type, "cache-control": "no-store" },
    });
  });
  const { port: actual } = server.addr as Deno.NetAddr;
  return {
    url: `http://127.0.0.1:${actual}/`,
    finished: server.finished,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
