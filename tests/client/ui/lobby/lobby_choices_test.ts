import { assertEquals } from "@std/assert";
import { inWords, parseChoices } from "../../../../client/ui/lobby/lobby_choices.ts";
import { seriousFindings } from "../../../browser/axe.ts";
import { browserTest } from "../../../browser/chromium.ts";
import { shoot } from "../../../browser/shots.ts";
import { layoutFaultsOf } from "../layout_faults.ts";
import { openWords } from "../words.ts";

const CHOICES = [{ name: "team", words: ["auto", "blue"] }, { name: "map", words: ["oval"] }];

Deno.test("parseChoices: keeps stored words that are offered, and takes the first for all else", () => {
  assertEquals(parseChoices(null, CHOICES), { team: "auto", map: "oval" });
  assertEquals(parseChoices(`{"team":"blue","map":"moon","more":1}`, CHOICES), {
    team: "blue",
    map: "oval",
  });
  for (const text of ["", "null", "[]", "7", `{"team":["blue"]}`, "{"]) {
    assertEquals(parseChoices(text, CHOICES), { team: "auto", map: "oval" }, text);
  }
});

Deno.test("inWords: names of declarations as people read them", () => {
  assertEquals(["team", "blueTeam", "blue_team", "3"].map(inWords), [
    "Team",
    "Blue team",
    "Blue team",
    "3",
  ]);
});

browserTest(
  "Lobby: choices to join and of a room are lists, go with the entry, and stay (SPEC 13.45)",
  async (browser) => {
    const page = await openWords(browser, { hasParts: true });
    await page.route("**/api/**", (route) => route.fulfill({ json: [] }));
    assertEquals(await page.evaluate(() => joinChoice), { team: "auto" });
    await page.locator("label", { hasText: "Team" }).locator("select").selectOption("Orange");
    await page.locator("label", { hasText: "Map" }).locator("select").selectOption("Cross roads");
    assertEquals(await page.evaluate(() => joinChoice), { team: "orange" });
    assertEquals(await seriousFindings(page), []);
    for (const [width, height] of [[1280, 800], [844, 390], [390, 844]] as const) {
      await page.setViewportSize({ width, height });
      assertEquals(await layoutFaultsOf(page, { hasTouch: false }), [], `${width}×${height}`);
      await shoot(page, `choices_${width}x${height}.png`);
    }

    const entry = page.evaluate(() => new Promise((resolve) => lobby.onEnter(resolve)));
    await page.click("#create");
    assertEquals(((await entry) as { choices: unknown }).choices, [1, 0]);
    await page.reload();
    assertEquals(await page.evaluate(() => joinChoice), { team: "orange" });
    assertEquals(
      await page.locator("label", { hasText: "Map" }).locator("select").inputValue(),
      "crossRoads",
    );
  },
);
