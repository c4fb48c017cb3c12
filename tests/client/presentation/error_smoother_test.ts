import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertLessOrEqual,
} from "@std/assert";
import { ErrorSmoother } from "../../../client/presentation/error_smoother.ts";
import type { Solid } from "../../../client/presentation/solids.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { Random } from "../../../shared/random.ts";

const ENTITY = 1;
const TICK_HZ = 20;
/** The limits that `error_smoother.ts` explains. */
const SLIDE_SPEED_MAX = 36;
const FADE_METRES = 3.5;
const FADE_MS = 120;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Two ticks of a body that passes `at` in the middle between them. */
function segment(at: Point, velocity: Point = { x: 0, y: 0 }, { teleports = 0, seat = -1 } = {}) {
  const poses = (half: number) => {
    const list = new PoseList();
    const x = at.x + half * velocity.x / TICK_HZ / 2;
    const y = at.y + half * velocity.y / TICK_HZ / 2;
    Object.assign(list.add(), { entity: ENTITY, seat, x, y, angle: 0, teleports });
    return list;
  };
  return { previous: poses(-1), head: poses(1) };
}

type Segment = ReturnType<typeof segment>;

function drawnAt(smoother: ErrorSmoother, on: Segment, fraction = 0.5, solids?: readonly Solid[]) {
  const out = { x: 0, y: 0, angle: 0 };
  const body = solids && { radius: 0.5, solids };
  smoother.place(on, on.head.at(0), { fraction, out, body });
  return out;
}

