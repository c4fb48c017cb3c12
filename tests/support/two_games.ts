/** A real server that hosts two games: the counter game and the dragon game. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPage } from "../../client/build/build.ts";
import { counterPage } from "../browser/counter/page_source.ts";
import { ServerProcess } from "./servers/server_process.ts";
import { builtPage } from "./built_page.ts";
import { copyOfFolder } from "./run_folder.ts";

const SCRIPT = new URL("../browser/counter/server.ts", import.meta.url);
const BUILT = new URL("../../client/dist/", import.meta.url);

/** With `await using` the server is stopped and its pages are removed at the end of the block. */
export class TwoGames implements AsyncDisposable {
  readonly #folder: URL;
  /** The server that runs now. */
  server: ServerProcess;

  private constructor(folder: URL, server: ServerProcess) {
    this.#folder = folder;
    this.server = server;
  }

  /** @param flags more flags of the server */
  static async open(...flags: string[]): Promise<TwoGames> {
    const folder = pathToFileURL(`${await Deno.makeTempDir({ prefix: "wyvern_" })}/`);
    await builtPage();
    await copyOfFolder("counter_page", {
      into: fileURLToPath(new URL("counter", folder)),
      fill: async (empty) => void await buildPage(counterPage, pathToFileURL(`${empty}/`)),
    });
    for (const name of ["dragons", "_list"]) {
      await copyFolder(new URL(`${name}/`, BUILT), new URL(`${name}/`, folder));
    }
    return new TwoGames(
      folder,
      await ServerProcess.startScript(SCRIPT, folder.href, "--games", "all", ...flags),
    );
  }

  get url(): string {
    return this.server.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop("SIGKILL");
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function copyFolder(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(new URL(name, from), new URL(name, to));
  }
}
