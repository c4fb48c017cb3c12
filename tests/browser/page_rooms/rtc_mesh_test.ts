/** The connections between the pages of a room, in a real browser. */
import { assertEquals } from "@std/assert";
import { browserTest } from "../chromium.ts";
import { OtherSite } from "../own_page/site.ts";
import type { Meshes } from "./meshes/main.ts";

declare global {
  var meshes: Meshes | undefined;
}

browserTest(
  "RtcMesh: a page that looks for another one, although the two are connected, breaks no connection (SPEC 23.16)",
  async (browser) => {
    await using site = await OtherSite.of(new URL("./meshes/", import.meta.url));
    const page = await (await browser.newContext()).newPage();
    await page.goto(site.origin);
    await page.waitForFunction(() => (globalThis.meshes?.heard ?? 0) > 4);

    // As a host does that hears at the server of another one
    const answer = await page.evaluate(async () =>
      await meshes!.first.take(await meshes!.second.introduce())
    );
    assertEquals(answer, undefined);
    const heard = await page.evaluate(() => meshes!.heard);
    await page.waitForFunction((heard) => meshes!.heard > heard + 8, heard);
    assertEquals(await page.evaluate(() => meshes!.happened), ["connected"]);
  },
  { connectsPages: true },
);
