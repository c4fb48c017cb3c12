import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { DragonAnimation } from "../../../../../../client/games/dragons/presenters/dragon/animation.ts";
import {
  BITMAP_PIXELS_MAX,
  DragonBitmaps,
  NEW_BITMAPS_PER_FRAME,
} from "../../../../../../client/games/dragons/presenters/dragon/bitmaps.ts";
import { dragonPresenter } from "../../../../../../client/games/dragons/presenters/dragon/dragon.ts";
import { dragonSprite, drawingOn } from "./sprites.ts";

const PIXELS_PER_METRE = 40;
const SMALL = { width: 32 * PIXELS_PER_METRE, height: 18 * PIXELS_PER_METRE };

/** A context that counts the areas that it fills and the bitmaps that it copies. */
function countingContext() {
  const counts = { fills: 0, copies: 0 };
  const methods: Record<PropertyKey, () => void> = {
    fill: () => counts.fills++,
    drawImage: () => counts.copies++,
  };
  const context = new Proxy({}, { get: (_, name) => methods[name] ?? (() => {}), set: () => true });
  return { counts, context: context as CanvasRenderingContext2D };
}

/** A drawing of the whole arena on a canvas of this size, and what it counts. */
function countingDrawing(size: { width: number; height: number }) {
  const { counts, context } = countingContext();
  return { counts, drawing: { ...drawingOn(context, size), isSlow: true } };
}

/** Bitmaps on canvases that count and that measure themselves. */
function countingBitmaps() {
  const canvases: { width: number; height: number }[] = [];
  const painted = countingContext();
  const bitmaps = new DragonBitmaps(() => {
    const canvas = { width: 0, height: 0, getContext: () => painted.context };
    canvases.push(canvas);
    return canvas as unknown as HTMLCanvasElement;
  });
  return { bitmaps, canvases, painted: painted.counts };
}

/** A dragon in flight that looks like this, the same for equal numbers. */
function styleOf(look: number, wing = 0.3) {
  const sprite = dragonSprite({ seat: look });
  const animation = new DragonAnimation(sprite);
  animation.wing = wing;
  return { sprite, style: { animation, look: sprite.look } };
}

Deno.test("DragonBitmaps: a pose is drawn once, and then copied (SPEC 8.21)", () => {
  const { drawing, counts } = countingDrawing(SMALL);
  const { bitmaps, painted } = countingBitmaps();
  const { sprite, style } = styleOf(0);
  bitmaps.beginFrame(PIXELS_PER_METRE);
  assert(bitmaps.draw(drawing, sprite, style));
  const { fills } = painted;
  assertGreater(fills, 5);
  for (let frame = 0; frame < 3; frame++) {
    bitmaps.beginFrame(PIXELS_PER_METRE);
    // A little farther in its beat.
    style.animation.wing += 0.02;
    assert(bitmaps.draw(drawing, { ...sprite, x: 3 + frame }, style));
  }
  assertEquals([painted.fills, counts], [fills, { fills: 0, copies: 4 }]);
});

Deno.test("DragonBitmaps: each part of a pose that shows has bitmaps of its own", () => {
  const { drawing } = countingDrawing(SMALL);
  const { bitmaps, canvases } = countingBitmaps();
  const { sprite, style } = styleOf(0);
  const changed: ((animation: DragonAnimation) => void)[] = [
    () => {},
    (animation) => animation.wing = -1,
    (animation) => animation.fold = 1,
    (animation) => animation.pitch = 0.2,
    (animation) => animation.turn = -1,
    (animation) => animation.mouthOpenMs = 50,
  ];
  const others = [{ dead: true }, { onGround: true }, { own: true }];

  for (const change of changed) {
    const animation = new DragonAnimation(sprite);
    change(animation);
    bitmaps.beginFrame(PIXELS_PER_METRE);
    bitmaps.draw(drawing, sprite, { ...style, animation });
  }

  for (const change of others) {
    bitmaps.beginFrame(PIXELS_PER_METRE);
    bitmaps.draw(drawing, dragonSprite(change), style);
  }
  bitmaps.beginFrame(PIXELS_PER_METRE);
  bitmaps.draw(drawing, sprite, { ...style, look: dragonSprite({ seat: 2 }).look });
  assertEquals(canvases.length, changed.length + others.length + 1);
});

Deno.test("DragonBitmaps: a frame prepares few; the other dragons are drawn as paths, and prepared later", () => {
  const { drawing, counts } = countingDrawing(SMALL);
  const dragons = [0, 1, 2, 3, 4].map((look) => styleOf(look));
  const { bitmaps, painted } = countingBitmaps();
  bitmaps.beginFrame(PIXELS_PER_METRE);
  const drawn = dragons.map(({ sprite, style }) => bitmaps.draw(drawing, sprite, style));
  assertEquals(drawn, dragons.map((_, i) => i < NEW_BITMAPS_PER_FRAME));
  assertEquals(counts.copies, NEW_BITMAPS_PER_FRAME);
  for (let frame = 0; frame < 2; frame++) {
    bitmaps.beginFrame(PIXELS_PER_METRE);
    for (const { sprite, style } of dragons) bitmaps.draw(drawing, sprite, style);
  }
  const { fills } = painted;
  bitmaps.beginFrame(PIXELS_PER_METRE);
  assert(dragons.every(({ sprite, style }) => bitmaps.draw(drawing, sprite, style)));
  assertEquals(painted.fills, fills);
});

