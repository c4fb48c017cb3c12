/** Drawn poses while the head stalls, leaps, or is rewound. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { PoseInterpolator } from "../../../client/presentation/pose_interpolator.ts";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";

const ENTITY = 1;
const FRAME_MS = 1000 / 60;
/** Metres per tick. */
const SPEED = 0.5;
/** An error offset moves no faster than this in one frame: 24 m/s. */
const SLIDE_METRES_MAX = 0.4;

function at(x: number, teleports = 0): PoseList {
  const poses = new PoseList();
  Object.assign(poses.add(), { entity: ENTITY, seat: 0, x, y: 0, angle: 0, teleports });
  return poses;
}

/** Draws an entity that flies to the right, `off` metres from its path. */
function openFlight() {
  const smoother = new ErrorSmoother();
  const interpolator = new PoseInterpolator(smoother);
  const out = { x: 0, y: 0, angle: 0 };
  return (tick: number, fraction: number, { off = 0, teleports = 0 } = {}) => {
    smoother.decay(FRAME_MS);
    const x = tick * SPEED + off;
    const input = {
      tick,
      seat: -1,
      previous: at(x - SPEED),
      head: at(x, teleports),
      ahead: at(x + SPEED, teleports),
    };
    const segment = interpolator.update(input, fraction);
    smoother.place(segment, segment.head.find(ENTITY)!, { fraction, out });
    return out.x;
  };
}

Deno.test("PoseInterpolator: without corrections, drawn poses lie on the path", () => {
  const draw = openFlight();
  for (let ticks = 10; ticks < 20; ticks += 0.3) {
    assertAlmostEquals(draw(Math.floor(ticks), ticks - Math.floor(ticks)), ticks * SPEED);
  }
});

Deno.test("PoseInterpolator: after a stalled head leaps, the drawn pose catches up without a leap", () => {
  const draw = openFlight();
  draw(10, 0.7);
  let before = draw(10, 1);
  assertEquals(draw(10, 1), before);
  assertAlmostEquals(draw(14, 0.2), before);
  for (let ticks = 14.2; ticks < 30; ticks += 0.3) {
    const now = draw(Math.floor(ticks), ticks - Math.floor(ticks));
    assert(
      now >= before && now - before < 0.3 * SPEED + SLIDE_METRES_MAX,
      `a step of ${now - before} m`,
    );
    before = now;
  }
  assertAlmostEquals(before, 29.8 * SPEED, 0.01);
});

Deno.test("PoseInterpolator: a frame after a long gap is on the path", () => {
  const draw = openFlight();
  draw(10, 0.7);
  assertAlmostEquals(draw(14, 0.2), 14.2 * SPEED);
});

Deno.test("PoseInterpolator: a rewound head does not move the drawn pose at once", () => {
  const draw = openFlight();
  const before = draw(10, 0.8);
  assertAlmostEquals(draw(10, 0), before);
  const draw2 = openFlight();
  const there = draw2(10, 0.8);
  assertAlmostEquals(draw2(7, 0.3), there);
});

Deno.test("PoseInterpolator: a teleport is never eased, whether the head stalled or not", () => {
  for (const fraction of [0.8, 1]) {
    const draw = openFlight();
    draw(10, fraction);
    assertAlmostEquals(draw(11, 0.2, { off: 3, teleports: 1 }), 11.2 * SPEED + 3);
  }
});
