/** The engines do what their scenes declare. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { ENGINES } from "./engines.ts";
import { ENGINE_NAMES, type Part, type Scene } from "./scene.ts";

const RATE = { tickHz: 60, substeps: 1 };
const FLOOR: Part = { shape: { box: [20, 0.5], y: -0.5 } };

for (const name of ENGINE_NAMES) {
  Deno.test(`engines: ${name} turns a pinned body as far as the pin's limits`, async () => {
    const arm = { parts: [{ shape: { box: [0.5, 0.1] as const } }], x: 0.5, y: 5 };
    const pins = [{ a: -1, b: 0, x: 0, y: 5, limits: { lower: -0.5, upper: 0.25 } }];
    const scene: Scene = { gravity: 10, ground: [FLOOR], bodies: [arm], pins };
    const world = (await ENGINES[name]()).build(scene, RATE);
    for (let tick = 0; tick < 120; tick++) world.tick();
    assertAlmostEquals(world.motionOf(0).angle, -0.5, 0.05);
    world.free();
  });

  Deno.test(`engines: ${name} counts contacts, and its bodies fall asleep`, async () => {
    const crate = (x: number, y: number) => ({
      parts: [{ shape: { box: [0.4, 0.4] as const } }],
      x,
      y,
    });
    // The last crate stands beside the first one, 5 cm away: their boxes of the broad phase
    // overlap.
    const bodies = [crate(0, 0.4), crate(0, 1.2), crate(0, 10), crate(0.85, 0.4)];
    const scene: Scene = { gravity: 10, ground: [FLOOR], bodies };
    const world = (await ENGINES[name]()).build(scene, RATE);
    for (let tick = 0; tick < 10; tick++) world.tick();
    const awake = () => bodies.map((_, body) => world.isAwake(body));
    assertEquals([world.countContacts(), ...awake()], [3, true, true, true, true]);
    for (let tick = 0; tick < 300; tick++) world.tick();
    assertEquals([world.countContacts(), ...awake()], [4, false, false, false, false]);
    world.free();
  });
}
