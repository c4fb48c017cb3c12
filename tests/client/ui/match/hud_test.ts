import { assertEquals } from "@std/assert";
import type { HudValues } from "../../../../client/presentation/match_presenter.ts";
import type { Round } from "../../../../client/presentation/view.ts";
import { clockText, spectatorText } from "../../../../client/ui/match/hud.ts";
import { seriousFindings } from "../../../browser/axe.ts";
import { browserTest } from "../../../browser/chromium.ts";
import { openWords } from "../words.ts";
import { scoresOf, standings } from "../scores.ts";

Deno.test("clockText: minutes and seconds; 0:00 only when no time is left", () => {
  assertEquals([90, 60, 59.01, 10, 9.95, 0.05, 0, -3].map(clockText), [
    "1:30",
    "1:00",
    "1:00",
    "0:10",
    "0:10",
    "0:01",
    "0:00",
    "0:00",
  ]);
});

Deno.test("spectatorText: gives the reason only if no seat is free", () => {
  assertEquals(spectatorText(scoresOf(16, -1)), "You are watching: the room is full");
  const npc = { seat: 16, name: "Drifter", score: 0, own: false, npc: true };
  assertEquals(spectatorText([...scoresOf(15, -1), npc]), "You are watching");
});

browserTest(
  "Hud: shows clock and scores in play, then the result in their place; screen readers get it once",
  async (browser) => {
    const page = await openWords(browser);
    const values: HudValues = {
      room: "PLAY",
      pingMs: 1,
      notice: "",
      round: { number: 3, phase: "playing", secondsLeft: 42 },
      ready: false,
      isSpectating: false,
      scores: standings([5, 5, 2], true),
    };
    let nowMs = 0;
    const show = (
      { round, ...more }: Partial<Omit<HudValues, "round">> & { round?: Partial<Round> },
    ) =>
      page.evaluate(
        ([nowMs, values]) => hud.show(values, nowMs),
        [
          nowMs += 2000,
          { ...values, ...more, round: { ...values.round!, ...round } },
        ] as const,
      );
    const words = (selector: string) => page.locator(selector).allInnerTexts();
    const shown = (selector: string) => page.locator(selector).isVisible();

    await show({});
    assertEquals([await shown("#timer"), await shown("#scores"), await shown("#result")], [
      true,
      true,
      false,
    ]);
    assertEquals([await words("#clock"), await words("#round"), await words("#spoken")], [
      ["0:42"],
      ["Round 3"],
      [""],
    ]);
    assertEquals(await page.locator("#timer.last").count(), 0);
    await show({ round: { secondsLeft: 10 } });
    assertEquals(await page.locator("#timer.last").count(), 1);
    for (let i = 0; i < 2; i++) await show({ scores: standings([6, 5, 2], true) });
    assertEquals(await words("#spoken"), ["6 points, place 1 of 3"]);
    await page.evaluate(() => hud.report({ verb: "burned", doer: 1, victim: 0 }));
    assertEquals(await words("#feed li"), ["Wren burned you"]);

    await page.evaluate(() => {
      const spoken = document.querySelector<HTMLElement>("#spoken")!;
      new MutationObserver((changes) =>
        spoken.dataset.times = `${Number(spoken.dataset.times ?? 0) + changes.length}`
      )
        .observe(spoken, { childList: true, characterData: true, subtree: true });
    });
    for (const secondsLeft of [8, 7, 6]) await show({ round: { phase: "result", secondsLeft } });
    assertEquals([await shown("#timer"), await shown("#scores"), await shown("#result")], [
      false,
      false,
      true,
    ]);
    assertEquals(await words("#standings .place"), ["1.", "1.", "3."]);
    assertEquals(await words("#standings .own .name"), ["Ash (you)"]);
    assertEquals(await words("#next-round"), ["Next round in 6 s — flap when you are ready"]);
    assertEquals(await words("#verdict"), ["Round 3 is a draw: you and Wren have 5 points."]);
    assertEquals(await page.locator("#spoken").getAttribute("data-times"), "1");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await show({ round: { number: 4 }, isSpectating: true });
    assertEquals([await shown("#result"), await shown("#watching"), await words("#spoken")], [
      false,
      true,
      [""],
    ]);
  },
);

browserTest(
  "Hud: the seal counts on once a second; the result says what differed; without a proof both are away (SPEC 4.17, 4.18)",
  async (browser) => {
    const page = await openWords(browser);
    const values: HudValues = {
      room: "PLAY",
      pingMs: 1,
      notice: "",
      round: { number: 3, phase: "playing", secondsLeft: 42 },
      ready: false,
      isSpectating: false,
      scores: standings([5, 2], true),
    };
    const show = (nowMs: number, more: Partial<HudValues>) =>
      page.evaluate(
        ([nowMs, values]) => hud.show(values, nowMs),
        [
          nowMs,
          { ...values, ...more },
        ] as const,
      );
    const seal = async () =>
      await page.isVisible("#proof") ? await page.innerText("#proof") : undefined;
    const proof = (ticks: number) => ({ ticks, differences: 0, rollbacks: 31 });

    await show(0, {});
    assertEquals(await seal(), undefined);
    await show(0, { proof: proof(0) });
    assertEquals(await seal(), undefined);
    await show(100, { proof: proof(1240) });
    assertEquals(await seal(), "✓ 1,240 ticks proven");
    await show(1000, { proof: proof(1258) });
    assertEquals(await seal(), "✓ 1,240 ticks proven");
    await show(1100, { proof: proof(1260) });
    assertEquals(await seal(), "✓ 1,260 ticks proven");

    const round = { number: 3, phase: "result", secondsLeft: 4 } as const;
    await show(2200, { round, proof: proof(1280) });
    assertEquals(
      await page.innerText("#result-proof"),
      "Rolled back 31 times, 0 bits differ: 1,280 ticks proven",
    );
    await show(2300, { round });
    assertEquals(await page.isVisible("#result-proof"), false);
    assertEquals(await seal(), undefined);
    await page.close();
  },
);