Deno.test("DragonBitmaps: there are never more pixels than the limit; the bitmap that was not used the longest makes room", () => {
  const { bitmaps, canvases, painted } = countingBitmaps();
  const kept = styleOf(0);
  const { drawing } = countingDrawing({ width: 3840, height: 2160 });
  const pixelsPerMetre = 120;
  const poses = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((look) =>
    [-1, -0.4, 0.3, 1].flatMap((wing) =>
      [-0.3, -0.1, 0.1].map((pitch) => ({ ...styleOf(look, wing), pitch }))
    )
  );

  for (const { sprite, style, pitch } of poses) {
    style.animation.pitch = pitch;
    bitmaps.beginFrame(pixelsPerMetre);
    const { fills } = painted;
    bitmaps.draw(drawing, kept.sprite, kept.style);
    if (bitmaps.count > 1) assertEquals(painted.fills, fills, "a bitmap in use stays");
    bitmaps.draw(drawing, sprite, style);
    const { width, height } = canvases.at(-1)!;
    assertLessOrEqual(bitmaps.count * width * height, BITMAP_PIXELS_MAX);
  }

  assertLess(bitmaps.count, poses.length);
  assertEquals(canvases.length, 1 + poses.length);
});

Deno.test("DragonBitmaps: a canvas of another size gets new bitmaps", () => {
  const { drawing } = countingDrawing(SMALL);
  const { bitmaps } = countingBitmaps();
  const { sprite, style } = styleOf(0);
  bitmaps.beginFrame(PIXELS_PER_METRE);
  bitmaps.draw(drawing, sprite, style);
  bitmaps.beginFrame(PIXELS_PER_METRE * 0.6);
  assertEquals(bitmaps.count, 0);
});

/**
 * A context that keeps the outermost points of everything that it strokes or fills, in pixels of a
 * canvas.
 */
function measuringContext() {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const saved: number[][] = [];
  let [a, b, c, d, e, f] = [1, 0, 0, 1, 0, 0];
  let lineWidth = 0;
  const apply = (p: number, q: number, r: number, s: number, t: number, u: number) => {
    [a, b, c, d, e, f] = [
      a * p + c * q,
      b * p + d * q,
      a * r + c * s,
      b * r + d * s,
      a * t + c * u + e,
      b * t + d * u + f,
    ];
  };
  const points = (...values: number[]) => {
    // A line's half width counts everywhere: an area's outline has the same points.
    const margin = lineWidth / 2 * Math.hypot(a, b);
    for (let i = 0; i < values.length; i += 2) {
      const x = a * values[i]! + c * values[i + 1]! + e;
      const y = b * values[i]! + d * values[i + 1]! + f;
      box.left = Math.min(box.left, x - margin);
      box.right = Math.max(box.right, x + margin);
      box.top = Math.min(box.top, y - margin);
      box.bottom = Math.max(box.bottom, y + margin);
    }
  };
  const methods: Record<PropertyKey, (...values: number[]) => void> = {
    moveTo: points,
    lineTo: points,
    quadraticCurveTo: points,
    bezierCurveTo: points,
    arc: (x, y, radius) =>
      points(x! - radius!, y!, x! + radius!, y!, x!, y! - radius!, x!, y! + radius!),
    save: () => void saved.push([a, b, c, d, e, f]),
    restore: () =>
      void ([a, b, c, d, e, f] = saved.pop() as [number, number, number, number, number, number]),
    setTransform: (...matrix) =>
      void ([a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]),
    translate: (x, y) => apply(1, 0, 0, 1, x!, y!),
    scale: (x, y) => apply(x!, 0, 0, y!, 0, 0),
    rotate: (angle) =>
      apply(Math.cos(angle!), Math.sin(angle!), -Math.sin(angle!), Math.cos(angle!), 0, 0),
  };
  const context = new Proxy({}, {
    get: (_, name) => methods[name] ?? (() => {}),
    set: (_, name, value) => {
      if (name === "lineWidth") lineWidth = value;
      return true;
    },
  });
  return { box, context: context as CanvasRenderingContext2D };
}

Deno.test("DragonBitmaps: no pose reaches beyond its bitmap", () => {
  const { drawing } = countingDrawing(SMALL);
  const sprite = dragonSprite({ own: true });

  for (const turn of [-1, 1]) {
    for (const wing of [-1, -0.4, 0.3, 0.6, 1]) {
      for (const pitch of [-0.3, -0.1, 0, 0.22]) {
        const { box, context } = measuringContext();
        const canvas = { width: 0, height: 0, getContext: () => context };
        const bitmaps = new DragonBitmaps(() => canvas as unknown as HTMLCanvasElement);
        const animation = Object.assign(new DragonAnimation(sprite), {
          turn,
          wing,
          pitch,
          mouthOpenMs: 50,
        });
        bitmaps.beginFrame(PIXELS_PER_METRE);
        bitmaps.draw(drawing, sprite, { animation, look: sprite.look });
        const what = `turn ${turn} wing ${wing} pitch ${pitch}: ${JSON.stringify(box)}`;
        assert(
          box.left >= 0 && box.top >= 0 && box.right <= canvas.width && box.bottom <= canvas.height,
          what,
        );
        assertEquals(
          Math.sign(box.left + box.right - canvas.width),
          turn,
          "the lance reaches farther than the tail",
        );
      }
    }
  }
});

Deno.test("dragonPresenter: only a slow device copies dragons from bitmaps (SPEC 8.21)", () => {
  const { drawing, counts } = countingDrawing(SMALL);
  const painter = dragonPresenter.painter();
  const sprites = painter.advance!([dragonSprite()], 16);
  painter.draw(sprites, { ...drawing, isSlow: false });
  assertEquals(counts.copies, 0);
  const { fills } = counts;
  assertGreater(fills, 5);
  const document = { createElement: () => ({ getContext: () => countingContext().context }) };
  Object.assign(globalThis, { document });
  try {
    painter.draw(sprites, drawing);
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
  assertEquals(counts, { fills, copies: 1 });
});
