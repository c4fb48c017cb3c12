/**
 * `serve --check-planck`: on a real server and page, the overlay shows planck beside the stage. planck
 * is in the worker of such a page, and in nothing else.
 */
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import { buildPage } from "../../../client/build/build.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import "../pages/page_globals.ts";
import { shoot } from "../shots.ts";
import { fallPage } from "./page_source.ts";

const SERVER = new URL("server.ts", import.meta.url);

/** Words of planck's source that no bundler renames, and that the stage does not have. */
const PLANCKS = /maxTranslationSquared|m_localXAxisA/;

/** The pages of the falling crates in a folder that is removed after use. */
async function withPages(
  options: { checksPlanck: boolean },
  use: (folder: URL, files: Awaited<ReturnType<typeof buildPage>>) => Promise<void>,
): Promise<void> {
  const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
  try {
    await use(folder, await buildPage(fallPage, new URL("fall/", folder), options));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** How a server ends that does not listen. */
async function refusalOf(folder: URL, ...flags: string[]): Promise<string> {
  try {
    await using _server = await ServerProcess.startScript(SERVER, folder.href, ...flags);
  } catch (error) {
    return String(error);
  }
  return "it listens";
}

browserTest(
  "check-planck: the overlay draws planck's bodies, and has a figure after 100 ticks (SPEC 9.90, 9.91)",
  async (browser) => {
    await withPages({ checksPlanck: true }, async (folder, files) => {
      // planck is in the worker alone (SPEC 9.91).
      const scripts = files.filter(({ name }) => name.endsWith(".js"));
      const withPlanck = scripts.filter(({ bytes }) =>
        PLANCKS.test(new TextDecoder().decode(bytes))
      );
      assertEquals(withPlanck.map(({ name }) => name.split("-")[0]), ["planck_worker"]);
      assertMatch(
        await refusalOf(folder),
        /code 2:\nwyvern: the pages in client\/dist are built for --check-planck; .*\n$/,
      );

      await using server = await ServerProcess.startScript(
        SERVER,
        folder.href,
        "--check-planck",
        "--seed",
        "7",
        "--npcs",
        "0",
      );
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      const lines: string[] = [];
      const faults: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => lines.push(message.text()));
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      await page.goto(`${server.url}#FALL`);
      await page.click("#play");
      await page.waitForFunction(() => {
        const session = globalThis.wyvern;
        return session?.phase === "playing" && session.isInSync;
      });
      assert(!requests.some((path) => path.includes("planck")), "it is not loaded for play");

      // The overlay is open from the first crates on.
      await page.keyboard.press("F3");
      const words = page.locator("#debug-planck");
      await page.waitForFunction(() =>
        Number(document.querySelector<HTMLElement>("#debug")?.dataset.planck) >= 4
      );
      await page.waitForFunction(() =>
        document.querySelector<HTMLElement>("#debug-planck")!.dataset.period !== undefined
      );
      // The pile is never the same as planck's for long.
      await page.waitForFunction(() =>
        Number(document.querySelector<HTMLElement>("#debug-planck")!.dataset.farthest) > 0.1
      );
      await shoot(page, "planck.png");

      const { period, periodFarthest } = await words.evaluate(({ dataset }) => ({ ...dataset }));
      assertGreater(Number(period), 99);
      assertLess(Number(periodFarthest), 10);
      assertMatch(
        await words.innerText(),
        /planck since \d+ ticks: \d+ bodies, farthest [\d.]+ cm · planck after 100 ticks/,
      );
      const told = lines.filter((line) => line.startsWith("Wyvern: planck after 100 ticks (tick "));
      assertGreater(told.length, 0);
      console.log(`    ${told.at(-1)}`);
      assertEquals(await seriousFindings(page, { isMeasurable: false }), []);

      // The outlines go, and with the overlay the worker.
      await page.click("#show-planck");
      await page.waitForFunction(() =>
        document.querySelector<HTMLElement>("#debug")!.dataset.planck === "0"
      );
      assertEquals(page.workers().length, 3);
      await page.click("#debug-close");
      await page.waitForFunction(() => document.querySelector("#debug") === null);
      assertEquals(faults, []);
    });
  },
);

Deno.test("check-planck: a server with the flag refuses pages that are built without it (SPEC 9.91)", async () => {
  await withPages({ checksPlanck: false }, async (folder, files) => {
    assert(!files.some(({ name }) => name.startsWith("planck_worker")));
    assertMatch(
      await refusalOf(folder, "--check-planck"),
      /code 2:\nwyvern: --check-planck needs pages that are built with it, .*\n$/,
    );
  });
});
