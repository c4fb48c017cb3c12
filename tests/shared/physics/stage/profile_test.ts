/** Where the time of a stage's ticks goes: parts of a step on a clock that the caller gives. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { archetype, type StageDef } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { STEP_PART_NAMES, StepPart, StepProfile } from "../../../../shared/step_profile.ts";
import { FEATURES } from "../scenes/features.ts";
import { startScene, stepScene } from "../scenes/scene.ts";

/** The parts of a tick with two world steps. */
const TICK = [
  "movers",
  "events",
  ...Array.from({ length: 2 }, () => [
    "movers",
    "broadPhase",
    "narrowPhase",
    "solver",
    "broadPhase",
    "impacts",
    "events",
  ]).flat(),
  "events",
  "canonicalize",
];

/** Notes the parts in the order in which they end. */
class NotedProfile extends StepProfile {
  readonly parts: string[] = [];

  override end(part: StepPart): void {
    super.end(part);
    this.parts.push(STEP_PART_NAMES[part]!);
  }
}

Deno.test("profile: a tick ends each part in its turn, then save and load (SPEC 9.92)", () => {
  const stage = startScene(1);
  const profile = new NotedProfile(() => 0);
  const state = new Snapshot();
  stage.profile = profile;
  stepScene(stage, 1);
  assertEquals(profile.parts, TICK);
  stage.save(state);
  stage.load(state);
  assertEquals(profile.parts.slice(TICK.length), ["save", "load"]);
  assertEquals([profile.ticks, profile.saves, profile.loads], [1, 1, 1]);
});

Deno.test("profile: a part has the time of its own work (SPEC 9.92)", () => {
  let now = 0;
  const CRATE = archetype({
    name: "crate",
    body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
    fields: {},
  });
  const LIFT = archetype({
    name: "lift",
    body: {
      fixtures: [{ shape: { box: [1, 0.1] } }],
      path: () => {
        now += 100;
        return { x: 9, y: 9 };
      },
    },
    fields: {},
  });
  const definition: StageDef = {
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    features: FEATURES,
    ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
    archetypes: [CRATE, LIFT],
    fields: {},
    shouldCollide: () => {
      now += 1;
      return true;
    },
  };
  const stage = new Stage(definition);
  stage.spawn(CRATE, { x: 0, y: 0.4 });
  stage.spawn(CRATE, { x: 0.79, y: 0.4 });
  stage.spawn(LIFT);
  stage.endTick();

  const profile = new StepProfile(() => now);
  stage.profile = profile;
  now = 5;
  stage.advance();
  now += 10_000; // rules, which are no part of the step
  stage.endTick();
  const { movers, narrowPhase, impacts, ...others } = profile.elapsed;
  assertEquals(movers, 100);
  assertGreater(narrowPhase, 0);
  assert(impacts < 10);
  assertEquals(Object.values(others), [0, 0, 0, 0, 0, 0]);
  assertEquals(movers + narrowPhase + impacts, now - 10_005);

  profile.clear();
  assertEquals([...Object.values(profile.elapsed), profile.ticks], new Array(10).fill(0));
});

Deno.test("profile: no bit of the state depends on it, and without one no clock is read (SPEC 9.92)", () => {
  let calls = 0;
  const seen = startScene(3);
  const unseen = startScene(3);
  const [a, b] = [new Snapshot(), new Snapshot()];
  seen.profile = new StepProfile(() => calls++);
  for (let tick = 0; tick < 120; tick++) {
    stepScene(seen, 3);
    stepScene(unseen, 3);
    seen.save(a);
    unseen.save(b);
    // Not each time: a load would mend what a tick spoils
    if (tick % 10 === 0) seen.load(a);
    assertEquals(a.words.subarray(0, a.length), b.words.subarray(0, b.length), `tick ${tick}`);
  }
  assertGreater(calls, 120 * TICK.length);
  seen.profile = undefined;
  calls = 0;
  stepScene(seen, 3);
  assertEquals(calls, 0);
});
