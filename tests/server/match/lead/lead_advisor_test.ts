import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { queueTicksFor } from "../../../../server/match/seats/npc_controller.ts";
import { LeadAdvisor } from "../../../../server/match/lead/lead_advisor.ts";
import { Random } from "../../../../shared/random.ts";

/**
 * A client that follows its advice by at most 2.5 ms a tick. The test gives the delays of its
 * commands.
 */
class AdvisedClient {
  readonly advisor = new LeadAdvisor({ isReliable: true });
  leadMs: number;
  tick = 0;
  late = 0;
  waitMs = 0;

  constructor(firstLeadMs: number) {
    this.leadMs = firstLeadMs;
  }

  /** One tick in which one command arrives, or several commands of earlier ticks. */
  arrive(...delaysMs: number[]): void {
    this.tick++;
    for (const delayMs of delaysMs) {
      const slackMs = this.leadMs - delayMs;
      this.advisor.observe({
        leadMs: this.leadMs,
        slackMs,
        received: this.tick - 3,
        atMs: this.tick * 50,
      });
      if (slackMs < 0) this.late++;
      this.waitMs += slackMs;
    }
    this.advisor.endTick(this.tick);
    const missingMs = this.advisor.advisedLeadMs! - this.leadMs;
    this.leadMs += Math.max(-2.5, Math.min(2.5, missingMs));
  }
}

/** At least 40 ms, with a tail like that of a lognormal distribution. */
function delayOf(random: Random, widthMs: number): number {
  const tail = random.fraction() * random.fraction() * random.fraction();
  return 40 + widthMs * (1 - random.fraction()) * (0.3 + 3 * tail);
}

Deno.test("LeadAdvisor: about one command in a hundred is late, for any jitter (SPEC 5.9, 5.11) [seed 4]", () => {
  for (const widthMs of [2, 20, 80]) {
    const random = new Random(4);
    const client = new AdvisedClient(80);
    for (let i = 0; i < 400; i++) client.arrive(delayOf(random, widthMs));
    client.late = client.waitMs = 0;
    for (let i = 0; i < 20_000; i++) client.arrive(delayOf(random, widthMs));
    assertGreater(client.late / 20_000, 0.002, `width ${widthMs}`);
    assertLess(client.late / 20_000, 0.02, `width ${widthMs}`);
    assertLess(client.waitMs / 20_000, 2.2 * widthMs, `width ${widthMs}`);
  }
});

Deno.test("LeadAdvisor: the advice rises within a second and falls within some (SPEC 5.8) [seed 5]", () => {
  const random = new Random(5);
  const client = new AdvisedClient(80);
  for (let i = 0; i < 600; i++) client.arrive(delayOf(random, 5));
  const before = client.advisor.advisedLeadMs!;
  for (let i = 0; i < 20; i++) client.arrive(60 + delayOf(random, 5));
  assertGreater(client.advisor.advisedLeadMs!, before + 55);
  for (let i = 0; i < 20; i++) client.arrive(delayOf(random, 5));
  for (let i = 0; i < 200; i++) client.arrive(delayOf(random, 5));
  assertLess(client.advisor.advisedLeadMs!, before + 15);
});

Deno.test("LeadAdvisor: delays that return every few seconds are covered tightly (SPEC 5.8) [seed 8]", () => {
  const random = new Random(8);
  const client = new AdvisedClient(150);
  const arrive = () => client.arrive((client.tick % 60 < 30 ? 40 : 90) + 4 * random.fraction());
  for (let i = 0; i < 4_000; i++) arrive();
  client.late = client.waitMs = 0;
  for (let i = 0; i < 8_000; i++) arrive();
  assertLess(client.late / 8_000, 0.002);
  // A lead of 94 ms is enough for all commands. One half of them then waits for the other half.
  assertLess(client.waitMs / 8_000, 94 - (42 + 92) / 2 + 5);
});

