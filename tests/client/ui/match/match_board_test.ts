import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { HudValues } from "../../../../client/presentation/match_presenter.ts";
import type { GameStatus } from "../../../../client/presentation/view.ts";
import { seriousFindings } from "../../../browser/axe.ts";
import { browserTest } from "../../../browser/chromium.ts";
import { shoot } from "../../../browser/shots.ts";
import { layoutFaultsOf } from "../layout_faults.ts";
import { standings } from "../scores.ts";
import { openWords } from "../words.ts";

const TEAMS = [
  { name: "Blue", colour: "#44aaff", pattern: "plain", score: 3, own: true },
  { name: "Orange", colour: "#ff8844", pattern: "stripes", score: 1, own: false },
];
const VALUES: HudValues = {
  room: "PLAY",
  pingMs: 31,
  notice: "",
  ready: false,
  isSpectating: false,
  round: undefined,
  scores: standings([5, 4, 2], true),
};

browserTest(
  "Hud: teams, a clock without rounds and a banner; the result names the team that wins",
  async (browser) => {
    const page = await openWords(browser, { hasParts: true });
    const words = (selector: string) => page.locator(selector).allInnerTexts();
    const shown = (selector: string) => page.locator(selector).isVisible();
    const show = (status: Partial<GameStatus>) =>
      page.evaluate(([values, status]) => {
        lobby.hide();
        hud.show(
          {
            ...values,
            round: status.round,
            status: { scores: [], ready: false, round: undefined, ...status },
          },
          0,
        );
      }, [VALUES, status] as const);

    await show({});
    assertEquals([await shown("#board"), await shown("#timer"), await shown("#banner")], [
      false,
      false,
      false,
    ]);
    await show({ clock: 9 });
    assertEquals([await words("#board"), await page.locator("#board-time.last").count()], [
      ["0:09"],
      1,
    ]);
    assertEquals([await shown("#own-note"), await shown("#vote")], [false, false]);
    await show({
      round: { number: 1, phase: "result", secondsLeft: 5 },
      vote: [{ label: "← Caves", votes: 2, own: true }, { label: "→ Hills", votes: 0, own: false }],
    });
    assertEquals([await words("#vote li"), await words("#vote .own")], [
      ["← Caves · 2 votes (yours)", "→ Hills"],
      ["← Caves · 2 votes (yours)"],
    ]);
    await show({});
    assertEquals(await shown("#vote"), false);
    await show({ note: "Bow × 3" });
    assertEquals([await words("#own-note"), await shown("#own-note")], [["Bow × 3"], true]);
    await show({ teams: TEAMS, clock: 135, banner: "GOAL!" });
    assertEquals([await words(".team-name"), await words(".team-score")], [
      ["Blue (you)", "Orange"],
      ["3", "1"],
    ]);
    assertEquals([await words("#board-time"), await words("#banner")], [["2:15"], ["GOAL!"]]);
    const boxes = await page.locator("#teams li, #board-time").evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().left)
    );
    const [blue, orange, time] = boxes as [number, number, number];
    assertLess(blue, time);
    assertGreater(orange, time);
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    for (const [width, height] of [[1280, 720], [844, 390], [390, 844], [320, 568]] as const) {
      await page.setViewportSize({ width, height });
      assertEquals(await layoutFaultsOf(page, { hasTouch: false }), [], `${width}×${height}`);
      await shoot(page, `board_${width}x${height}.png`);
    }

    const round = { number: 2, phase: "playing", secondsLeft: 42 } as const;
    await show({ teams: TEAMS, round });
    assertEquals([await shown("#board"), await shown("#timer"), await words("#board-time")], [
      true,
      false,
      ["0:42"],
    ]);
    await show({ round });
    assertEquals([await shown("#board"), await shown("#timer")], [false, true]);
    await show({ teams: TEAMS, round: { ...round, phase: "result" }, banner: "OVER" });
    assertEquals([await shown("#board"), await shown("#banner")], [false, false]);
    assertEquals(await words("#verdict"), ["Your team wins round 2, 3 : 1!"]);
    await show({ hasScores: false });
    assertEquals([await shown("#scores .name >> nth=0"), await shown("#scores .score >> nth=0")], [
      true,
      false,
    ]);
  },
);

browserTest("Hud: an event without a victim has one name", async (browser) => {
  const page = await openWords(browser);
  await page.evaluate((values) => {
    lobby.hide();
    hud.show(values, 0);
    hud.report({ verb: "scored", doer: 1 });
    hud.report({ verb: "bumped", doer: 1, victim: 9 });
  }, VALUES);
  assertEquals(
    await page.locator("#feed li").allInnerTexts(),
    ["Wren scored"],
    "seat 9 is not in the match",
  );
});
