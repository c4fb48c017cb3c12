import { assertAlmostEquals, assertEquals } from "@std/assert";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";

function poses(...entities: { entity: number; x: number; teleports?: number }[]): PoseList {
  const list = new PoseList();
  for (const { entity, x, teleports = 0 } of entities) {
    Object.assign(list.add(), { entity, seat: -1, x, y: 0, angle: 0, teleports });
  }
  return list;
}

const pair = (previousX: number, headX: number, teleports = 0) => ({
  previous: poses({ entity: 1, x: previousX }),
  head: poses({ entity: 1, x: headX, teleports }),
});

function drawnX(smoother: ErrorSmoother, at: ReturnType<typeof pair>, fraction: number): number {
  const out = { x: 0, y: 0, angle: 0 };
  smoother.place(at, at.head.at(0), { fraction, out });
  return out.x;
}

Deno.test("ErrorSmoother: a correction does not move the drawn pose, at any moment between two ticks", () => {
  for (const fraction of [0, 0.3, 1]) {
    const smoother = new ErrorSmoother();
    const before = pair(1, 2), after = pair(1.2, 1.7), again = pair(0.9, 2.3);
    const drawn = drawnX(smoother, before, fraction);
    smoother.absorb(before, after, fraction);
    assertAlmostEquals(drawnX(smoother, after, fraction), drawn);
    smoother.absorb(after, again, fraction);
    assertAlmostEquals(drawnX(smoother, again, fraction), drawn);
  }
});

Deno.test("ErrorSmoother: an offset halves every 80 ms until it is dropped", () => {
  const smoother = new ErrorSmoother();
  smoother.absorb(pair(0, 0), pair(0.1, 0.1), 1);
  let ms = 0;
  for (; smoother.offsetMetres(1) > 0.05; ms++) smoother.decay(1);
  assertAlmostEquals(ms, 80, 2);
  smoother.decay(5000);
  assertEquals(smoother.offsetMetres(1), 0);
});

Deno.test("ErrorSmoother: a large offset shrinks at 5 m/s, whatever the frame rate is, and by at most 10 cm a frame", () => {
  const smoother = new ErrorSmoother();
  smoother.absorb(pair(0, 0), pair(3, 3), 1);
  for (const frameMs of [4, 7, 17, 10, 20, 17, 33, 50, 1]) {
    const before = smoother.offsetMetres(1);
    smoother.decay(frameMs);
    assertAlmostEquals(before - smoother.offsetMetres(1), Math.min(0.1, 0.005 * frameMs));
  }
  // Two frames of one moment.
  const before = smoother.offsetMetres(1);
  smoother.decay(0);
  assertEquals(smoother.offsetMetres(1), before);
});

Deno.test("ErrorSmoother: the limit on slides is the same in every direction", () => {
  for (let turn = 0; turn < 8; turn++) {
    const smoother = new ErrorSmoother(), x = Math.cos(turn * Math.PI / 4), y = Math.sin(turn * Math.PI / 4);
    const at = (metres: number) => {
      const list = poses({ entity: 1, x: metres * x });
      list.at(0).y = metres * y;
      return { previous: list, head: list };
    };
    smoother.absorb(at(0), at(3.9), 1);
    assertAlmostEquals(smoother.offsetMetres(1), 3.9);
    smoother.absorb(at(0), at(0.2), 1);
    assertEquals(smoother.offsetMetres(1), 0);
  }
});

Deno.test("ErrorSmoother: eases neither a teleport nor a correction that is too far to slide (SPEC 9.17)", () => {
  const smoother = new ErrorSmoother();
  smoother.absorb(pair(0, 0), pair(1, 1, 1), 1);
  assertEquals(smoother.offsetMetres(1), 0);
  smoother.absorb(pair(0, 0), pair(9, 9), 1);
  assertEquals(smoother.offsetMetres(1), 0);
  // There is no pose between the ticks before and after a teleport.
  assertEquals(drawnX(smoother, pair(0, 10, 1), 0.5), 10);
});