/** The velocity with which a body is drawn after this moment. */
function drawnVelocity(smoother: ErrorSmoother, on: Segment): Point {
  const seconds = 1e-6;
  const before = drawnAt(smoother, on);
  smoother.decay(seconds * 1000);
  const after = drawnAt(smoother, on, 0.5 + seconds * TICK_HZ);
  return { x: (after.x - before.x) / seconds, y: (after.y - before.y) / seconds };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A random vector, no longer than `length` in each direction. */
function vector(random: Random, length: number): Point {
  return { x: length * (2 * random.fraction() - 1), y: length * (2 * random.fraction() - 1) };
}

const ORIGIN = { x: 0, y: 0 };

Deno.test("ErrorSmoother: a correction does not move the drawn place, and hides half of the change of velocity [seed 51]", () => {
  const random = new Random(51);
  for (let run = 0; run < 300; run++) {
    const smoother = new ErrorSmoother(TICK_HZ);
    let now = segment(vector(random, 0.4), vector(random, 4));
    for (let correction = 0; correction < 3; correction++) {
      const next = segment(vector(random, 0.4), vector(random, 4));
      const velocity = drawnVelocity(smoother, now);
      const drawn = drawnAt(smoother, now);
      smoother.absorb(now, next, 0.5);
      assertLess(distance(drawnAt(smoother, next), drawn), 1e-9);
      const [was, is] = [now, next].map((path) => drawnVelocity(new ErrorSmoother(), path)) as [
        Point,
        Point,
      ];
      const half = { x: velocity.x + (is.x - was.x) / 2, y: velocity.y + (is.y - was.y) / 2 };
      assertLess(distance(drawnVelocity(smoother, next), half), 0.01);
      now = next;
      smoother.decay(30 * random.fraction());
    }
  }
});

Deno.test("ErrorSmoother: a correction does not move the drawn place, at any moment between two ticks", () => {
  for (const fraction of [0, 0.3, 1]) {
    const smoother = new ErrorSmoother();
    const before = segment({ x: 1.5, y: 0 }, { x: 20, y: 0 });
    const after = segment({ x: 1.3, y: 0 }, { x: 10, y: 4 });
    const drawn = drawnAt(smoother, before, fraction);
    smoother.absorb(before, after, fraction);
    assertLess(distance(drawnAt(smoother, after, fraction), drawn), 1e-9);
  }
});

Deno.test("ErrorSmoother: the own body changes its velocity at once, because its own keys do that", () => {
  const seat = 3;
  const smoother = new ErrorSmoother(TICK_HZ);
  const before = segment(ORIGIN, ORIGIN, { seat });
  const flap = segment(ORIGIN, { x: 0, y: 5 }, { seat });
  smoother.absorb(before, flap, 0.5, { ownSeat: seat });
  assertAlmostEquals(drawnVelocity(smoother, flap).y, 5, 0.01);
  const rival = new ErrorSmoother(TICK_HZ);
  rival.absorb(before, flap, 0.5, { ownSeat: 4 });
  assertAlmostEquals(drawnVelocity(rival, flap).y, 2.5, 0.01);
});

Deno.test("ErrorSmoother: an entity that is new before or after a correction gives the offset no velocity", () => {
  const flying = segment(ORIGIN, { x: 8, y: 0 });
  const isNew = { previous: new PoseList(), head: flying.head };
  for (const [before, after] of [[isNew, flying], [flying, isNew]] as const) {
    const smoother = new ErrorSmoother(TICK_HZ);
    const path = after === flying ? 8 : 0;
    smoother.absorb(before, after, 1);
    assertAlmostEquals(drawnVelocity(smoother, after).x, path, 0.01);
  }
});

Deno.test("ErrorSmoother: an offset at rest shrinks all the time and never swings past its end", () => {
  for (const metres of [0.01, 0.3, 1, 2.9, 3.4]) {
    const smoother = new ErrorSmoother();
    const end = segment(ORIGIN);
    smoother.absorb(segment({ x: metres, y: -metres / 10 }), end, 0.5);
    let before = Infinity;
    for (let ms = 0; ms < 1000; ms += 2) {
      smoother.decay(2);
      const { x, y } = drawnAt(smoother, end);
      assert(x >= 0 && y <= 0 && (x < before || x === 0), `${x}, ${y} after ${before}`);
      before = x;
    }
    assertEquals(
      [drawnAt(smoother, end).x, smoother.offsetMetres(ENTITY)],
      [0, 0],
      "and it is dropped",
    );
  }
});

Deno.test("ErrorSmoother: an offset that moves passes its end at most once [seed 52]", () => {
  const random = new Random(52);
  for (let run = 0; run < 300; run++) {
    const smoother = new ErrorSmoother();
    const end = segment(ORIGIN);
    smoother.absorb(segment(vector(random, 1), vector(random, 15)), end, 0.5);
    let passes = 0;
    let before = drawnAt(smoother, end).x;
    for (let ms = 0; ms < 1000; ms += 2) {
      smoother.decay(2);
      const { x } = drawnAt(smoother, end);
      if (x * before < 0) passes++;
      if (x !== 0) before = x;
    }
    assertLessOrEqual(passes, 1);
  }
});

Deno.test("ErrorSmoother: frames of any length lead to the same place [seed 53]", () => {
  const random = new Random(53);
  for (let run = 0; run < 300; run++) {
    const end = segment(ORIGIN);
    const from = segment(vector(random, 1.5), vector(random, 15));
    const [even, uneven] = [new ErrorSmoother(), new ErrorSmoother()];
    for (const smoother of [even, uneven]) smoother.absorb(from, end, 0.5);
    let leftMs = 80;
    even.decay(leftMs);
    while (leftMs > 0) {
      const frameMs = Math.min(leftMs, 1 + 40 * random.fraction());
      uneven.decay(frameMs);
      leftMs -= frameMs;
    }
    assertLess(distance(drawnAt(even, end), drawnAt(uneven, end)), 1e-9);
  }
});

Deno.test("ErrorSmoother: no offset moves faster than 36 m/s, however far and fast it begins [seed 54]", () => {
  const random = new Random(54);
  let fastest = 0;
  for (let run = 0; run < 1000; run++) {
    const smoother = new ErrorSmoother();
    const end = segment(ORIGIN);
    smoother.absorb(segment(vector(random, 2.4), vector(random, 90)), end, 0.5);
    if (smoother.fadeOf(ENTITY) !== undefined) continue;
    let before = drawnAt(smoother, end);
    for (let ms = 0; ms < 400; ms++) {
      smoother.decay(1);
      const now = drawnAt(smoother, end);
      fastest = Math.max(fastest, distance(now, before) * 1000);
      before = now;
    }
  }
  assertLess(fastest, SLIDE_SPEED_MAX);
  assertGreater(fastest, 0.8 * SLIDE_SPEED_MAX);
});

Deno.test("ErrorSmoother: an offset is hardly visible after 250 ms", () => {
  for (const metres of [0.2, 1, 2]) {
    const smoother = new ErrorSmoother();
    smoother.absorb(segment({ x: metres, y: 0 }), segment(ORIGIN), 0.5);
    smoother.decay(250);
    assertLess(smoother.offsetMetres(ENTITY), 0.1 * metres);
  }
});

Deno.test("ErrorSmoother: a body that would slide too far is faded over, in every direction (SPEC 8.24)", () => {
  for (let turn = 0; turn < 8; turn++) {
    const at = (metres: number) => (
      { x: metres * Math.cos(turn * Math.PI / 4), y: metres * Math.sin(turn * Math.PI / 4) }
    );
    const smoother = new ErrorSmoother();
    const end = segment(ORIGIN);
    smoother.absorb(segment(at(FADE_METRES - 0.01)), end, 0.5);
    assertEquals(smoother.fadeOf(ENTITY), undefined);
    assertAlmostEquals(smoother.offsetMetres(ENTITY), FADE_METRES - 0.01);
    smoother.absorb(segment(at(0.02)), end, 0.5);
    const { x, y, opacity } = smoother.fadeOf(ENTITY)!;
    assertLess(
      distance({ x, y }, at(FADE_METRES + 0.01)),
      1e-9,
      "the old picture stays where it was",
    );
    assertEquals([opacity, drawnAt(smoother, end)], [0, { x: 0, y: 0, angle: 0 }]);
  }
});

Deno.test("ErrorSmoother: in a fade the new picture comes as the old one goes, whatever the frames are", () => {
  const smoother = new ErrorSmoother();
  const end = segment(ORIGIN);
  smoother.absorb(segment({ x: 9, y: 0 }), end, 0.5);
  for (const ms of [1, 29, 30]) smoother.decay(ms);
  assertAlmostEquals(smoother.fadeOf(ENTITY)!.opacity, 60 / FADE_MS);
  assertEquals(drawnAt(smoother, end).x, 0);
  smoother.decay(60);
  assertEquals(smoother.fadeOf(ENTITY), undefined);
});

Deno.test("ErrorSmoother: eases and fades neither a teleport nor a new entity (SPEC 9.17)", () => {
  const smoother = new ErrorSmoother();
  const far = segment({ x: 9, y: 0 }, { x: 5, y: 0 }, { teleports: 1 });
  smoother.absorb(segment(ORIGIN), far, 0.5);
  smoother.absorb({ previous: new PoseList(), head: new PoseList() }, far, 0.5);
  assertEquals([smoother.offsetMetres(ENTITY), smoother.fadeOf(ENTITY)], [0, undefined]);
  // There is no pose between the ticks before and after a teleport.
  const across = { previous: segment(ORIGIN).previous, head: far.head };
  assertEquals(drawnAt(smoother, across, 0.5).x, far.head.at(0).x);
  // No velocity either: the body would be drawn as if it had flown.
  smoother.absorb(across, far, 1);
  assertEquals(smoother.offsetMetres(ENTITY), 0);
});

const FLOOR: Solid = { x: 0, y: -0.5, width: 100, height: 1 };
const LEDGE: Solid = { x: 0, y: 3, width: 6, height: 0.5 };
const RADIUS = 0.5;

/** Metres from the surface of a body to the nearest solid; negative inside. */
function clearance({ x, y }: Point, solids: readonly Solid[]): number {
  return Math.min(...solids.map((solid) => {
    const dx = Math.max(0, Math.abs(x - solid.x) - solid.width / 2);
    const dy = Math.max(0, Math.abs(y - solid.y) - solid.height / 2);
    return Math.hypot(dx, dy) - RADIUS;
  }));
}

Deno.test("ErrorSmoother: a body that stands on the ground is not drawn below it, and slides along it", () => {
  const smoother = new ErrorSmoother();
  const end = segment({ x: 0, y: RADIUS });
  smoother.absorb(segment({ x: 1, y: RADIUS - 0.3 }, { x: 0, y: -8 }), end, 0.5);
  let before = 1;
  for (let ms = 0; ms < 300; ms += 16) {
    const { x, y } = drawnAt(smoother, end, 0.5, [FLOOR]);
    assertAlmostEquals(y, RADIUS, 1e-9);
    assert(x <= before && x >= 0);
    before = x;
    smoother.decay(16);
  }
  assertLess(before, 0.1);
});

Deno.test("ErrorSmoother: a body is faded through a ledge instead of sliding through it (SPEC 8.24)", () => {
  const solids = [FLOOR, LEDGE];
  const below = segment({ x: 0, y: 2 });
  const smoother = new ErrorSmoother();
  smoother.absorb(segment({ x: 0, y: 4 }), below, 0.5);
  assertEquals(drawnAt(smoother, below, 0.5, solids), { x: 0, y: 2, angle: 0 });
  assertEquals(smoother.fadeOf(ENTITY)?.y, 4);
  // Beside the ledge there is nothing between the two places.
  const beside = new ErrorSmoother();
  const low = segment({ x: 5, y: 2 });
  beside.absorb(segment({ x: 5, y: 4 }), low, 0.5);
  assertEquals(drawnAt(beside, low, 0.5, solids).y, 4);
  assertEquals(beside.fadeOf(ENTITY), undefined);
});

Deno.test("ErrorSmoother: among solids a body is never drawn inside one, and takes no step [seed 55]", () => {
  const random = new Random(55);
  const solids = [FLOOR, LEDGE];
  const freePlace = (): Point => {
    while (true) {
      const at = { x: 4.5 * (2 * random.fraction() - 1), y: 0.5 + 5 * random.fraction() };
      if (clearance(at, solids) >= 0) return at;
    }
  };
  const frameMs = 1000 / 60;
  let pushed = 0;
  let faded = 0;
  let longest = 0;

  for (let run = 0; run < 2000; run++) {
    const smoother = new ErrorSmoother();
    let now = segment(freePlace());
    let before = drawnAt(smoother, now, 0.5, solids);
    for (let frame = 0; frame < 60; frame++) {
      const wasFading = smoother.fadeOf(ENTITY) !== undefined;
      smoother.decay(frameMs);
      if (frame % 15 === 0) {
        const next = segment(freePlace(), vector(random, 6));
        smoother.absorb(now, next, 0.5);
        now = next;
      }
      const free = drawnAt(smoother, now);
      const drawn = drawnAt(smoother, now, 0.5, solids);
      assertGreater(clearance(drawn, solids), -1e-9);
      if (distance(free, drawn) > 0) pushed++;
      const isFading = smoother.fadeOf(ENTITY) !== undefined;
      if (isFading && !wasFading) faded++;
      if (!isFading) longest = Math.max(longest, distance(drawn, before));
      before = drawn;
    }
  }

  assertGreater(pushed, 300);
  assertGreater(faded, 100);
  assertLess(longest, 1.1 * SLIDE_SPEED_MAX * frameMs / 1000);
});
