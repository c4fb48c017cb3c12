import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { HudValues } from "../../../../client/presentation/match_presenter.ts";
import type { Round, Score } from "../../../../client/presentation/view.ts";
import { seriousFindings } from "../../../browser/axe.ts";
import { browserTest } from "../../../browser/chromium.ts";
import { shoot } from "../../../browser/shots.ts";
import { openWords } from "../words.ts";

/** A round of four, among them a Hunter that has more points than anybody else. */
const SCORES: readonly Score[] = [
  row(18, "Hunter 3", { score: 25, total: 31, wins: 1, npc: true }),
  row(1, "Wren", { score: 4, total: 19, wins: 1, ready: true }),
  row(0, "Ash", { score: 4, total: 12, own: true, ready: false }),
  row(16, "Drifter 1", { score: 0, total: 3, npc: true }),
];

function row(seat: number, name: string, more: Partial<Score>): Score {
  return { seat, name, score: 0, own: false, npc: false, wins: 0, ...more };
}

async function show(page: Page, round: Partial<Round>, scores = SCORES): Promise<void> {
  const values: HudValues = {
    room: "PLAY",
    pingMs: 1,
    notice: "",
    ready: false,
    isSpectating: false,
    scores,
    round: { number: 5, phase: "result", secondsLeft: 6, ...round },
  };
  await page.evaluate((values) => hud.show(values, 0), values);
}

browserTest(
  "ResultPanel: NPCs have places, the round's points stand beside the total, and marks say who is ready (SPEC 25.4, 25.10, 25.13)",
  async (browser) => {
    const page = await openWords(browser, { viewport: { width: 1280, height: 720 } });
    const cells = (part: string) =>
      page.locator(`#standings li:not([hidden]) .${part}`).allInnerTexts();
    await show(page, { set: { round: 2, of: 3, isOver: false } });
    assertEquals(
      await page.innerText("#verdict"),
      "Hunter 3 wins round 2 of 3 with 25 points.",
    );
    assertEquals(await cells("name"), ["Hunter 3 · bot", "Wren", "Ash (you)", "Drifter 1 · bot"]);
    assertEquals(await cells("place"), ["1.", "2.", "2.", "4."]);
    assertEquals(await cells("score"), ["25", "4", "4", "0"]);
    assertEquals(await cells("total"), ["31", "19", "12", "3"]);
    assertEquals(await cells("wins"), ["●○", "●○", "○○", "○○"]);
    assertEquals(await cells("is-ready"), ["", "✓ ready", "", ""]);
    assertEquals(await page.locator("#standings-head span").allInnerTexts(), [
      "this round",
      "total",
    ]);
    assertEquals(
      await page.innerText("#next-round"),
      "Next round in 6 s — flap when you are ready · 1 of 2 ready",
    );
    assertEquals(await page.isVisible("#podium"), false);
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "result_panel.png");
    await page.close();
  },
);

browserTest(
  "ResultPanel: after a set there is a podium, ranked by rounds, and the list follows it (SPEC 25.5, 25.13)",
  async (browser) => {
    const page = await openWords(browser, { viewport: { width: 1280, height: 720 } });
    const won = SCORES.map((score) => score.seat === 0 ? { ...score, wins: 2 } : score);
    await show(page, { set: { round: 3, of: 3, isOver: true } }, won);
    assertEquals(
      await page.innerText("#verdict"),
      "You win the match with 2 rounds and 12 points in total!",
    );
    assertEquals(
      await page.innerText("#last-round"),
      "Hunter 3 wins round 3 of 3 with 25 points.",
    );
    assertEquals(await page.locator("#podium .name").allInnerTexts(), ["Hunter 3", "You", "Wren"]);
    assertEquals(await page.locator("#podium b").allInnerTexts(), ["2", "1", "3"]);
    assertEquals(
      (await page.locator("#standings .name").allInnerTexts()).map((name) => name.split(" ")[0]),
      ["Ash", "Hunter", "Wren", "Drifter"],
    );
    assertEquals(
      await page.innerText("#next-round"),
      "Rematch in 6 s — flap when you are ready · 1 of 2 ready",
    );
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "podium_panel.png");

    // While the deciding joust shows again, the verdict and what it shows are all of the panel.
    await page.evaluate(() => hud.showMoment({ doer: 0, verb: "unseated", victim: 18 }));
    assertEquals(await page.innerText("#slow-motion"), "Slow motion: you unseated Hunter 3");
    assertEquals(await page.isVisible("#podium"), false);
    assertEquals(await page.isVisible("#verdict"), true);
    await shoot(page, "moment_panel.png");
    await page.evaluate(() => hud.showMoment(undefined));
    assertEquals(await page.isVisible("#podium"), true);
    await page.close();
  },
);

browserTest(
  "ResultPanel: a game of teams lists its players without places and points (SPEC 25.11)",
  async (browser) => {
    const page = await openWords(browser, { hasParts: true });
    const teams = [
      { name: "Blue", colour: "#3fa7ff", score: 3, own: true, pattern: "plain" },
      { name: "Orange", colour: "#ff8a3c", score: 5, own: false, pattern: "stripes" },
    ];
    const scores = [row(0, "Cinder", { own: true }), row(1, "Wren", {})];
    const round = { number: 1, phase: "result", secondsLeft: 6 } as const;
    const status = { scores, round, ready: false, teams, hasScores: false };
    await page.evaluate(
      (values) => hud.show(values, 0),
      {
        room: "PLAY",
        pingMs: 1,
        notice: "",
        ready: false,
        isSpectating: false,
        scores,
        round,
        status,
      },
    );
    assertEquals(await page.innerText("#verdict"), "Orange wins round 1, 5 : 3.");
    assertEquals(await page.locator("#standings .place").allInnerTexts(), ["", ""]);
    assertEquals(await page.locator("#standings .score").allInnerTexts(), ["", ""]);
    await page.close();
  },
);
