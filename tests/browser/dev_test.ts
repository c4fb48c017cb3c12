/** `deno task dev`: what a change does to open pages. */
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Page } from "playwright-core";
import { DevTask } from "../support/servers/dev_task.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";

/** An open page reloads when one of its files changes, and only then. */
async function seeReloads(task: DevTask, page: Page): Promise<void> {
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  await page.goto(`${task.url}#MINE`);
  await task.edit("server/ground/log.ts", (text) => `${text}\n// only the server's\n`);
  await task.waitFor("Wyvern listens on ");
  const reloadCheck = await page.waitForResponse((response) =>
    response.url() === task.url && response.ok()
  );
  await reloadCheck.finished();
  assertEquals(loads.length, 1);

  await task.edit(
    "client/index.html",
    (text) => text.replace("<h1>{{ heading }}</h1>", "<h1>Wyvern II</h1>"),
  );
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Wyvern II");
  await task.edit("client/style.css", (text) => `${text}\nh1 { outline: 1px solid red; }\n`);
  await page.waitForFunction(() =>
    getComputedStyle(document.querySelector("h1")!).outlineStyle === "solid"
  );

  // A page has its style before its "load" event.
  await page.waitForLoadState("load");
  assertEquals(loads.length, 3);
  assertStringIncludes(page.url(), "#MINE");
}

/** A change of the view reloads the page, and the match lives on with the same seat. */
async function seeMatchLiveOn(task: DevTask, page: Page): Promise<void> {
  const starts = () => [task.countOf("Wyvern listens on "), task.countOf("stopping")];
  const startsBefore = starts();
  await page.click("#play");
  await untilPlaying(page);
  const match = () => page.evaluate(() => ({ seat: wyvern!.seat, tick: wyvern!.definitiveTick }));
  const before = await match();
  await page.evaluate(() => document.title = "the old page");
  await task.edit(
    "client/games/dragons/view.ts",
    (text) => text.replace('"flap when you are ready"', '"flap!"'),
  );
  await page.waitForFunction(() => document.title !== "the old page");
  await untilPlaying(page);
  const after = await match();
  assertEquals(after.seat, before.seat);
  assertGreater(after.tick, before.tick);
  assertEquals(starts(), startsBefore);
}

/** An error of types stands on the page with its file and line, until it is mended. */
async function seeTypeError(task: DevTask, page: Page): Promise<void> {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await task.edit(
    "client/ui/dom.ts",
    (text) => `${text}\nexport const WRONG: number = "text";\n`,
  );
  const lines = (await Deno.readTextFile(`${task.folder}/client/ui/dom.ts`)).split("\n").length;
  const place = `client/ui/dom.ts:${
    lines - 1
  }:14 Type 'string' is not assignable to type 'number'.`;
  await page.waitForSelector("#source-problems");
  assertEquals(await page.innerText("#source-problems"), place);
  assert(said.includes(place), said.join("\n"));
  await task.edit("client/ui/dom.ts", (text) => text.replace(/\nexport const WRONG.*\n/, ""));
  await page.waitForSelector("#source-problems", { state: "detached" });

  await task.edit("client/ui/dom.ts", (text) => `${text}\nconst = 1;\n`);
  await page.waitForFunction(
    (line) => document.querySelector("#source-problems")?.textContent?.includes(line),
    `client/ui/dom.ts:${lines - 1}:7 Expected identifier but found "="`,
  );
}

browserTest(
  "dev: an open page reloads when its files change, and only then, its match lives on, and an error of types stands on it; SIGINT leaves nothing behind",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    await seeReloads(task, page);
    await seeMatchLiveOn(task, page);
    await seeTypeError(task, page);
    await task.assertEndsAt("SIGINT");
  },
);

browserTest(
  "dev: a rule that no rollback can repeat is named in the log, the console and the overlay (SPEC 1.20, 4.16)",
  async (browser) => {
    await using task = await DevTask.open();
    await task.waitFor("Wyvern listens on ");
    await task.edit(
      "shared/games/dragons/game.ts",
      (text) =>
        text.replace(
          "      tickRecharge(dragon);\n",
          "      dragon.fields.score = Math.floor(Math.random() * 99);\n$&",
        ),
    );
    await task.waitFor("game.ts has changed");
    await task.waitFor("Wyvern listens on ");
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${task.url}?debug#MINE`);
    await page.click("#play");
    await task.waitFor("contract_broken room=MINE");
    await task.waitFor("desync room=MINE");
    const rows = page.locator("#flight-rows li.fault");
    await rows.first().waitFor();
    const field = String.raw`tick \d+: entity \d+ dragon\.score is \d+`;
    await page.waitForFunction(() => {
      const { wyvernFaults = [] } = globalThis as { wyvernFaults?: { text: string }[] };
      return ["in the match", "on this page"].every((words) =>
        wyvernFaults.some(({ text }) => text.includes(words))
      );
    });
    assertMatch(
      errors.join("\n"),
      new RegExp(`Wyvern: ${field} in the match, but \\d+ after a rollback`),
    );
    assertMatch(
      errors.join("\n"),
      new RegExp(`Wyvern: ${field} on the server, but \\d+ on this page`),
    );
    assertMatch((await rows.allTextContents()).join("\n"), new RegExp(`contract${field}`));
  },
);
