/** A whole page of a kit game on a real server: lobby, choices, keys, HUD, picture, overlay. */
import { assertEquals, assertGreater } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import type { Session } from "../../../client/session/session.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import type { game } from "./game.ts";
import { yardPage } from "./page_source.ts";

type Sim = ReturnType<typeof game.start>;
type YardSession = Session<typeof game.command.neutral, Sim>;

const SERVER = new URL("server.ts", import.meta.url);

/** Reads the page's session in the page. */
function read<Result>(page: Page, select: (session: YardSession) => Result): Promise<Result> {
  return page.evaluate(`(${select})(globalThis.wyvern)`) as Promise<Result>;
}

async function join(page: Page, name: string, side: string): Promise<void> {
  await page.locator("label", { hasText: "Side" }).locator("select").selectOption(side);
  await page.fill("#name", name);
  await page.click("#play");
  await page.waitForFunction(() => {
    const session = (globalThis as unknown as { wyvern?: YardSession }).wyvern;
    return session?.phase === "playing" && session.isInSync &&
      session.simulation!.world.player(session.seat) !== undefined;
  });
}

browserTest(
  "kit page: choices, keys, teams, news and picture of a kit game between two pages",
  async (browser) => {
    const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
    try {
      await buildPage(yardPage, new URL("yard/", folder));
      await using server = await ServerProcess.startScript(SERVER, folder.href, "--npcs", "2");
      const ash = await browser.newPage();
      const wren = await browser.newPage();
      await ash.goto(`${server.url}?rtt=100#YARD`);
      assertEquals(await seriousFindings(ash), []);
      await shoot(ash, "kit_lobby.png");
      await ash.locator("label", { hasText: "Field" }).locator("select").selectOption("narrow");
      await join(ash, "Ash", "orange");
      await wren.goto(`${server.url}?rtt=60#YARD`);
      await join(wren, "Wren", "blue");

      const stateOf = (page: Page) =>
        read(page, ({ simulation, seat }) => {
          const { options, player } = simulation!.world;
          const { fields, x } = player.call(simulation!.world, seat)!;
          return { field: options.field, team: fields.team, kicks: fields.kicks, x };
        });
      const before = await stateOf(ash);
      assertEquals([before.field, before.team, (await stateOf(wren)).team], [
        "narrow",
        "orange",
        "blue",
      ]);
      await ash.bringToFront();
      await ash.keyboard.down("KeyD");
      for (let i = 0; i < 3; i++) await ash.keyboard.press("Space", { delay: 60 });
      await wren.waitForFunction(() => {
        const { world } = (globalThis as unknown as { wyvern: YardSession }).wyvern.simulation!;
        return world.all("drone").some(({ seat, fields }) => seat === 0 && fields.kicks === 3);
      });
      await ash.keyboard.up("KeyD");
      await ash.locator("#feed li", { hasText: "You kicked" }).first().waitFor();
      await wren.locator("#feed li", { hasText: "Ash kicked" }).first().waitFor();
      // On a busy machine Ash's own page can be behind Wren's for a moment.
      await ash.waitForFunction(() => {
        const { simulation, seat } = (globalThis as unknown as { wyvern: YardSession }).wyvern;
        return simulation!.world.all("drone").some((drone) =>
          drone.seat === seat && drone.fields.kicks === 3
        );
      });
      assertGreater((await stateOf(ash)).x, before.x + 0.5);

      assertEquals(await ash.locator(".team-name").allInnerTexts(), ["Blue", "Orange (you)"]);
      assertEquals(await wren.locator(".team-name").allInnerTexts(), ["Blue (you)", "Orange"]);
      await ash.locator("#scores .own .score", { hasText: /^3$/ }).waitFor();
      assertEquals(await ash.locator("#help").innerText(), "W A S D move · Space kick");
      assertEquals(await ash.locator("#timer").isVisible(), false);
      await shoot(ash, "kit_page.png");
      await ash.keyboard.press("F3");
      await ash.waitForSelector("#debug");
      for (const page of [ash, wren]) {
        assertEquals(
          await read(page, (session) => session.stats.desyncs),
          0,
        );
      }
      await ash.click("#open-menu");
      await ash.click("#leave");
      await ash.waitForSelector("#lobby:not([hidden])");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
