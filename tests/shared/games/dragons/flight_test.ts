import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  fly,
  type Steering,
  TIMER_MAX,
  tumble,
  type Velocity,
  type WingState,
} from "../../../../shared/games/dragons/flight.ts";
import * as tuning from "../../../../shared/games/dragons/tuning.ts";

const IDLE: Steering = { dir: 0, flapHeld: false };
const inTheAir = (): WingState & Velocity => ({
  facing: 1,
  flapAge: TIMER_MAX,
  flapBuffer: 0,
  airborne: 100,
  vx: 0,
  vy: 0,
});
const onTheGround = (): WingState & Velocity => ({ ...inTheAir(), airborne: 0 });

/**
 * @returns the ticks, from 0, in which the wings beat.
 * @param presses of the flap button, by tick
 */
function flapTicks(presses: readonly number[], flapHeld = false): number[] {
  const flight = inTheAir();
  return presses.flatMap((count, tick) =>
    fly(flight, flight, { dir: 0, flapHeld }, count) ? [tick] : []
  );
}

Deno.test("fly: a flap adds 5 m/s upwards and 2.2 m/s toward the direction held", () => {
  const flight = inTheAir();
  flight.vy = -2;
  assertEquals(fly(flight, flight, { dir: -1, flapHeld: false }, 1), true);
  assertAlmostEquals(flight.vy, 3);
  assertAlmostEquals(flight.vx, -tuning.FLAP_THRUST - tuning.AIR_STEER);
  assertEquals(flight.facing, -1);
});

Deno.test("fly: a tap during the cooldown waits at most two ticks for its end", () => {
  assertEquals(flapTicks([1, 1, 0, 0, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 0, 1, 0, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 0, 0, 1, 0, 0, 0]), [0, 3]);
  assertEquals(flapTicks([1, 1, 1, 0, 0, 0, 0]), [0, 3], "two taps that wait are one flap");
});

Deno.test("fly: a tap that also holds the button is one flap; a held button repeats every 4 ticks", () => {
  assertEquals(flapTicks([1, 0, 0], true), [0]);
  assertEquals(flapTicks(new Array(13).fill(0), true), [0, 4, 8, 12]);
  assertEquals(flapTicks(new Array(13).fill(0)), []);
});

Deno.test("fly: on the ground a dragon reaches full speed and stops within four ticks", () => {
  const flight = onTheGround();
  for (let i = 0; i < 3; i++) fly(flight, flight, { dir: 1, flapHeld: false }, 0);
  assertEquals(flight.vx < tuning.RUN_SPEED, true);
  fly(flight, flight, { dir: 1, flapHeld: false }, 0);
  assertEquals(flight.vx, tuning.RUN_SPEED);
  for (let i = 0; i < 4; i++) fly(flight, flight, IDLE, 0);
  assertEquals(flight.vx, 0);
});

Deno.test("fly: a take-off has its full rise for two ticks after an edge; later the fall reduces it", () => {
  for (let airborne = 0; airborne <= tuning.COYOTE_TICKS + 1; airborne++) {
    const flight = { ...inTheAir(), airborne, vy: -1.4 };
    fly(flight, flight, IDLE, 1);
    assertAlmostEquals(
      flight.vy,
      airborne <= tuning.COYOTE_TICKS ? tuning.FLAP_RISE : tuning.FLAP_RISE - 1.4,
    );
    assertEquals(flight.airborne > tuning.COYOTE_TICKS, true, "there is only one take-off");
  }
});

Deno.test("fly: flight has a speed limit, and does not slow down a dragon that was thrown faster", () => {
  const flight = inTheAir();
  for (let i = 0; i < 100; i++) fly(flight, flight, { dir: 1, flapHeld: true }, 1);
  assertEquals(flight.vx, tuning.FLY_SPEED_MAX);
  assertEquals(flight.vy, tuning.RISE_MAX);
  Object.assign(flight, { vx: 10, vy: 9 });
  fly(flight, flight, { dir: 1, flapHeld: true }, 1);
  assertEquals([flight.vx, flight.vy], [10, 9]);
  Object.assign(flight, { vx: -40, vy: -40 });
  tumble(flight, flight);
  assertEquals([flight.vx, flight.vy], [-tuning.THROWN_SPEED_MAX, -tuning.FALL_MAX]);
});

Deno.test("tumble: a waiting press is dropped", () => {
  const flight = inTheAir();
  fly(flight, flight, IDLE, 1);
  fly(flight, flight, IDLE, 1);
  tumble(flight, flight);
  for (let i = 0; i < 5; i++) assertEquals(fly(flight, flight, IDLE, 0), false);
});
