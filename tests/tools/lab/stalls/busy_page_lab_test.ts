import { assert, assertGreater, assertLess } from "@std/assert";
import { counterGame } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { joinPage } from "../predictions/disturbed_page.ts";
import { RandomCounterControls } from "../random_controls.ts";

const NETWORK = { oneWayMs: 30, jitterMs: 5 };
/** How long the thread is free between two frames, ms. */
const FREE_MS = 4;
const SECONDS = 20;

/**
 * A page with frames that keep its thread busy, and another client on the same network with a free
 * thread.
 */
function play(frameMs: number, ordered: boolean) {
  const lab = new Lab({ game: counterGame, seed: 5, npcs: 2 });
  const options = { network: NETWORK, ordered };
  const page = joinPage(lab, {
    game: counterGame,
    controls: new RandomCounterControls(1),
    ...options,
  });
  const free = lab.join("free", { commandSource: new RandomCounterControls(2), ...options });
  lab.run(SECONDS);
  let leadMsSum = 0;
  let freeLeadMsSum = 0;
  let roundTripMsMax = 0;
  let frames = 0;
  let stats = { ...page.session.stats };

  for (const isMeasured of [false, true]) {
    stats = { ...page.session.stats };
    for (let ms = 0; ms < SECONDS * 1000; ms += frameMs + FREE_MS) {
      page.thread.stall(frameMs);
      lab.run((frameMs + FREE_MS) / 1000);
      if (!isMeasured) continue;
      frames++;
      leadMsSum += page.session.leadMs;
      freeLeadMsSum += free.session.leadMs;
      roundTripMsMax = Math.max(roundTripMsMax, page.session.roundTripMs);
    }
  }

  const { commandsLate, commandsSent } = page.session.stats;
  return {
    leadMs: leadMsSum / frames,
    freeLeadMs: freeLeadMsSum / frames,
    roundTripMsMax,
    lateShare: (commandsLate - stats.commandsLate) / (commandsSent - stats.commandsSent),
    sentPerTick: (commandsSent - stats.commandsSent) / (SECONDS * counterGame.tickHz),
  };
}

for (const [link, excessMsMax] of [["ordered", 60], ["datagram", 75]] as const) {
  Deno.test(`Lab: a page that is busy with its frames has a lead of at most ${excessMsMax} ms beyond its line's need, ${link} (SPEC 5.30) [seed 5]`, () => {
    for (const frameMs of [25, 42, 90, 300]) {
      const { leadMs, freeLeadMs } = play(frameMs, link === "ordered");
      assert(
        leadMs - freeLeadMs < excessMsMax,
        `frames of ${frameMs} ms: ${leadMs} ms, ${freeLeadMs} ms without`,
      );
    }
  });
}

Deno.test("Lab: a page with 24 frames a second has a command in time for nearly every tick (SPEC 5.30) [seed 5]", () => {
  const { lateShare, sentPerTick } = play(38, true);
  assertLess(lateShare, 0.03);
  assertGreater(sentPerTick, 0.98);
});

Deno.test("Lab: the round trip that a busy page shows is its line's (SPEC 5.32) [seed 5]", () => {
  // 60 ms, and two directions with a deviation of 5 ms each. The frames alone would add up to 300
  // ms.
  assertLess(play(300, true).roundTripMsMax, 100);
});
