/** The words beside the picture: which rows of a long scoreboard are shown, the clock, and the result of a round. */
import { assertEquals } from "@std/assert";
import { clockText, spectatorText } from "../../../client/ui/hud.ts";
import { nextRoundText, resultText } from "../../../client/ui/result_panel.ts";
import type { HudValues } from "../../../client/presentation/match_presenter.ts";
import type { Round, Score } from "../../../client/presentation/view.ts";
import { placeOf, SCORE_ROWS_MAX, visibleScores } from "../../../client/ui/scoreboard.ts";
import { seriousFindings } from "../../browser/axe.ts";
import { browserTest } from "../../browser/chromium.ts";
import { openWords } from "./words.ts";

function scoresOf(count: number, ownRank: number): Score[] {
  return Array.from({ length: count }, (_, rank) => (
    { seat: rank, name: `n${rank}`, score: count - rank, own: rank === ownRank, npc: false }
  ));
}

function seats(count: number, ownRank: number): number[] {
  return visibleScores(scoresOf(count, ownRank)).map((score) => score.seat);
}

/** A scoreboard with these points; the first of them is the player's own where `own` says so. */
function standings(points: readonly number[], own = false): Score[] {
  const names = ["Ash", "Wren", "Gale", "Rook"];
  return points.map((score, i) => ({ seat: i, name: names[i]!, score, own: own && i === 0, npc: false }));
}

Deno.test("visibleScores: a short list is shown whole", () => {
  assertEquals(seats(SCORE_ROWS_MAX, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(seats(0, 0), []);
});

Deno.test("visibleScores: of a long list the best, and always the own row", () => {
  assertEquals(seats(12, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(seats(12, 10), [0, 1, 2, 3, 4, 5, 6, 10]);
  assertEquals(seats(12, -1), [0, 1, 2, 3, 4, 5, 6, 7]); // a spectator has none
});

Deno.test("placeOf: equal scores share the better place", () => {
  const scores = standings([9, 4, 4, 1]);
  assertEquals(scores.map((score) => placeOf(score, scores)), [1, 2, 2, 4]);
});

Deno.test("clockText: minutes and seconds, and 0:00 only when nothing is left", () => {
  assertEquals([90, 60, 59.01, 10, 9.95, 0.05, 0, -3].map(clockText), [
    ...["1:30", "1:00", "1:00", "0:10", "0:10", "0:01", "0:00", "0:00"],
  ]);
});

Deno.test("spectatorText: says why where no seat is free, and never otherwise", () => {
  assertEquals(spectatorText(scoresOf(16, -1)), "You are watching: the room is full");
  const npc = { seat: 16, name: "Drifter", score: 0, own: false, npc: true };
  assertEquals(spectatorText([...scoresOf(15, -1), npc]), "You are watching");
});

Deno.test("resultText: names the winner, the player as you, and a draw as a draw", () => {
  const verdict = (points: number[], own = false) =>
    resultText({ round: 2, scores: standings(points, own), players: "dragons" });
  assertEquals(verdict([7, 3]), "Ash wins round 2 with 7 points.");
  assertEquals(verdict([1, 0]), "Ash wins round 2 with 1 point.");
  assertEquals(verdict([7, 3], true), "You win round 2 with 7 points!");
  assertEquals(verdict([7, 7, 3], true), "Round 2 is a draw: you and Wren have 7 points.");
  assertEquals(verdict([7, 7, 7, 3]), "Round 2 is a draw: Ash, Wren and Gale have 7 points.");
  assertEquals(verdict([7, 7, 7, 7]), "Round 2 is a draw: 4 dragons have 7 points.");
  assertEquals([verdict([0, 0]), verdict([])], ["Nobody scored in round 2.", "Nobody scored in round 2."]);
});

Deno.test("nextRoundText: asks for a flap, confirms it, and asks nothing of who watches", () => {
  const next = (ready: boolean, isSpectating: boolean) =>
    nextRoundText({ secondsLeft: 5.2, ready, isSpectating, readyHint: "flap when you are ready" });
  assertEquals(next(false, false), "Next round in 6 s — flap when you are ready");
  assertEquals(next(true, false), "You are ready · next round in 6 s");
  assertEquals(next(false, true), "Next round in 6 s");
});

browserTest("Hud: clock and scores in play, the result in their place, said once", async (browser) => {
  const page = await openWords(browser);
  const values: HudValues = {
    ...{ room: "PLAY", pingMs: 1, notice: "" },
    ...{ round: { number: 3, phase: "playing", secondsLeft: 42 }, ready: false, isSpectating: false },
    scores: standings([5, 5, 2], true),
  };
  const show = ({ round, ...more }: Partial<Omit<HudValues, "round">> & { round?: Partial<Round> }) =>
    page.evaluate((values) => hud.show(values), { ...values, ...more, round: { ...values.round!, ...round } });
  const words = (selector: string) => page.locator(selector).allInnerTexts();
  const shown = (selector: string) => page.locator(selector).isVisible();

  await show({});
  assertEquals([await shown("#timer"), await shown("#scores"), await shown("#result")], [true, true, false]);
  assertEquals([await words("#clock"), await words("#round"), await words("#spoken")], [["0:42"], ["Round 3"], [""]]);
  assertEquals(await page.locator("#timer.last").count(), 0);
  await show({ round: { secondsLeft: 10 } });
  assertEquals(await page.locator("#timer.last").count(), 1);

  await page.evaluate(() => {
    const spoken = document.querySelector<HTMLElement>("#spoken")!;
    new MutationObserver((changes) => spoken.dataset.times = `${Number(spoken.dataset.times ?? 0) + changes.length}`)
      .observe(spoken, { childList: true, characterData: true, subtree: true });
  });
  for (const secondsLeft of [8, 7, 6]) await show({ round: { phase: "result", secondsLeft } });
  assertEquals([await shown("#timer"), await shown("#scores"), await shown("#result")], [false, false, true]);
  assertEquals(await words("#standings .place"), ["1.", "1.", "3."]);
  assertEquals(await words("#standings .own .name"), ["Ash (you)"]);
  assertEquals(await words("#next-round"), ["Next round in 6 s — flap when you are ready"]);
  assertEquals(await words("#verdict"), ["Round 3 is a draw: you and Wren have 5 points."]);
  assertEquals(await page.locator("#spoken").getAttribute("data-times"), "1");
  assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
  await show({ round: { number: 4 }, isSpectating: true });
  assertEquals([await shown("#result"), await shown("#watching"), await words("#spoken")], [false, true, [""]]);
});
