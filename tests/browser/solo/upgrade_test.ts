/** What a browser keeps of a page, over many builds of its server. */
import { assertEquals } from "@std/assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { freePort } from "../../support/servers/public_server.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilKept } from "./kept.ts";

const BUILT = new URL("../../../client/dist/puck/", import.meta.url);
/** Ten passed; each takes some seconds. */
const UPGRADES = 4;

/** The globals that the builds of this test set. */
interface BuildPage {
  readonly build?: number;
}

/** A folder with builds of Puck's page that differ in one number alone. */
class Builds {
  readonly folder = pathToFileURL(`${Deno.makeTempDirSync({ prefix: "wyvern_" })}/`);
  readonly #into = new URL("puck/", this.folder);

  /** Writes build `number` over the one before. */
  write(number: number): void {
    Deno.removeSync(this.folder, { recursive: true });
    Deno.mkdirSync(this.#into, { recursive: true });
    for (const { name } of Deno.readDirSync(BUILT)) {
      if (/\.(br|gz|part)$/.test(name)) continue;
      Deno.copyFileSync(new URL(name, BUILT), new URL(name, this.#into));
    }

    // The script's name and the worker's version follow from the content
    const hash = hashOf(number);
    const main = /"(main-[A-Z0-9]{8}\.js)"/.exec(this.#read("index.html"))![1]!;
    const renamed = `main-${hash}.js`;
    this.#write(renamed, `globalThis.build = ${number};\n${this.#read(main)}`);
    for (const name of ["index.html", "offline_worker.js"]) {
      this.#write(name, this.#read(name).replaceAll(main, renamed));
    }
    const worker = this.#read("offline_worker.js");
    this.#write("offline_worker.js", worker.replace(/version:"\w+"/, `version:"${hash}"`));
  }

  #read(name: string): string {
    return Deno.readTextFileSync(new URL(name, this.#into));
  }

  #write(name: string, text: string): void {
    Deno.writeTextFileSync(new URL(name, this.#into), text);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(fileURLToPath(this.folder), { recursive: true });
  }
}

/** A content hash as a build would name it. */
const hashOf = (build: number) => `BUILD${String(build).padStart(3, "0")}`;

const buildOf = (page: Page) => page.evaluate(() => (globalThis as BuildPage).build);

browserTest(
  "page: after each upgrade it is the server's, and without a network the newest (SPEC 22.3, 22.4)",
  async (browser) => {
    using builds = new Builds();
    const port = freePort();
    const serve = () =>
      ServerProcess.startScript(
        new URL("server.ts", import.meta.url),
        builds.folder.href,
        ...["--port", `${port}`, "--data", "off", "--grace", "0"],
      );
    const context = await browser.newContext({ serviceWorkers: "allow" });
    const page = await context.newPage();
    const url = `http://127.0.0.1:${port}`;

    for (let build = 1; build <= UPGRADES; build++) {
      builds.write(build);
      await using server = await serve();

      // With the server, the page is the server's at once
      await page.goto(url);
      assertEquals(await buildOf(page), build);

      // Once it is kept, it is there without the server, and with a server that only fails
      await untilKept(page, hashOf(build));
      await server.stop("SIGKILL");
      await page.reload();
      assertEquals(await buildOf(page), build);
      assertEquals(await page.evaluate(async () => (await caches.keys()).length <= 2), true);
    }

    // The newest one plays
    await page.click("#practise");
    await page.waitForFunction(() => {
      const { wyvern } = globalThis as unknown as { wyvern?: { definitiveTick: number } };
      return (wyvern?.definitiveTick ?? 0) > 20;
    });

    {
      await using _ = failingServer(port);
      await page.reload();
      assertEquals(await buildOf(page), UPGRADES);
    }
    await context.close();
  },
);

/** Answers as a proxy does whose server is away. */
function failingServer(port: number): Deno.HttpServer {
  return Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    () => new Response("bad gateway", { status: 502 }),
  );
}
