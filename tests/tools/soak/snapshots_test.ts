/**
 * The soaks of spoilt snapshots and of hostile states in small; `deno task soak snapshots` has
 * 40,000 and 20,000 each.
 */
import { assert, assertEquals, assertGreater, assertMatch, assertThrows } from "@std/assert";
import { GAMES } from "../../../shared/games/registry.ts";
import { SnapshotError } from "../../../shared/snapshot.ts";
import { crowdedState } from "../../support/logs/crowded_state.ts";
import { runTask } from "../../support/task.ts";
import { SnapshotSoak, type SnapshotsReport } from "./snapshots.ts";
import { SOAKED_GAMES } from "./states/match_states.ts";
import { StateSoak, type StatesReport } from "./states/state_soak.ts";

/** Twenty of each way to spoil one. */
const COUNT = 280;

Deno.test("soak snapshots: a spoilt snapshot is refused, or loaded as it is, and a good one is right afterwards (SPEC 9.1)", async () => {
  const { code, stdout, stderr } = await runTask(
    "soak",
    "snapshots",
    "--count",
    `${COUNT}`,
    "--seed",
    "1",
    "--json",
  );
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /100 %, 280 snapshots/);
  const first: SnapshotsReport = JSON.parse(stdout.trim().split("\n").at(-1)!);
  const { tried, refused, loaded, stepped, bySpoiling, firstFailure } = first;
  assertEquals([tried, refused + loaded, firstFailure], [COUNT, COUNT, null]);
  assertGreater(stepped, 10);
  for (const [spoiling, outcomes] of Object.entries(bySpoiling)) {
    assertGreater(outcomes.refused, 0, spoiling);
    const changesLength = /truncated|extended|removed|noise/.test(spoiling);
    assert(changesLength || outcomes.loaded > 0, spoiling);
  }

  const second = new SnapshotSoak().run({ count: COUNT, seed: 1 }, () => {});
  const withoutTimes = { seconds: 0, slowestLoadMs: 0, slowest: null, crowdLoadMs: 0 };
  assertEquals({ ...second, ...withoutTimes }, { ...first, ...withoutTimes }, "the seed decides");
});

Deno.test("soak snapshots --games: hostile states of every game are refused, or stepped without an error (SPEC 9.68)", async () => {
  for (const [name, load] of Object.entries(SOAKED_GAMES)) {
    const { game } = await load();
    const report = new StateSoak(game, [0, 1, 40, 300]).run({ count: 60, seed: 1 }, () => {});
    const { states, accepted, steps, throws, limited } = report;
    assertEquals([states, throws, steps], [60, 0, 20 * accepted], name);
    assertGreater(accepted, 12, name);
    assertGreater(limited, 0, name);
  }

  const args = ["--games", "template", "--count", "5", "--json"];
  const { code, stdout, stderr } = await runTask("soak", "snapshots", ...args);
  assertEquals(code, 0, stderr);
  const reports: Record<string, StatesReport> = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(Object.entries(reports).map(([name, { states }]) => [name, states]), [
    ["template", 5],
  ]);
  assertEquals(Object.keys(SOAKED_GAMES), [...Object.keys(GAMES), "template"]);
});

/** States that were accepted once, and threw within 20 ticks; and what threw. */
const ONCE_FAILED: Readonly<Record<string, readonly number[]>> = {
  // A match without a coin: the NPCs' policy looked for one.
  template: [65],
  // A truck at the edge of the world: its trailer would be beyond it.
  haul: [10_594],
};

for (const [name, numbers] of Object.entries(ONCE_FAILED)) {
  for (const seed of numbers) {
    Deno.test(`soak snapshots: state ${seed} of ${name} is accepted and steps (SPEC 9.68)`, async () => {
      const { game } = await SOAKED_GAMES[name]!();
      const { accepted, firstThrow } = new StateSoak(game).run({ count: 1, seed }, () => {});
      assertEquals({ accepted, firstThrow }, { accepted: 1, firstThrow: null });
    });
  }
}

Deno.test("crowd: a match full of crates at one place steps, and one of a thousand is refused (SPEC 9.60, 9.66)", async () => {
  const { game } = await SOAKED_GAMES["dragons"]!();
  const simulation = game.start({ npcs: 0 }, 1);
  simulation.load(crowdedState(game, { count: 256, name: "crate" }));
  simulation.step([]);
  assertMatch(simulation.limited!.join(), /more than 2400 pairs/);
  for (let tick = 1; tick < 20; tick++) simulation.step([]);
  assertThrows(
    () => simulation.load(crowdedState(game, { count: 1000, name: "crate" })),
    SnapshotError,
    "header",
  );
});

Deno.test("soak snapshots: once a Wyrm far from its way was made too fast for the stage (SPEC 9.66) [seed 228]", async () => {
  const { code, stderr } = await runTask(
    ...["soak", "snapshots", "--games", "dragons", "--seed", "228", "--count", "1"],
  );
  assertEquals(code, 0, stderr);
});

Deno.test("soak snapshots: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak", "snapshots", "--count", "0");
  assertEquals(code, 2);
  assertMatch(stderr, /--count cannot be "0"/);
  const unknown = await runTask("soak", "snapshots", "--games", "chess");
  assertEquals(unknown.code, 2);
  assertMatch(unknown.stderr, /there is no game "chess"/);
});
