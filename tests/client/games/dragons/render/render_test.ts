/** The parts of the view that are arithmetic: camera, looks, particles, and what is remembered of a dragon. */
import { assert, assertEquals } from "@std/assert";
import { Camera, SHAKE_MS_MAX } from "../../../../../client/games/dragons/render/camera.ts";
import {
  DragonAnimation,
  DragonAnimations,
  SCORE_POP_MS,
} from "../../../../../client/games/dragons/presenters/dragon/animation.ts";
import { drawEgg, type EggDrawing } from "../../../../../client/games/dragons/presenters/egg.ts";
import { drawEdgeMark } from "../../../../../client/games/dragons/presenters/dragon/marks.ts";
import { Effects } from "../../../../../client/games/dragons/render/effects.ts";
import { lookOf, OWN_COLOURS, ownFill, setOwnColour } from "../../../../../client/games/dragons/render/palette.ts";
import { Particles, PARTICLES_MAX, type ParticleStart } from "../../../../../client/games/dragons/render/particles.ts";
import type { DragonSprite } from "../../../../../client/games/dragons/scene.ts";
import { titleScene } from "../../../../../client/games/dragons/render/title_scene.ts";

const ARENA = { width: 32, height: 18 };
/** Milliseconds between two pictures at 60 Hz. */
const FRAME_MS = 1000 / 60;

function sprite(more: Partial<DragonSprite> = {}): DragonSprite {
  return {
    ...{ id: 1, seat: 0, name: "Ash", own: false, npc: false, x: 10, y: 5, vx: 0, vy: 0, facing: 1, onGround: false },
    ...{ flapAge: 100, dead: false, invulnerableTicks: 0, stunnedTicks: 0, charges: 3, score: 0 },
    ...more,
  };
}

function particle(more: Partial<ParticleStart> = {}): ParticleStart {
  return {
    ...{ shape: "puff", colour: "#fff", x: 0, y: 0, vx: 0, vy: 0, lifeMs: 100, size: 1 },
    ...{ growth: 0, gravity: 0, drag: 0 },
    ...more,
  };
}

/** Shows `animation` the sprite for a while. */
function advanceFor(animation: DragonAnimation, shown: DragonSprite, ms: number): void {
  for (let passed = 0; passed < ms; passed += FRAME_MS) animation.advance(shown, FRAME_MS);
}

Deno.test("Camera.fit: the whole arena, as large as possible, in the middle or above two thumbs, y upwards", () => {
  const camera = new Camera();
  camera.fit({ width: 1280, height: 720 }, ARENA);
  assertEquals([camera.scale, camera.xPx(0), camera.yPx(0), camera.xPx(32), camera.yPx(18)], [40, 0, 720, 1280, 0]);
  camera.fit({ width: 320, height: 1000 }, ARENA);
  assertEquals([camera.scale, camera.xPx(0), camera.yPx(18), camera.yPx(0)], [10, 0, 295, 475]);
});

Deno.test("Camera.fit: on an upright window half of the arena, larger, with whom it follows; never past its ends", () => {
  const camera = new Camera(), upright = { width: 390, height: 844 };
  const look = (x: number, elapsedMs = Infinity) => {
    camera.fit(upright, ARENA, { x, elapsedMs });
    return { left: (0 - camera.left) / camera.scale, right: (upright.width - camera.left) / camera.scale };
  };
  const middle = look(16);
  assert(camera.scale > 1.8 * upright.width / ARENA.width, `${camera.scale} pixels a metre`);
  assert(camera.yPx(ARENA.height) > 100 && camera.yPx(0) < 600, "words above, thumbs below");
  assert(Math.abs((middle.left + middle.right) / 2 - 16) < 0.1);
  const [left, right] = [look(1), look(31)];
  assert(Math.abs(left.left) < 0.1 && Math.abs(right.right - ARENA.width) < 0.1);
  // It glides; and who is visible whole is not followed.
  look(16);
  const gliding = look(20, 17);
  assert(gliding.left > middle.left && gliding.left < middle.left + 1);
  camera.fit({ width: 1280, height: 720 }, ARENA, { x: 1, elapsedMs: 17 });
  assertEquals([camera.scale, camera.left], [40, 0]);
});

