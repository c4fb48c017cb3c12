import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  fly,
  NEVER,
  type Steering,
  tumble,
  type Velocity,
  type WingState,
} from "../../../../shared/games/dragons/flight.ts";
import * as tuning from "../../../../shared/games/dragons/tuning.ts";

const IDLE: Steering = { dir: 0, flapHeld: false };
const inTheAir = (): WingState & Velocity => ({
  flapAge: NEVER,
  flapBuffer: 0,
  airborne: 100,
  vx: 0,
  vy: 0,
});
const onTheGround = (): WingState & Velocity => ({ ...inTheAir(), airborne: 0 });

/** One tick's flight: clocks and stopwatches count before the rules. */
function flyTick(
  flight: WingState & Velocity,
  steering: Steering,
  presses: number,
): boolean {
  flight.flapAge = Math.min(NEVER, flight.flapAge + 1);
  flight.flapBuffer = Math.max(0, flight.flapBuffer - 1);
  return fly(flight, flight, steering, { presses, belt: 0 });
}

/**
 * @returns the ticks, from 0, in which the wings beat.
 * @param presses of the flap button, by tick
 */
function flapTicks(presses: readonly number[], flapHeld = false): number[] {
  const flight = inTheAir();
  return presses.flatMap((count, tick) =>
    flyTick(flight, { dir: 0, flapHeld }, count) ? [tick] : []
  );
}

Deno.test("fly: a flap adds 5 m/s upwards and 2.2 m/s toward the direction held", () => {
  const flight = inTheAir();
  flight.vy = -2;
  assertEquals(flyTick(flight, { dir: -1, flapHeld: false }, 1), true);
  assertAlmostEquals(flight.vy, 3);
  assertAlmostEquals(flight.vx, -tuning.FLAP_THRUST - tuning.AIR_STEER);
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
  for (let i = 0; i < 3; i++) flyTick(flight, { dir: 1, flapHeld: false }, 0);
  assertEquals(flight.vx < tuning.RUN_SPEED, true);
  flyTick(flight, { dir: 1, flapHeld: false }, 0);
  assertEquals(flight.vx, tuning.RUN_SPEED);
  for (let i = 0; i < 4; i++) flyTick(flight, IDLE, 0);
  assertEquals(flight.vx, 0);
});

Deno.test("fly: a take-off has its full rise for two ticks after an edge; later the fall reduces it", () => {
  for (let ago = 0; ago <= tuning.COYOTE_TICKS + 1; ago++) {
    // The tick that flies counts, too.
    const flight = { ...inTheAir(), airborne: ago + 1, vy: -1.4 };
    flyTick(flight, IDLE, 1);
    assertAlmostEquals(
      flight.vy,
      ago <= tuning.COYOTE_TICKS ? tuning.FLAP_RISE : tuning.FLAP_RISE - 1.4,
    );
    assertEquals(flight.airborne > tuning.COYOTE_TICKS + 1, true, "there is only one take-off");
  }
});

Deno.test("fly: flight has a speed limit, and does not slow down a dragon that was thrown faster", () => {
  const flight = inTheAir();
  for (let i = 0; i < 100; i++) flyTick(flight, { dir: 1, flapHeld: true }, 1);
  assertEquals(flight.vx, tuning.FLY_SPEED_MAX);
  assertEquals(flight.vy, tuning.RISE_MAX);
  Object.assign(flight, { vx: 10, vy: 9 });
  flyTick(flight, { dir: 1, flapHeld: true }, 1);
  assertEquals([flight.vx, flight.vy], [10, 9]);
  Object.assign(flight, { vx: -40, vy: -40 });
  tumble(flight, flight);
  assertEquals([flight.vx, flight.vy], [-tuning.THROWN_SPEED_MAX, -tuning.FALL_MAX]);
});

Deno.test("tumble: a waiting press is dropped", () => {
  const flight = inTheAir();
  flyTick(flight, IDLE, 1);
  flyTick(flight, IDLE, 1);
  tumble(flight, flight);
  for (let i = 0; i < 5; i++) assertEquals(flyTick(flight, IDLE, 0), false);
});
