/** `wyvern dev` in a newcomer's project: what a page in Chromium shows after each save. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import { launchChromium } from "../../../browser/chromium.ts";
import { programTest } from "../../../support/programs.ts";
import { freePort } from "../../../support/servers/public_server.ts";
import { createProject, type PlayedPage, playingPage, withArchives } from "./created_project.ts";
import { LINE_MS_MAX, OwnServer } from "./own_server.ts";

const RULES = "games/hop/game.ts";
const VIEW = "games/hop/view.ts";
/** A page waits for the same builds and checks as a line of the output. */
const PATIENCE = { timeout: LINE_MS_MAX };
const THROWING = '    if (world.tick > 40) throw new RangeError("no wings");\n';

/** Rewrites a file of the project as an editor does. */
async function edit(
  project: string,
  path: string,
  change: (text: string) => string,
): Promise<void> {
  const text = await Deno.readTextFile(`${project}/${path}`);
  const changed = change(text);
  assert(changed !== text, `${path} is as before`);
  await Deno.writeTextFile(`${project}/${path}`, changed);
}

/** Starts the command under Node. The port is a fixed one, so that pages find the next server. */
function startDev(project: string): Promise<OwnServer> {
  const flags = ["--port", `${freePort()}`, "--tick-load", "100"];
  return OwnServer.run(
    new Deno.Command("node", {
      args: ["node_modules/wyvern/dist/command.js", "dev", ...flags],
      cwd: project,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }),
  );
}

function matchOn(page: Page): Promise<{ seat: number; definitiveTick: number }> {
  return page.evaluate(() => {
    const { seat, definitiveTick } = (globalThis as unknown as PlayedPage).wyvern!;
    return { seat, definitiveTick };
  });
}

/** Waits until the page shows a problem with all of these words. */
async function untilShown(page: Page, ...words: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (words) => {
      const shown = document.querySelector("#source-problems")?.textContent ?? "";
      return words.every((word) => shown.includes(word));
    },
    words,
    PATIENCE,
  );
}

async function untilMended(page: Page): Promise<void> {
  await page.waitForSelector("#source-problems", { state: "detached", ...PATIENCE });
}

programTest(
  "wyvern dev: a view reloads the page, other rules restart the server, a comment leaves it alone; what does not check, build or run stands on the page with file and line until it is mended (SPEC 19.36, 19.37)",
  {
    programs: ["node", "npm", "chromium"],
    run: () =>
      withArchives(async (folder) => {
        const { project } = await createProject(folder, "hop");
        await using server = await startDev(project);
        const browser = await launchChromium();
        try {
          const page = await playingPage(browser, server.url, "Play now");
          const before = await matchOn(page);

          // Another view: the page reloads, and its match goes on
          await edit(
            project,
            VIEW,
            (text) => `${text}\nObject.assign(globalThis, { view: "another" });\n`,
          );
          await page.waitForFunction(
            (tick) => {
              const { view, wyvern } = globalThis as unknown as PlayedPage & { view?: string };
              return view === "another" && (wyvern?.definitiveTick ?? 0) > tick;
            },
            before.definitiveTick,
            PATIENCE,
          );
          const after = await matchOn(page);
          assert(!server.output.includes("stopping"), "another view restarts the server");
          assertEquals(after.seat, before.seat);
          assertGreater(after.definitiveTick, before.definitiveTick);

          // A comment in the rules
          await server.waitFor(/dev: the pages are new; the server plays on/);
          await edit(project, RULES, (text) => `${text}// a comment\n`);
          await server.waitFor(/dev: the pages are new; the server plays on/);
          assert(!server.output.includes("stopping"), server.output);

          // A mistake of types, then one of syntax
          await edit(project, VIEW, (text) => `const WRONG: number = "";\n${text}`);
          await untilShown(page, `${VIEW}:1:7 Type 'string' is not assignable to type 'number'.`);
          await edit(project, VIEW, (text) => text.replace(/^.*\n/, "const = 1;\n"));
          await untilShown(page, `${VIEW}:1:7 Expected identifier but found "="`);
          await edit(project, VIEW, (text) => text.replace(/^.*\n/, ""));
          await untilMended(page);
          assert(!server.output.includes("stopping"), server.output);

          // Other rules, which throw
          await edit(project, RULES, (text) =>
            text.replace(/^ {2}drive\(.*\n/m, (line) =>
              line + THROWING));
          const rules = await Deno.readTextFile(`${project}/${RULES}`);
          const line = rules.slice(0, rules.indexOf("no wings")).split("\n").length;
          await server.waitFor(/stopping signal=SIGTERM/);
          await server.waitFor(/Wyvern listens on /);
          await page.goto(server.url);
          await page.getByRole("button", { name: "Play now" }).click();
          await untilShown(page, `${RULES}:${line}:`, "a match ended: no wings");
          await edit(project, RULES, (text) =>
            text.replace(THROWING, ""));
          await untilMended(page);
        } catch (error) {
          throw new Error(`the server has said:\n${server.output}`, { cause: error });
        } finally {
          await browser.close();
        }
        assertEquals(await server.stop(), 0);
      }),
  },
);
