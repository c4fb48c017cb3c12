import { assertEquals, assertLess } from "@std/assert";
import type { Context } from "../../../../client/presentation/picture/canvas.ts";
import {
  type Figure,
  FIGURES_MAX,
  Particles,
  PARTICLES_MAX,
  type ParticleStart,
} from "../../../../client/presentation/picture/particles.ts";

function particle(changes: Partial<ParticleStart> = {}): ParticleStart {
  return {
    shape: "puff",
    colour: "#fff",
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
    lifeMs: 100,
    size: 1,
    growth: 0,
    gravity: 0,
    drag: 0,
    ...changes,
  };
}

Deno.test("Particles.emit: a full pool replaces the oldest particles", () => {
  const particles = new Particles();
  for (let i = 0; i < PARTICLES_MAX + 10; i++) particles.emit(particle());
  assertEquals(particles.count, PARTICLES_MAX);
});

Deno.test("Particles.share: of all particles that share is emitted, and each ring", () => {
  for (const [share, puffs] of [[1, 40], [0.5, 20], [0.25, 10]] as const) {
    const particles = new Particles();
    particles.share = share;
    for (let i = 0; i < 40; i++) particles.emit(particle());
    assertEquals(particles.count, puffs);
    for (let i = 0; i < 5; i++) particles.emit(particle({ shape: "ring" }));
    assertEquals(particles.count, puffs + 5);
  }
});

Deno.test("Particles.advance: each particle lives exactly as long as its start says", () => {
  const particles = new Particles();
  particles.emit(particle({ lifeMs: 60 }));
  particles.emit(particle({ lifeMs: 120 }));
  const counts = [0, 1, 2, 3].map(() => {
    particles.advance(30);
    return particles.count;
  });
  assertEquals(counts, [2, 1, 1, 0]);
});

Deno.test("Particles.clear: later particles are drawn in the order in which they are emitted", () => {
  const particles = new Particles();
  for (let i = 0; i < PARTICLES_MAX - 2; i++) particles.emit(particle());
  particles.clear();
  const colours = ["#111", "#222", "#333", "#444"];
  for (const colour of colours) particles.emit(particle({ colour }));

  const drawn: string[] = [];
  const context = {
    fillStyle: "",
    beginPath() {},
    arc() {},
    fill() {
      drawn.push(this.fillStyle);
    },
  };
  particles.draw(context as unknown as Context);
  assertEquals(drawn, colours);
});

Deno.test("Particles.emit: figures are emitted on slow devices, too, but not more than eight at once (SPEC 8.191)", () => {
  const particles = new Particles();
  particles.share = 0;
  const drawn: string[] = [];
  const figure: Figure = (_context, colour) => drawn.push(colour);
  for (let i = 0; i < FIGURES_MAX + 3; i++) {
    particles.emit(particle({ shape: figure, colour: `figure ${i}`, lifeMs: 100 + i }));
  }
  assertEquals(particles.count, FIGURES_MAX);

  const angles: number[] = [];
  const context = {
    save() {},
    restore() {},
    translate() {},
    scale() {},
    rotate: (angle: number) => angles.push(angle),
  };
  particles.draw(context as unknown as Context);
  assertEquals(drawn, Array.from({ length: FIGURES_MAX }, (_, i) => `figure ${i}`));

  // As soon as one is gone, there is room for another.
  particles.advance(50);
  particles.advance(50);
  particles.emit(particle({ shape: figure, vx: 4 }));
  assertEquals(particles.count, FIGURES_MAX);
  particles.advance(50);
  angles.length = 0;
  particles.draw(context as unknown as Context);
  assertLess(angles[0]!, 0, "who flies to the right rolls to the right");
});
