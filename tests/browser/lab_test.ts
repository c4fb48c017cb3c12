/**
 * The lab in a real browser, as a server sends it and as static files alone. The machine may be far
 * too slow to play it at its speed, so tests step most of a run themselves.
 */
import { assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { LabPage } from "../../client/lab/page/lab_page.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";

interface LabGlobals {
  readonly wyvernLab: LabPage;
}

/** How long one call steps the run at most, ms, so that the page stays responsive. */
const SLICE_MS = 500;

/** Steps the page's run until `seconds` of virtual time. */
async function playTo(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction(() => "wyvernLab" in globalThis);
  const step = () =>
    page.evaluate(([untilMs, sliceMs]) => {
      const { run } = (globalThis as unknown as LabGlobals).wyvernLab;
      const began = performance.now();
      while (run.nowMs < untilMs! && performance.now() - began < sliceMs!) run.step();
      return run.nowMs < untilMs!;
    }, [seconds * 1000, SLICE_MS]);
  while (await step());
}

/** The text of a figure below a side, as a number. */
async function figure(page: Page, side: number, name: string): Promise<number> {
  const locator = page.locator(`[data-side="${side}"] .${name} b`);
  await page.waitForFunction(
    ([side, name]) =>
      /\d/.test(document.querySelector(`[data-side="${side}"] .${name} b`)!.textContent!),
    [side, name] as const,
  );
  return parseFloat(await locator.textContent() ?? "");
}

/** A page that collects its errors. */
async function open(
  browser: Parameters<Parameters<typeof browserTest>[1]>[0],
  url: string,
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  return { page, errors };
}

browserTest(
  "lab: the server sends the page, and its pop-meters fall from an echo over one's own body to what our games do (SPEC 20.3, 20.6, 20.7)",
  async (browser) => {
    await using server = await ServerProcess.start();
    const { page, errors } = await open(browser, `${server.url}lab#left=echo&right=own-body`);
    assertEquals(new URL(page.url()).pathname, "/lab/");

    // By itself it skips how players join, and plays on
    await page.waitForFunction(() =>
      (globalThis as unknown as Partial<LabGlobals>).wyvernLab!.run.nowMs > 5_000
    );
    await playTo(page, 10);
    const echo = await figure(page, 0, "pops");
    const ownBody = await figure(page, 1, "pops");
    assertGreater(echo, ownBody);

    // Another technique on the right plays the same match
    await page.selectOption(`[data-side="1"] select`, "early");
    await playTo(page, 10);
    assertLess(await figure(page, 1, "pops"), ownBody);
    assertMatch(page.url(), /left=echo&right=early/);

    // The visitor plays with keys
    await page.click("#play");
    await page.keyboard.down("ArrowRight");
    await playTo(page, 12);
    const command = await page.evaluate(() => {
      const [player] = (globalThis as unknown as LabGlobals).wyvernLab.run.players;
      return player!.commandAt(player!.session.head);
    });
    assertEquals(command["dir"], 1);
    assertEquals(errors, []);
  },
);

browserTest(
  "lab: a click breaks a bit, chips go red, the number is named, and chips are green again (SPEC 20.4)",
  async (browser) => {
    await using server = await ServerProcess.start();
    const { page, errors } = await open(browser, `${server.url}lab/#loss=0&jitter=0`);
    await playTo(page, 5);
    await page.click("#break");
    await playTo(page, 7);
    const verdicts = await page.evaluate(() => {
      const { history } = (globalThis as unknown as LabGlobals).wyvernLab.run;
      return history.verdicts.filter(({ side }) => side === 1).map(({ verdict }) => verdict);
    });
    const first = verdicts.indexOf("differs");
    assertGreater(first, 0);
    assertEquals(verdicts.at(-1), "proven");

    // The page says which number it was
    await page.waitForSelector("#difference", { state: "visible" });
    await page.waitForFunction(() =>
      /agree again/.test(document.querySelector("#difference")!.textContent!)
    );
    const text = await page.textContent("#difference");
    assertMatch(text!, /^Tick \d+, entity \d+ dragon x: \S+ \(0x\w{8}\) here, /);
    assertMatch(page.url(), /acts=\d+b$/);
    assertEquals(errors, []);
  },
);

browserTest(
  "lab: it runs from static files, fits a phone, freezes, looks back and reproduces a run (SPEC 20.1, 20.6, 20.7)",
  async (browser) => {
    await using _built = await ServerProcess.start(); // which builds the pages
    const folder = new URL("../../client/dist/_lab/", import.meta.url);
    const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };
    await using files = Deno.serve({ port: 0, onListen() {} }, async (request) => {
      const name = new URL(request.url).pathname.slice("/some/folder/".length) || "index.html";
      const type = types[name.split(".").at(-1)!] ?? "text/html";
      return new Response(await Deno.readFile(new URL(name, folder)), {
        headers: { "Content-Type": name.endsWith(".svg") ? "image/svg+xml" : type },
      });
    });
    const home = `http://127.0.0.1:${files.addr.port}/some/folder/`;

    const { page, errors } = await open(browser, `${home}#scene=puck&rtt=120&acts=4500d500`);
    await page.setViewportSize({ width: 390, height: 844 });
    await playTo(page, 7);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    assertEquals(await seriousFindings(page), []);

    // Frozen, the picture stands, and looking back moves it
    await page.click("#freeze");
    const shown = () =>
      page.evaluate(() => (globalThis as unknown as LabGlobals).wyvernLab.shownMs);
    const frozen = await shown();
    await page.click("#back");
    await page.click("#back");
    assertEquals(Math.round(frozen - await shown()), 100);
    await page.locator("#scrub").fill("0");
    assertGreater(frozen - await shown(), 3000);

    // The same address gives the same run, in another page
    const hashOf = (page: Page) =>
      page.evaluate(() => {
        const { truth } = (globalThis as unknown as LabGlobals).wyvernLab.run.server;
        return truth.ranAt(100)!.hash;
      });
    const again = await open(browser, page.url());
    await playTo(again.page, 7);
    assertEquals(await hashOf(again.page), await hashOf(page));
    assertEquals([...errors, ...again.errors], []);
  },
);
