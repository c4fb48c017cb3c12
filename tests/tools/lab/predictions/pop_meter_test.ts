import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { ErrorSmoother } from "../../../../client/presentation/error_smoother.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { type DragonRowOptions, runDragonRow } from "./dragon_row.ts";
import { PopMeter } from "../../../../client/lab/engine/pop_meter.ts";

const SECONDS = 10;
const TICK_HZ = 20;
const FRAMES_PER_SECOND = 60;

/** Measures a body with the definitive place x(ticks) and the drawn place x(ticks) + e(frame). */
function meter(
  x: (ticks: number) => number,
  e: (frame: number) => number,
  teleports = (_ticks: number) => 0,
) {
  const popMeter = new PopMeter();
  const posesAt = (ticks: number, error: number) => {
    const list = new PoseList();
    Object.assign(list.add(), {
      entity: 1,
      seat: 0,
      x: x(ticks) + error,
      y: 3,
      angle: 0,
      teleports: teleports(ticks),
    });
    return list;
  };
  for (let frame = 0; frame < SECONDS * FRAMES_PER_SECOND; frame++) {
    const ticks = frame * TICK_HZ / FRAMES_PER_SECOND;
    popMeter.addFrame(posesAt(ticks, e(frame)), ticks, (tick) => posesAt(tick, 0));
  }
  return popMeter.figures;
}

const runs = (ticks: number) => 0.3 * ticks;

Deno.test("PopMeter: a body without error has no pops, whether it stands, runs or is teleported", () => {
  for (const x of [() => 5, runs, (ticks: number) => 2 * Math.floor(ticks / 7) % 5 + runs(ticks)]) {
    const { pops } = meter(
      (ticks) =>
        x(Math.floor(ticks)) + (x(Math.floor(ticks) + 1) - x(Math.floor(ticks))) * (ticks % 1),
      () => 0,
    );
    assertAlmostEquals(pops, 0, 1e-9);
  }
  const { pops } = meter((ticks) => ticks < 100 ? 1 : 20, () => 0, (ticks) => ticks < 100 ? 0 : 1);
  assertEquals(pops, 0);
});

Deno.test("PopMeter: a constant error of 0.25 m is 1, and so is a leap by 0.25 m once a second", () => {
  assertAlmostEquals(meter(runs, () => 0.25).pops, 1, 1e-9);
  // Wrong for one second and right for the next: a leap each second, and an error half of the time.
  const leaps = meter(runs, (frame) => Math.floor(frame / FRAMES_PER_SECOND) % 2 * 0.25);
  assertAlmostEquals(leaps.errorMetres, 0.125, 1e-9);
  assertAlmostEquals(leaps.leapMetres, 0.25 * 9 / 10, 1e-9);
});

Deno.test("PopMeter: each backward slide of a body that moves on is one reversal", () => {
  // The body runs 10 cm a frame. It is drawn forward for 40 frames and backward for 20.
  const { reversals } = meter(runs, (frame) => frame % 60 < 40 ? 0 : -0.2 * (frame % 60 - 39));
  assertAlmostEquals(reversals, 1, 0.01);
  assertEquals(meter(runs, (frame) => 0.05 * Math.sin(frame)).reversals, 0);
});

const row: DragonRowOptions = {
  profile: "4g",
  link: "datagram",
  players: 3,
  npcs: 2,
  seconds: 12,
  seed: 88,
  correlated: false,
};

Deno.test("PopMeter: the figure is worse without a smoother and with a worse one [seed 88]", () => {
  const bare = {
    absorb: () => {},
    decay: () => {},
    place: ErrorSmoother.prototype.place.bind(new ErrorSmoother()),
  };

  /** Keeps an error twenty times as long. */
  const stubborn = () => {
    const smoother = new ErrorSmoother();
    return {
      absorb: smoother.absorb.bind(smoother),
      decay: (ms: number) => smoother.decay(ms / 20),
      place: smoother.place.bind(smoother),
    };
  };
  const ours = runDragonRow(row);
  const leaping = runDragonRow({ ...row, smoother: () => bare });
  const slow = runDragonRow({ ...row, smoother: stubborn });
  assertGreater(ours.rollbacks, 140);
  assertGreater(ours.popMeter, 0.1);
  assertGreater(leaping.popMeter, 1.5 * ours.popMeter);
  assertGreater(leaping.popLeapM, 2 * ours.popLeapM);
  assertGreater(slow.popMeter, 1.5 * ours.popMeter);
  assertGreater(slow.popErrorM, 2 * ours.popErrorM);

  // The runs do not differ in anything else.
  assertEquals([leaping.rollbacks, slow.rollbacks], [ours.rollbacks, ours.rollbacks]);
  assertLess(ours.popMeter, 1.5);
});
