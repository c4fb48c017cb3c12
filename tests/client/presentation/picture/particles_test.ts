import { assertEquals } from "@std/assert";
import type { Context } from "../../../../client/presentation/picture/canvas.ts";
import {
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
