/** Another site than the game's server, with a page of a folder: http://localhost:PORT/. */
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { LIBRARY_FILES } from "../../../client/build/libraries.ts";
import { styleTexts } from "../../../client/build/style_texts.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
};

export class OtherSite implements AsyncDisposable {
  readonly #http: Deno.HttpServer<Deno.NetAddr>;

  private constructor(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
    const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
    this.#http = Deno.serve(options, ({ url }) => {
      const path = new URL(url).pathname.slice(1) || "index.html";
      const file = files.get(path);
      if (file === undefined) return new Response("none", { status: 404 });
      const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
      return new Response(file, { headers: { "Content-Type": type } });
    });
  }

  /**
   * Bundles a page as its author would, from this tree's libraries.
   * @param folder has `index.html`, and modules that are the page's scripts
   */
  static async of(folder: URL): Promise<OtherSite> {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    const scripts = entries.map(({ name }) => name).filter((name) => name.endsWith(".ts"));
    const { outputFiles } = await esbuild.build({
      entryPoints: scripts.map((name) => fileURLToPath(new URL(name, folder))),
      bundle: true,
      write: false,
      format: "esm",
      splitting: true,
      minify: true,
      alias: LIBRARY_FILES,
      plugins: [styleTexts],
      outdir: fileURLToPath(folder),
    });
    await esbuild.stop();
    const files = new Map(outputFiles.map(({ path, contents }) => [
      path.slice(fileURLToPath(folder).length),
      new Uint8Array(contents),
    ]));
    files.set("index.html", await Deno.readFile(new URL("index.html", folder)));
    return new OtherSite(files);
  }

  get origin(): string {
    return `http://localhost:${this.#http.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.shutdown();
  }
}
