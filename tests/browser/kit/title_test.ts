/** The match behind the lobby on real pages: in a worker, and with a rule that never ends. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import { dirname } from "node:path";
import type { Browser, Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import { copyOfFolder } from "../../support/run_folder.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { yardPage } from "./page_source.ts";

const SERVER = new URL("looping_server.ts", import.meta.url);
const GAME = new URL("looping_game.ts", import.meta.url);
const LOOPING = { game: GAME, replayGame: GAME, view: new URL("looping_view.ts", import.meta.url) };

/** Opens the lobby of a page of the looping game, for as long as `look` lasts. */
async function inLobby(
  browser: Browser,
  { isDevelopment, look }: {
    isDevelopment: boolean;
    look: (page: Page, errors: readonly string[]) => Promise<void>;
  },
): Promise<void> {
  const folder = `${await Deno.makeTempDir()}/pages`;
  try {
    await copyOfFolder(`looping_pages${isDevelopment ? "_dev" : ""}`, {
      into: folder,
      fill: async (empty) => {
        const yard = new URL("yard/", pathToFileURL(`${empty}/`));
        await buildPage({ ...yardPage, ...LOOPING }, yard, { isDevelopment });
      },
    });
    const { href } = pathToFileURL(`${folder}/`);
    await using process = await ServerProcess.startScript(SERVER, href, "--data", "off");
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(process.url);
    await look(page, errors);
  } finally {
    await Deno.remove(dirname(folder), { recursive: true });
  }
}

browserTest(
  "title match: a rule that never ends stops the animation, not the lobby, and the console says so (SPEC 13.111)",
  async (browser) => {
    await inLobby(browser, {
      isDevelopment: false,
      async look(page, errors) {
        const began = Date.now();
        const error = await page.waitForEvent("pageerror");
        console.log(`  the page says so after ${(Date.now() - began) / 1000} s`);
        assertEquals(
          error.message,
          "the match behind the lobby has ended: a tick takes longer than 3 s",
        );
        await page.fill("#name", "Wren");
        assertEquals(await page.inputValue("#name"), "Wren");
        assertEquals(errors.length, 1);
      },
    });
  },
);

browserTest(
  "built page: a rule that never ends ends the match, and the player reads so (SPEC 13.141)",
  async (browser) => {
    await inLobby(browser, {
      isDevelopment: false,
      async look(page, errors) {
        await page.click("#play");
        const began = Date.now();
        await page.getByText("This match is over: a rule of the game does not end.").waitFor({
          timeout: 60_000,
        });
        console.log(`  the player reads so after ${(Date.now() - began) / 1000} s`);
        assert(errors.includes("a loop has not ended after 5 s"), errors.join("\n"));

        // The lobby works.
        await page.fill("#name", "Wren");
        assertEquals(await page.inputValue("#name"), "Wren");
      },
    });
  },
);

browserTest(
  "dev: a rule that never ends stands on the page with its file and line, and the page goes on (SPEC 13.112)",
  async (browser) => {
    const lines = (await Deno.readTextFile(GAME)).split("\n");
    const line = 1 + lines.findIndex((text) => text.includes("// never ends"));
    await inLobby(browser, {
      isDevelopment: true,
      async look(page) {
        const began = Date.now();
        await page.waitForSelector("#source-problems");
        console.log(`  the page says so after ${(Date.now() - began) / 1000} s`);
        assertMatch(
          await page.innerText("#source-problems"),
          new RegExp(
            `^tests/browser/kit/looping_game.ts:${line}:\\d+ .*the match behind the lobby has ended: ` +
              "a loop has not ended after 1 s$",
          ),
        );
        await page.fill("#name", "Wren");

        // In a match the page's own prediction meets the loop.
        await page.click("#play");
        await page.waitForFunction(() =>
          /not ended after 1 s\n.*not ended after 1 s/.test(
            document.querySelector("#source-problems")!.textContent!,
          )
        );
        assertEquals(
          await page.evaluate(() => document.body.dataset.looping),
          "its view was loaded",
        );
      },
    });
  },
);
