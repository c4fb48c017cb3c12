/**
 * The page of equal bits in Chromium: from a real server, and from a plain file server with the
 * other physics engines.
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { buildSameBits } from "../../client/build/build.ts";
import measured from "../../client/same_bits/measured.json" with { type: "json" };
import {
  LIBRARY_NAMES,
  type LibraryName,
  type MeasuredTable,
  summaryOf,
} from "../../client/same_bits/table.ts";
import type { Collection } from "../../shared/hash_reports.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { shoot } from "./shots.ts";

const TABLE: MeasuredTable = measured;
const HASH = summaryOf(TABLE, "wyvern").hashes[0]!.hash;

/** The scene takes seconds, and on a busy machine a minute, ms. */
const SCENE_MS_MAX = 300_000;

async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.textContent(selector) ?? "").trim();
}

function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  return errors;
}

Deno.test("same-bits: every measured engine has one hash, repeats it and rolls back to it (SPEC 21.1)", () => {
  const { hashes, repeats, rollsBack } = summaryOf(TABLE, "wyvern");
  assertEquals([hashes.length, repeats, rollsBack], [1, true, true]);
  const names = TABLE.engines.map(({ name }) => name);
  assertEquals(names, ["deno", "node", "chromium", "firefox", "jsc", "deno-arm64"]);
});

browserTest(
  "same-bits: a device gets the table's hash, copies it, and adds it to the server's table (SPEC 21.2, 21.4, 21.10)",
  async (browser) => {
    await using server = await ServerProcess.start("--collect-hashes");
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const errors = errorsOf(page);
    await page.goto(`${server.url}same-bits`);
    await page.waitForSelector("#verdict.equal", { timeout: SCENE_MS_MAX });
    assertEquals(await textOf(page, "#hash"), HASH);
    assertEquals(await textOf(page, "#rolled-back"), "the same bits");

    // As text
    await page.click("#copy");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assertMatch(copied, new RegExp(`^hash         ${HASH}$`, "m"));
    assertMatch(copied, /^browser {6}Chromium \d+$/m);

    // What the server has now, in the page and as JSON
    await page.waitForSelector("#collected tr");
    const { rows }: Collection = await (await fetch(`${server.url}same-bits/results`)).json();
    assertEquals(rows.map(({ hash, count }) => [hash, count]), [[HASH, 1]]);
    assertMatch(await textOf(page, "#collected"), new RegExp(`^Chromium \\d+.*${HASH}1$`));

    // Nothing is reported twice
    await page.click("#run");
    await page.waitForSelector("#run:disabled");
    await page.waitForSelector("#run:enabled", { timeout: SCENE_MS_MAX });
    const again: Collection = await (await fetch(`${server.url}same-bits/results`)).json();
    assertEquals(again.rows[0]!.count, 1);

    assertEquals(await seriousFindings(page), []);
    assertEquals(errors, []);
    await shoot(page, "same_bits.png");
    await page.setViewportSize({ width: 390, height: 844 });
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await shoot(page, "same_bits_phone.png");
  },
);

browserTest(
  "same-bits: from a file server, with the other engines; their bits are measured as they come (SPEC 21.3, 21.5)",
  async (browser) => {
    const files = new Map((await buildSameBits()).map(({ name, bytes }) => [`/${name}`, bytes]));
    const types: Readonly<Record<string, string>> = {
      html: "text/html",
      js: "text/javascript",
      css: "text/css",
      svg: "image/svg+xml",
    };
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      const { pathname } = new URL(request.url);
      const name = pathname === "/" ? "/index.html" : pathname;
      const bytes = files.get(name);
      if (bytes === undefined) return new Response("not found", { status: 404 });
      const type = types[name.slice(name.lastIndexOf(".") + 1)]!;
      return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
    });

    try {
      const page = await browser.newPage();
      const errors = errorsOf(page);
      await page.goto(`http://127.0.0.1:${server.addr.port}/`);
      await page.waitForSelector("#verdict.equal", { timeout: SCENE_MS_MAX });
      assertEquals(await textOf(page, "#hash"), HASH);
      for (const selector of ["#collected-section", "#play"]) {
        assertEquals(await page.isVisible(selector), false, selector);
      }

      await page.click("#run-libraries");
      await page.waitForSelector("#run-libraries:disabled");
      await page.waitForSelector("#run-libraries:enabled", { timeout: SCENE_MS_MAX });
      const here = (name: LibraryName) => textOf(page, `[data-library="${name}"] .here`);
      for (const name of LIBRARY_NAMES) {
        if (name === "wyvern") continue;
        assertMatch(await here(name), /^[0-9a-f]{8}, again the same bits$/, name);
      }
      // WebAssembly has no functions that engines round differently, and this build uses none.
      assertEquals((await here("rapier")).slice(0, 8), summaryOf(TABLE, "rapier").hashes[0]!.hash);
      assertEquals(errors, []);
      await shoot(page, "same_bits_libraries.png");
    } finally {
      await server.shutdown();
    }
  },
);

browserTest(
  "same-bits: a device with another bit is told so, and so is one where the scene does not run or not end (SPEC 21.6)",
  async (browser) => {
    await using server = await ServerProcess.start();
    const page = await browser.newPage();
    const other = { hash: "00000000", again: "00000000", rolledBack: "00000001", ms: 1 };
    const script = (body: string) =>
      page.route(
        "**/worker-*.js",
        (route) => route.fulfill({ contentType: "text/javascript", body }),
      );
    await script(`postMessage(${JSON.stringify({ kind: "done", measurement: other })})`);
    await page.goto(`${server.url}same-bits/`);
    await page.waitForSelector("#verdict.differs");
    assertMatch(await textOf(page, "#verdict"), new RegExp(`other bits than ${HASH}`));
    assertEquals(await textOf(page, "#rolled-back"), "other bits: 00000001");

    await script(`throw new Error("no floats today")`);
    await page.click("#run");
    await page.getByText("no floats today").waitFor();
    assertEquals(await page.isEnabled("#run"), true);

    // A run that does not end
    await script("for (;;);");
    await page.clock.install();
    await page.click("#run");
    await page.clock.fastForward(30_000);
    await page.getByText("the worker says nothing for 30 s").waitFor();
    assertEquals(await page.isEnabled("#run"), true);
  },
);
