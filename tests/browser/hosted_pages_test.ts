/**
 * A real server builds the pages of its hosted games, in a copy of the project that has none: what
 * a newcomer meets.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import { copyProject } from "../support/project_copy.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";

/** Far more than fit into the seconds that Brotli takes. */
const REQUESTS_MAX = 30_000;

/** How a file comes to a browser, and its bytes on the way. */
async function sent(url: string): Promise<readonly [encoding: string | null, bytes: number]> {
  const { headers, body } = await fetch(url, { headers: { "Accept-Encoding": "gzip, br" } });
  await body?.cancel();
  return [headers.get("content-encoding"), Number(headers.get("content-length"))];
}

browserTest(
  "serve --build: one game is built and played, Brotli follows, and other games are 404 (SPEC 14.51)",
  async (browser) => {
    const folder = await copyProject();
    try {
      const main = pathToFileURL(`${folder}/server/main.ts`);
      const flags = ["--build", "--games", "haul", "--requests-per-address", "1000000/1000000"];
      await using server = await ServerProcess.startScript(main, ...flags);
      assertMatch(server.stdout, /^Built the pages of haul\nWyvern listens on /);
      const built = `${folder}/client/dist`;
      const folders = await Array.fromAsync(Deno.readDir(built), ({ name }) => name);
      assertEquals(folders.sort(), ["_same_bits", "haul"]);

      // Its page is played
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(server.url);
      await page.getByRole("button", { name: "Play now" }).click();
      await page.waitForFunction(() => {
        const { wyvern } = globalThis as unknown as { wyvern?: { definitiveTick: number } };
        return (wyvern?.definitiveTick ?? 0) > 10;
      });
      assertEquals(errors, []);

      // Another game is not there
      for (const path of ["dragons/", "dragons/play"]) {
        const answer = await fetch(server.url + path);
        assertEquals([answer.status, await answer.text()], [404, "There is no such page.\n"], path);
      }

      // Brotli comes without a restart
      const [script] = (await (await fetch(server.url)).text()).match(/main-[0-9A-Z]{8}\.js/)!;
      let answer = await sent(server.url + script);
      for (let i = 0; answer[0] === "gzip" && i < REQUESTS_MAX; i++) {
        answer = await sent(server.url + script);
      }
      assertEquals(answer, ["br", (await Deno.stat(`${built}/haul/${script}.br`)).size]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
