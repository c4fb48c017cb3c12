import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  CLOCK_MAX,
  fly,
  type Steering,
  tumble,
  type Velocity,
  type Wings,
} from "../../../../shared/games/dragons/flight.ts";
import * as tuning from "../../../../shared/games/dragons/tuning.ts";

const IDLE: Steering = { dir: 0, hold: false };
const inTheAir = (): Wings & Velocity => ({
  facing: 1,
  flapAge: CLOCK_MAX,
  flapBuffer: 0,
  airborne: 100,
  vx: 0,
  vy: 0,
});
const onTheGround = (): Wings & Velocity => ({ ...inTheAir(), airborne: 0 });

/** The ticks, from 0, in which the wings beat. @param presses in each tick */
function flapTicks(presses: readonly number[], hold = false): number[] {
  const flyer = inTheAir();
  return presses.flatMap((count, tick) => fly(flyer, flyer, { dir: 0, hold }, count) ? [tick] : []);
}

Deno.test("fly: a flap adds 5 m/s upwards and 2.2 m/s toward the direction held", () => {
  const flyer = inTheAir();
  flyer.vy = -2;
  assertEquals(fly(flyer, flyer, { dir: -1, hold: false }, 1), true);
  assertAlmostEquals(flyer.vy, 3);
  assertAlmostEquals(flyer.vx, -tuning.FLAP_THRUST - tuning.AIR_STEER);
  assertEquals(flyer.facing, -1);
});

Deno.test("fly: a tap during the cooldown waits at most two ticks for its end", () => {
  assertEquals(flapTicks([1, 1, 0, 0, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 0, 1, 0, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 0, 0, 1, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 1, 1, 0, 0, 0, 0]), [0, 3], "two taps that wait are one flap");
});

Deno.test("fly: a tap while the button counts as held is one flap, a held button repeats every 4 ticks", () => {
  assertEquals(flapTicks([1, 0, 0], true), [0]);
  assertEquals(flapTicks(new Array(13).fill(0), true), [0, 4, 8, 12]);
  assertEquals(flapTicks(new Array(13).fill(0)), []);
});

Deno.test("fly: the ground is run on, full speed and full stop within four ticks", () => {
  const flyer = onTheGround();
  for (let i = 0; i < 3; i++) fly(flyer, flyer, { dir: 1, hold: false }, 0);
  assertEquals(flyer.vx < tuning.RUN_SPEED, true);
  fly(flyer, flyer, { dir: 1, hold: false }, 0);
  assertEquals(flyer.vx, tuning.RUN_SPEED);
  for (let i = 0; i < 4; i++) fly(flyer, flyer, IDLE, 0);
  assertEquals(flyer.vx, 0);
});

Deno.test("fly: for two ticks after the edge a take-off is a full one, later the fall is paid for", () => {
  for (let airborne = 0; airborne <= tuning.COYOTE_TICKS + 1; airborne++) {
    const flyer = { ...inTheAir(), airborne, vy: -1.4 };
    fly(flyer, flyer, IDLE, 1);
    assertAlmostEquals(flyer.vy, airborne <= tuning.COYOTE_TICKS ? tuning.FLAP_RISE : tuning.FLAP_RISE - 1.4);
    assertEquals(flyer.airborne > tuning.COYOTE_TICKS, true, "a take-off is had once");
  }
});

Deno.test("fly: own effort is bounded, and takes nothing from who was thrown faster", () => {
  const flyer = inTheAir();
  for (let i = 0; i < 100; i++) fly(flyer, flyer, { dir: 1, hold: true }, 1);
  assertEquals(flyer.vx, tuning.FLY_SPEED_MAX);
  assertEquals(flyer.vy, tuning.RISE_MAX);
  Object.assign(flyer, { vx: 10, vy: 9 });
  fly(flyer, flyer, { dir: 1, hold: true }, 1);
  assertEquals([flyer.vx, flyer.vy], [10, 9]);
  Object.assign(flyer, { vx: -40, vy: -40 });
  tumble(flyer, flyer);
  assertEquals([flyer.vx, flyer.vy], [-tuning.THROWN_SPEED_MAX, -tuning.FALL_MAX]);
});

Deno.test("tumble: a waiting press is forgotten", () => {
  const flyer = inTheAir();
  fly(flyer, flyer, IDLE, 1);
  fly(flyer, flyer, IDLE, 1);
  tumble(flyer, flyer);
  for (let i = 0; i < 5; i++) assertEquals(fly(flyer, flyer, IDLE, 0), false);
});
