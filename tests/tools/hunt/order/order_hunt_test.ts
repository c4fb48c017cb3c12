/** The hunt in matches whose commands the server only orders (SPEC 24.9 to 24.11). */
import { assertEquals, assertGreater } from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { assertFound } from "../planted/assert_found.ts";
import { runOrderSchedule, scheduleOfSeed } from "../run_schedule.ts";
import type { Schedule } from "../schedule.ts";

Deno.test("hunt --order: a minute of faults breaks no rule, and clients got states (SPEC 24.9, 24.10, 24.11) [seeds 1, 2, 9]", async () => {
  let states = 0;
  for (const [seed, game] of [[1, "counter"], [2, "counter"], [9, "dragons"]] as const) {
    const { breach, ticks, order } = await runOrderSchedule(
      scheduleOfSeed(seed, { seconds: 60, game }),
    );
    assertEquals(breach, undefined, `seed ${seed}`);
    assertGreater(ticks, 600);
    states += order!.states;
  }
  assertGreater(states, 8);
});

/** What the hunt once found, each with the few faults that showed it. */
const FOUND: readonly { readonly found: string; readonly schedule: Schedule }[] = [
  {
    found: "a state was sent while a tick was on its way to a slow disk",
    schedule: {
      seed: 1,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 65858, kind: "server crash between ticks", who: 2, ms: 1089, draw: 1680944788 },
        { atMs: 70796, kind: "hung opening", who: 1, ms: 638, draw: 4366191 },
        { atMs: 70983, kind: "slow disk", who: 0, ms: 2693, draw: 1575011184 },
      ],
    },
  },
  {
    found: "two windows of one player got the same state at different ticks",
    schedule: {
      seed: 50,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 83257, kind: "seat take-over", who: 1, ms: 2743, draw: 4014442842 },
        { atMs: 83545, kind: "clock jump", who: 1, ms: 2455, draw: 3806846317 },
        { atMs: 83828, kind: "seat take-over", who: 1, ms: 2172, draw: 2255453951 },
      ],
    },
  },
  {
    found: "a player lost their name when the server came back",
    schedule: {
      seed: 32,
      game: "counter",
      seconds: 60,
      faults: [
        { atMs: 46595, kind: "a player leaves, another comes", who: 2, ms: 3507, draw: 542637680 },
        {
          atMs: 51344,
          kind: "server crash before the log has the tick",
          who: 1,
          ms: 3045,
          draw: 3085875195,
        },
      ],
    },
  },
  {
    found: "a newcomer went on with the presses of the seat's player before",
    schedule: {
      seed: 71,
      game: "counter",
      seconds: 180,
      faults: [
        {
          atMs: 167298,
          kind: "end that the server does not hear",
          who: 1,
          ms: 4272,
          draw: 4140527616,
        },
        { atMs: 167469, kind: "a player leaves, another comes", who: 0, ms: 997, draw: 2116343225 },
      ],
    },
  },
];

for (const { found, schedule } of FOUND) {
  Deno.test(`hunt --order: once ${found} [seed ${schedule.seed}]`, async () => {
    assertEquals((await runOrderSchedule(schedule)).breach, undefined);
  });
}

Deno.test("hunt planted: NPCs whose decisions a rollback forgets are found", async () => {
  await assertFound(120, ["a rollback forgets what NPCs have decided"]);
});

Deno.test("hunt --order: the report has what happened, and --cluster beside it is a mistake", async () => {
  const { code, stdout } = await runTask(
    ..."hunt --order --seeds 1 --jobs 1 --json".split(" ") as [string, ...string[]],
  );
  const { broken, order, seeds } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals([code, broken, seeds], [0, [], 1]);
  assertGreater(order.states, 0);
  const both = await runTask("hunt", "--order", "--cluster");
  assertEquals([both.code, both.stderr.trim()], [
    2,
    "hunt: --order and --cluster exclude each other",
  ]);
});
