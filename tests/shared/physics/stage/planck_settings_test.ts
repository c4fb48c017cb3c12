/**
 * A stage in a page that uses planck for itself: neither can change the other. Other code may
 * change planck's `Settings` at any time, and the stage leaves `Math` as it was.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { PlanckPageReport } from "./planck_page.ts";
import { SCENE, startScene, stepScene } from "../scenes/scene.ts";
import { nativeMath } from "../../../../shared/physics/planck/math_patch.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Box, Settings, World } from "planck";

const TICKS = 300;
/**
 * A part of the ground with two corners so near that planck merges them if its settings are others.
 */
const BUMP = {
  shape: { polygon: [[-4, 0], [4, 0], [3, 0.6], [0.004, 1], [-0.004, 1], [-3, 0.6]] },
} as const;
const settings = Settings as unknown as Record<string, number>;

/**
 * All settings of planck's that are numbers, but the one that planck itself cannot work with if it
 * is another.
 */
const NAMES = Object.keys(Settings).filter((name) =>
  typeof settings[name] === "number" && name !== "maxManifoldPoints"
);

/**
 * @returns the words of the scene after every tick. The declaration is a new one, so that its
 *   shapes are made now.
 */
function wordsOfScene(): Uint32Array[] {
  const stage = startScene(1, new Stage({ ...SCENE, ground: [...SCENE.ground, BUMP] }));
  const state = new Snapshot();
  return Array.from({ length: TICKS }, () => {
    stepScene(stage, 1);
    stage.save(state);
    return state.words.slice(0, state.length);
  });
}

/** Runs `action` with other settings and restores them. */
function withSettings<T>(changed: Readonly<Record<string, number>>, action: () => T): T {
  const before = Object.fromEntries(NAMES.map((name) => [name, settings[name]!]));
  Object.assign(Settings, changed);
  try {
    return action();
  } finally {
    Object.assign(Settings, before);
  }
}

/** @returns the height of a box that fell onto another one in a world of planck's own */
function heightInPlanck(): number {
  const world = new World({ gravity: { x: 0, y: -10 } });
  world.createBody().createFixture({ shape: new Box(5, 0.5) });
  const body = world.createDynamicBody({ x: 0, y: 1.2 });
  body.createFixture({ shape: new Box(0.5, 0.5), density: 1 });
  for (let i = 0; i < 60; i++) world.step(1 / 40);
  return body.getPosition().y;
}

Deno.test("stage: planck's settings, changed by other code in the page, change no bit (SPEC 9.34)", () => {
  const expected = wordsOfScene();
  const height = heightInPlanck();
  const changes = [
    Object.fromEntries(NAMES.map((name) => [name, settings[name]! * 4])),
    Object.fromEntries(NAMES.map((name) => [name, settings[name]! / 4])),
    { lengthUnitsPerMeter: 30 },
  ];

  for (const changed of changes) {
    assert(
      withSettings(changed, heightInPlanck) !== height,
      "the settings change nothing in planck: the test shows nothing",
    );
    withSettings(changed, () => {
      assertEquals(wordsOfScene(), expected, JSON.stringify(changed));
      for (const name in changed) {
        assertEquals(settings[name], changed[name], `the stage has set ${name}`);
      }
    });
  }

  assertEquals(heightInPlanck(), height, "the settings are as before");
});

Deno.test("stage: after its import Math has the engine's own functions, and a stage that runs does not replace them (SPEC 9.34)", () => {
  wordsOfScene();
  for (const name of Object.getOwnPropertyNames(Math)) {
    const value = Math[name as keyof typeof Math] as unknown;
    if (typeof value === "function") assert(`${value}`.includes("[native code]"), name);
  }
  assertEquals([Math.sin, Math.cos, Math.atan2], [
    nativeMath.sin,
    nativeMath.cos,
    nativeMath.atan2,
  ]);
});

Deno.test("stage: in a page that loaded planck first, planck's registries and prototypes stay as they are, and no bit differs (SPEC 9.34)", async () => {
  const worker = new Worker(new URL("planck_page.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<PlanckPageReport>();
  worker.onmessage = ({ data }: MessageEvent<PlanckPageReport>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault(); // otherwise it ends the process
    reject(new Error(event.message));
  };
  const { changed, compared, words } = await promise.finally(() => worker.terminate());
  assertEquals(changed, []);
  assertGreater(compared, 1000);
  const stage = startScene(1);
  const state = new Snapshot();
  while (stage.tick < words[0]!) stepScene(stage, 1);
  stage.save(state);
  assertEquals(words, state.words.slice(0, state.length));
});