/** The first two corners of a mark at the side; none where there is none. */
function edgeMark(x: number, more: Partial<DragonSprite> = {}): number[] {
  const camera = new Camera(), corners: number[] = [];
  camera.fit({ width: 390, height: 844 }, ARENA, { x: 16, elapsedMs: Infinity });
  const corner = (x: number) => corners.push(x);
  const nothing = () => {};
  const context = { canvas: { width: 390 }, beginPath: nothing, closePath: nothing, stroke: nothing, fill: nothing };
  const pen = { ...context, moveTo: corner, lineTo: corner } as unknown as CanvasRenderingContext2D;
  drawEdgeMark(pen, sprite({ x, ...more }), { camera, colour: "#fff" });
  return corners.slice(0, 2);
}

Deno.test("drawEdgeMark: points at the side where a living dragon is out of the picture", () => {
  const [tipLeft, baseLeft] = edgeMark(1), [tipRight, baseRight] = edgeMark(31);
  assert(tipLeft! > 0 && baseLeft! > tipLeft! && tipRight! < 390 && baseRight! < tipRight!);
  assertEquals([edgeMark(16), edgeMark(31, { dead: true })], [[], []]);
});

Deno.test("Camera.shake: moves the picture, and is over in time", () => {
  const camera = new Camera();
  camera.shake(1, 1000);
  camera.advance(1010);
  assert(camera.shakeX !== 0 && camera.shakeY !== 0);
  camera.shake(0.1, 1020); // a weaker one neither replaces nor prolongs it
  camera.advance(1000 + SHAKE_MS_MAX);
  assertEquals([camera.shakeX, camera.shakeY], [0, 0]);
});

Deno.test("lookOf: eight players differ, and four NPCs; NPCs and the own dragon have a hue of their own", () => {
  const others = Array.from({ length: 8 }, (_, seat) => lookOf({ seat, own: false, npc: false }));
  assertEquals(new Set(others).size, 8);
  assertEquals(new Set([16, 17, 18, 19].map((seat) => lookOf({ seat, own: false, npc: true }))).size, 4);
  assertEquals(new Set(others.map((look) => look.fill)).size, 2);
  const hues = new Set(others.map((look) => look.fill));
  assert(!hues.has(lookOf({ seat: 3, own: true, npc: false }).fill));
  assert(!hues.has(lookOf({ seat: 3, own: false, npc: true }).fill));
  assert(lookOf({ seat: 3, own: true, npc: false, dead: true }) !== lookOf({ seat: 3, own: true, npc: false }));
});

Deno.test("lookOf: the own dragon is told from all others also while both are dead", () => {
  const fills = [true, false].map((own) => lookOf({ seat: 3, own, npc: false, dead: true }).fill);
  assert(fills[0] !== fills[1]);
});