Deno.test("LeadAdvisor: a command is scored by the advice that its client had (SPEC 5.8) [seed 7]", () => {
  const random = new Random(7);
  const advisor = new LeadAdvisor({ isReliable: true });
  const advised: number[] = [];
  let late = 0;
  for (let tick = 0; tick < 16_000; tick++) {
    const delayMs = 40 + 200 * Math.abs(tick % 2000 - 1000) / 1000 + 4 * random.fraction();
    const leadMs = advised[tick - 40] ?? 300;
    const slackMs = leadMs - delayMs;
    advisor.observe({ leadMs, slackMs, received: tick - 40, atMs: tick * 50 });
    advisor.endTick(tick);
    advised.push(advisor.advisedLeadMs!);
    if (tick > 4000 && slackMs < 0) late++;
  }
  assertLess(late / 12_000, 0.02);
});

Deno.test("LeadAdvisor: a stall at the join, or a cut, moves the lead by less than a jump (SPEC 5.3, 5.12)", () => {
  for (const playedTicks of [0, 400]) {
    const random = new Random(6);
    const client = new AdvisedClient(90);
    for (let i = 0; i < playedTicks; i++) client.arrive(delayOf(random, 5));
    // Sixty commands that waited for up to three seconds, all in one tick; the newest hardly
    // waited.
    client.arrive(...Array.from({ length: 60 }, (_, i) => 3000 - 50 * i));
    let most = 0;
    for (let i = 0; i < 200; i++) {
      client.arrive(delayOf(random, 5));
      most = Math.max(most, client.advisor.advisedLeadMs!);
    }
    assertLess(most, 250, `after ${playedTicks} ticks`);
    assertLess(client.advisor.advisedLeadMs!, 110, `after ${playedTicks} ticks`);
  }
});

Deno.test("LeadAdvisor: the advice is bounded and falls slowly for any claims (SPEC 5.17) [seeds 1-30]", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const advisor = new LeadAdvisor({ isReliable: true });
    let before: number | undefined;
    for (let tick = 1; tick < 400; tick++) {
      for (let i = random.below(4) === 0 ? 1 + random.below(200) : 1; i > 0; i--) {
        const leadMs = random.chance(0.5) ? 4095.75 * random.fraction() : 50;
        const slackMs = random.chance(0.1)
          ? -1e9 * random.fraction()
          : 3200 * random.fraction() - 100;
        advisor.observe({ leadMs, slackMs, received: random.below(2 ** 31) - 64, atMs: 0 });
      }
      advisor.endTick(tick);
      const advisedMs = advisor.advisedLeadMs!;
      assertEquals(advisedMs, Math.max(-8000, Math.min(16_000, advisedMs)));
      if (before !== undefined) assertGreater(advisedMs, before - 2.5 - 1e-9);
      before = advisedMs;
    }
  }
});

Deno.test("LeadAdvisor: a clock that is wrong by a constant gets the same advice on its own scale (SPEC 5.18)", () => {
  const advised = [0, 300].map((offMs) => {
    const random = new Random(9);
    const advisor = new LeadAdvisor({ isReliable: true });
    for (let tick = 1; tick < 2000; tick++) {
      advisor.observe({
        leadMs: 100 + offMs,
        slackMs: 100 - delayOf(random, 10),
        received: tick - 3,
        atMs: tick * 50,
      });
      advisor.endTick(tick);
    }
    return advisor.advisedLeadMs!;
  });
  assertAlmostEquals(advised[1]! - advised[0]!, 300, 3);
});

Deno.test("queueTicksFor: the neediest client's need, at most 8 ticks above the middle one's (SPEC 6.8)", () => {
  const ticksFor = (...needs: number[]) =>
    queueTicksFor(needs.map((horizonTicks) => ({ horizonTicks })));
  assertEquals(ticksFor(), 1);
  assertEquals(ticksFor(9), 9);
  assertEquals(ticksFor(60), 40);
  assertEquals(ticksFor(3, 9, 5), 9);
  assertEquals(ticksFor(60, 3, 4), 12);
  assertEquals(ticksFor(4, 3, 60), 12);
  assertEquals(ticksFor(60, 3), 11);
  // Liars in the minority, however many, add no more. Who has sent no command yet has no need.
  assertEquals(ticksFor(7, 60, 60, 60, 7, 6, 8), 16);
  assertEquals(ticksFor(0, 0, 0, 22, 24), 24);
  assertEquals(ticksFor(60, 60, 3), 40);
});
