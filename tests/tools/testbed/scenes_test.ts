/** Every scene of the testbed rolls back without a differing bit, and shows what it claims. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { Random } from "../../../shared/random.ts";
import { ACTION, NO_INPUT, type Scene, type SceneInput } from "./scene.ts";
import { SceneRun } from "./scene_run.ts";
import { GRAB } from "./grab.ts";
import { SCENES } from "./scenes.ts";

const TICKS = 300;
/** With rollbacks each tick is simulated about four times. */
const ROLLED_TICKS = 120;
/** The run of a proof goes back this often and this far, ticks: each tick is simulated twice. */
const ROLLBACK_EVERY = 20;

/** Keys and a pointer at random, which change every few ticks. Most presses begin on a body. */
function randomInputs(scene: Scene, random: Random): (run: SceneRun) => SceneInput {
  let keys = 0;
  let pressed = false;
  let x = 0;
  let y = 0;
  const { view } = scene;
  return (run) => {
    if (random.chance(0.15)) keys = random.below(2 * ACTION);
    if (random.chance(0.12)) {
      pressed = !pressed;
      const bodies = run.stage.entities().filter((entity) =>
        entity.mass > 0 && (scene.mayGrab?.(entity) ?? true)
      );
      const target = bodies[random.below(Math.max(1, bodies.length))];
      if (pressed && random.chance(0.7) && target !== undefined) {
        ({ centerX: x, centerY: y } = target);
      }
    }
    x = Math.fround(x + (random.fraction() - 0.5) * view.height * 0.1);
    y = Math.fround(y + (random.fraction() - 0.5) * view.height * 0.1);
    return { keys, pointer: { x, y, pressed } };
  };
}

Deno.test("the list of scenes has every file of the folder, each under a name of its own", async () => {
  const files: string[] = [];
  for await (const { name } of Deno.readDir(new URL("scenes/", import.meta.url))) files.push(name);
  assertEquals(SCENES.map(({ name }) => `${name}.ts`).sort(), files.sort());
});

/** The API of the physics for authors, as a game may import it, and the testbed's own contract. */
const PUBLIC =
  /^\.\.\/(scene\.ts|\.\.\/\.\.\/\.\.\/shared\/(random|physics\/(core\/(types|math)|stage\/(stage|queries|properties|kinematic_paths)|events\/touches|(chains|joints)\/feature))\.ts)$/;

Deno.test("scenes import the public API of the physics alone", async () => {
  for (const { name } of SCENES) {
    const text = await Deno.readTextFile(new URL(`scenes/${name}.ts`, import.meta.url));
    const imported = [...text.matchAll(/from "([^"]+)"/g)].map(([, path]) => path!);
    assertGreater(imported.length, 1);
    assertEquals(imported.filter((path) => !PUBLIC.test(path)), [], name);
  }
});

for (const scene of SCENES) {
  Deno.test(`${scene.name}: ${ROLLED_TICKS} ticks with rollbacks are the same bits as without (SPEC 9.1)`, () => {
    const random = new Random(23);
    const inputOf = randomInputs(scene, random);
    const straight = new SceneRun(scene);
    const rolled = new SceneRun(scene);
    let grabbed = 0;
    let rollbacks = 0;

    for (let tick = 0; tick < ROLLED_TICKS; tick++) {
      const input = inputOf(straight);
      straight.tick(input);
      if (random.chance(0.1)) {
        // A wrong prediction of the tick, which the rollback replaces.
        rolled.tick({ keys: random.below(2 * ACTION), pointer: NO_INPUT.pointer });
        rolled.goBack(1);
      }
      rolled.tick(input);
      if (random.chance(0.2)) {
        rolled.rollBack(1 + random.below(20));
        rollbacks++;
      }
      assertEquals(rolled.hash, straight.hash, `tick ${straight.stage.tick}`);
      grabbed += straight.stage.joints.all(GRAB).length;
    }

    assertGreater(rollbacks, 10);
    assertGreater(grabbed, 8);
  });

  const { proof } = scene;
  Deno.test(`${scene.name}: ${proof.claim}`, () => {
    const run = new SceneRun(scene);
    const ticks = proof.ticks ?? TICKS;
    for (let tick = 1; tick <= ticks; tick++) {
      run.tick({ ...NO_INPUT, keys: proof.keys?.(tick) ?? 0 });
      if (tick % ROLLBACK_EVERY !== 0) continue;
      const { before, after } = run.rollBack(ROLLBACK_EVERY);
      assertEquals(after, before, `tick ${tick}`);
    }
    assert(proof.check(run.stage).length > 0);
  });
}
