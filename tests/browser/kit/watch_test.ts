/** A spectator of a game whose camera follows a player. */
import { assertEquals, assertLess } from "@std/assert";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

interface PageGlobals {
  readonly wyvernScene?: KitFrame;
}

/** Waits for the frame in which the page follows another seat than this one. @returns the seat */
const followedAfter = (seat: number) => {
  const followed = (globalThis as unknown as PageGlobals).wyvernScene?.followed;
  return followed !== undefined && followed.seat !== seat && `seat ${followed.seat}`;
};

browserTest(
  "haul: a spectator follows a player, and switches by key, by button and by finger (SPEC 13.61)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "2", "--seed", "24");
    const player = await browser.newPage();
    await player.goto(`${server.url}haul/#SEEN`);
    await player.fill("#name", "Ash");
    await player.click("#play");
    await player.waitForFunction(() =>
      (globalThis as unknown as PageGlobals).wyvernScene?.own !== undefined
    );
    for (
      const [name, device] of Object.entries({
        desktop: { viewport: { width: 1280, height: 720 } },
        upright: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
        lying: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
      })
    ) {
      const page = await browser.newPage(device);
      await page.goto(`${server.url}haul/watch#SEEN`);
      const next = async (seat: number) =>
        Number((await (await page.waitForFunction(followedAfter, seat)).jsonValue() as string)
          .slice(5));
      assertEquals(await next(-1), 0);
      await page.locator("#watched span", { hasText: "Ash" }).waitFor();

      await page.keyboard.press("ArrowRight");
      assertEquals(await next(0), 16);
      await page.locator("#watched span", { hasText: "Bot 1" }).waitFor();
      const button = page.getByRole("button", { name: "Follow the player before" });
      await (name === "desktop" ? button.click() : button.tap());
      assertEquals(await next(16), 0);
      await page.locator("#watched span", { hasText: "Ash" }).waitFor();

      // Two buttons of a finger's size, in the window.
      const { x, y, width, height } = (await button.boundingBox())!;
      const { viewport } = device;
      assertLess(0, Math.min(x, y));
      assertLess(x + width, viewport.width);
      assertLess(y + height, viewport.height);
      if (name !== "desktop") assertLess(43, Math.min(width, height));
      await shoot(page, `haul_watcher_${name}.png`);
      await page.close();
    }
  },
);