/** Rows that turn linear red, green and blue into what a dichromat sees: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE Lab of "#rrggbb" as those eyes see it (sRGB, D65). */
function labOf(colour: string, vision: readonly (readonly number[])[]): number[] {
  const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const times = (rows: readonly (readonly number[])[], by: readonly number[]) =>
    rows.map((row) => row.reduce((sum, value, i) => sum + value * by[i]!, 0));
  const seen = times(vision, linear).map((c) => Math.min(1, Math.max(0, c)));
  const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen);
  const [x, y, z] = [xyz[0]! / 0.95047, xyz[1]!, xyz[2]! / 1.08883]
    .map((t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

Deno.test("ownFill: every colour that may be chosen is told from all others, whatever the eyes", () => {
  const others = [0, 1].map((seat) => lookOf({ seat, own: false, npc: false }).fill);
  others.push(lookOf({ seat: 0, own: false, npc: true }).fill);
  for (const own of OWN_COLOURS) {
    for (const [name, vision] of Object.entries(VISIONS)) {
      for (const other of others) {
        const [a, b] = [labOf(ownFill(own), vision), labOf(other, vision)];
        const apart = Math.hypot(...a.map((value, i) => value - b[i]!));
        assert(apart >= 29, `${own} and ${other} are ${apart.toFixed(1)} apart for ${name}`);
      }
    }
  }
});

Deno.test("setOwnColour: the own dragon changes its colour, alive and dead, and nobody else does", () => {
  const fills = () =>
    [true, false].flatMap((own) => [true, false].map((dead) => lookOf({ seat: 3, own, npc: false, dead }).fill));
  const before = fills();
  setOwnColour("mint");
  const after = fills();
  setOwnColour("sky");
  assertEquals(before.map((fill, i) => fill === after[i]), [false, false, true, true]);
  assertEquals(fills(), before);
});

Deno.test("Particles: a full pool takes the oldest places again", () => {
  const particles = new Particles();
  for (let i = 0; i < PARTICLES_MAX + 10; i++) particles.emit(particle());
  assertEquals(particles.count, PARTICLES_MAX);
});

Deno.test("Particles.advance: each lives exactly as long as it was given", () => {
  const particles = new Particles();
  particles.emit(particle({ lifeMs: 60 }));
  particles.emit(particle({ lifeMs: 120 }));
  const counts = [0, 1, 2, 3].map(() => {
    particles.advance(30);
    return particles.count;
  });
  assertEquals(counts, [2, 1, 1, 0]);
});

/** What the rules tell of and a picture shows; `fire` is seen by the ball itself. */
const SHOWN_KINDS = [
  ...["flap", "land", "joust", "clash", "burn", "crush", "respawn", "enter"],
  ...["egg", "take", "hatch", "wither", "round", "start"],
];

/** The circles that are drawn for the particles of one happening: x and y of each. */
function placesShown(effect: { kind: string; x: number; y: number; seat: number }): [number, number][] {
  const particles = new Particles();
  new Effects(particles).show({ key: "", ...effect }, { colour: "#fff", middle: { x: 16, y: 9 } });
  const places: [number, number][] = [];
  const arc = (x: number, y: number) => places.push([x, y]);
  const nothing = () => {};
  const context = {
    arc,
    beginPath: nothing,
    stroke: nothing,
    fill: nothing,
    fillRect: arc,
    moveTo: arc,
    lineTo: nothing,
  };
  particles.draw(context as unknown as CanvasRenderingContext2D);
  assertEquals(places.length, particles.count);
  return places;
}

Deno.test("Effects.show: every kind that the rules tell of and a picture shows throws particles, others none", () => {
  for (const kind of SHOWN_KINDS) assert(placesShown({ kind, x: 0, y: 0, seat: 0 }).length > 0, kind);
  assertEquals(placesShown({ kind: "no such kind", x: 0, y: 0, seat: 0 }), []);
});

Deno.test("Effects.show: what happens to all is shown in the middle where nobody is named, all else where it happened", () => {
  const firstPlace = (kind: string, seat: number) => placesShown({ kind, x: 3, y: 4, seat })[0];
  assertEquals([firstPlace("start", -1), firstPlace("round", -1)], [[16, 9], [16, 9]]);
  assertEquals([firstPlace("round", 2), firstPlace("egg", -1)], [[3, 4], [3, 4]]);
});

Deno.test("Effects.shake: felt by whom it hits and by who is next to him", () => {
  const own = { seat: 0, x: 0, y: 0 };
  const felt = (seat: number, x: number) => {
    const camera = new Camera();
    new Effects(new Particles()).shake({ key: "", kind: "joust", x, y: 0, seat }, own, { camera, nowMs: 0 });
    camera.advance(5);
    return camera.shakeX !== 0;
  };
  assertEquals([felt(0, 20), felt(1, 2), felt(1, 20), felt(-1, 2)], [true, true, false, false]);
});

Deno.test("DragonAnimation: a fresh flap beats the wings once, an old one does not", () => {
  const animation = new DragonAnimation(sprite());
  advanceFor(animation, sprite(), 500);
  const gliding = animation.wing;
  advanceFor(animation, sprite({ flapAge: 0 }), 120);
  assert(animation.wing < -0.5, `struck down: ${animation.wing}`);
  advanceFor(animation, sprite({ flapAge: 3 }), 800);
  assert(Math.abs(animation.wing - gliding) < 0.05, `gliding again: ${animation.wing}`);
  advanceFor(animation, sprite({ flapAge: 200 }), 200);
  advanceFor(animation, sprite({ flapAge: 60 }), 120); // a rollback took the newest flap back
  assert(Math.abs(animation.wing - gliding) < 0.05, `still gliding: ${animation.wing}`);
});

Deno.test("DragonAnimation: a landing squashes and springs back", () => {
  const animation = new DragonAnimation(sprite({ vy: -9 }));
  animation.advance(sprite({ vy: -9 }), FRAME_MS);
  advanceFor(animation, sprite({ onGround: true }), 50);
  assert(animation.squash > 0.1, `squashed: ${animation.squash}`);
  advanceFor(animation, sprite({ onGround: true }), 600);
  assert(Math.abs(animation.squash) < 0.01, `back in shape: ${animation.squash}`);
});

Deno.test("DragonAnimation: even at 20 pictures a second a blow stays within bounds and calms down", () => {
  const animation = new DragonAnimation(sprite());
  animation.squeeze(1);
  for (let i = 0; i < 40; i++) animation.advance(sprite(), 50);
  assert(Math.abs(animation.squash) < 0.01, `calm: ${animation.squash}`);
});

Deno.test("DragonAnimation: points won are shown for a while, lost ones are not", () => {
  const animation = new DragonAnimation(sprite({ score: 4 }));
  animation.advance(sprite({ score: 6 }), FRAME_MS);
  assertEquals([animation.popPoints, animation.popAgeMs], [2, 0]);
  advanceFor(animation, sprite({ score: 6 }), SCORE_POP_MS + 50);
  assert(animation.popAgeMs > SCORE_POP_MS);
  animation.advance(sprite({ score: 0 }), FRAME_MS);
  assert(animation.popAgeMs > SCORE_POP_MS);
});

Deno.test("DragonAnimation: tumbles while dead and has just arrived when it is back", () => {
  const animation = new DragonAnimation(sprite());
  advanceFor(animation, sprite(), 4000);
  assertEquals(animation.hasJustArrived, false);
  advanceFor(animation, sprite({ dead: true }), 300);
  assert(animation.tumble > 1);
  animation.advance(sprite(), FRAME_MS);
  assertEquals([animation.tumble, animation.hasJustArrived], [0, true]);
});

Deno.test("DragonAnimations: keeps who is in the picture and forgets who is not", () => {
  const animations = new DragonAnimations();
  animations.advance([sprite({ id: 1 }), sprite({ id: 2 })], FRAME_MS);
  const kept = animations.of(sprite({ id: 2 }));
  animations.advance([sprite({ id: 2 })], FRAME_MS);
  assertEquals(animations.count, 1);
  assert(animations.of(sprite({ id: 2 })) === kept);
});

/** How often a canvas is told to do each thing while an egg is drawn, and how far it was turned. */
function drawnEgg(ripeness: number, more: Partial<EggDrawing> = {}) {
  const drawn = { turned: 0, lights: 0, outline: "", corners: 0 };
  const context = {
    ...{
      save() {},
      restore() {},
      translate() {},
      scale() {},
      beginPath() {},
      moveTo() {},
      bezierCurveTo() {},
      arc() {},
    },
    ...{ fill() {}, strokeStyle: "" },
    rotate: (angle: number) => drawn.turned = angle,
    lineTo: () => drawn.corners++,
    stroke() {
      drawn.outline ||= context.strokeStyle;
    },
    createRadialGradient() {
      drawn.lights++;
      return { addColorStop() {} };
    },
  };
  const egg = { id: 1, x: 0, y: 0, angle: 0, seat: 0, ripeness };
  const look = lookOf({ seat: 0, own: false, npc: false });
  drawEgg(context as unknown as CanvasRenderingContext2D, egg, {
    look,
    own: false,
    nowMs: 100,
    reducedMotion: false,
    ...more,
  });
  return drawn;
}

Deno.test("drawEgg: rests until it is nearly ripe, then rocks, cracks further and glows", () => {
  assertEquals([drawnEgg(0), drawnEgg(0.75)].map(({ turned, lights, corners }) => [turned, lights, corners]), [
    [0, 0, 0],
    [0, 0, 0],
  ]);
  const [early, late] = [drawnEgg(0.8), drawnEgg(1)];
  assert(early.turned !== 0 && early.lights === 1 && early.corners > 0);
  assert(late.corners > early.corners, `${late.corners} corners`);
});

Deno.test("drawEgg: does not rock for who asked for less motion, and shows all the same that it will hatch", () => {
  const { turned, lights, corners } = drawnEgg(0.95, { reducedMotion: true });
  assertEquals([turned, lights], [0, 1]);
  assert(corners > 0);
});

Deno.test("drawEgg: the own egg has the own outline", () => {
  assert(drawnEgg(0, { own: true }).outline !== drawnEgg(0).outline);
});

Deno.test("titleScene: stays inside the arena and depends on the time alone", () => {
  for (let nowMs = 0; nowMs < 60_000; nowMs += 170) {
    const { arena, dragons } = titleScene(nowMs);
    for (const { x, y } of dragons) {
      assert(x > 0 && x < arena.width && y > 1 && y < arena.height, `${nowMs}: ${x} ${y}`);
    }
  }
  assertEquals(titleScene(1234), titleScene(1234));
});
