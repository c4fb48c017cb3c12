import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { sheet } from "../../../../client/game_kit/files/sheet.ts";
import type { ImageFile } from "../../../../client/game_kit/files/game_files.ts";
import { trail } from "../../../../client/game_kit/picture/trail.ts";
import { Particles, PARTICLES_MAX } from "../../../../client/presentation/picture/particles.ts";
import { GameError } from "../../../../shared/game_kit/game_error.ts";

const PUFF = { shape: "puff", colour: "seat", lifeMs: 1e6, size: 0.1 } as const;
const STILL = { ...PUFF, speed: [0, 0], turns: [0, 0] } as const;

interface Ship {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly colour: string;
}

const SHIP: Ship = { x: 10, y: 0, angle: Math.PI / 2, colour: "#f00" };

/** Where particles are drawn, rounded, and in which colours. */
function seen(particles: Particles): string[] {
  const places: string[] = [];
  const context = {
    fillStyle: "",
    beginPath() {},
    arc: (x: number, y: number) => places.push(`${x.toFixed(2)} ${y.toFixed(2)}`),
    fill: () => places.push(`${places.pop()} ${context.fillStyle}`),
  };
  particles.draw(context as unknown as CanvasRenderingContext2D);
  return places;
}

Deno.test("trail: throws at its rate whatever the frame rate, from a point that turns with the thing (SPEC 13.74)", () => {
  for (const frames of [60, 25]) {
    const particles = new Particles();
    const smoke = trail<Ship>({ ...STILL, perSecond: 20, from: [-1, 0] });
    for (let i = 0; i < frames; i++) smoke.advance(particles, [SHIP], 1000 / frames);
    assertEquals(particles.count, 20, `${frames} frames a second`);
    assertEquals(new Set(seen(particles)), new Set(["10.00 -1.00 #f00"]));
  }
});

Deno.test("trail: throws while `when` says so, and never more than the page can show (SPEC 13.74)", () => {
  const particles = new Particles();
  const smoke = trail<Ship>({ ...STILL, perSecond: 60, when: ({ x }) => x > 0 });
  smoke.advance(particles, [{ ...SHIP, x: -1 }], 50);
  assertEquals(particles.count, 0);
  const many = new Array(500).fill(SHIP);
  smoke.advance(particles, many, 50);
  assertEquals(particles.count, 64, "of one name in one frame");
  for (let i = 0; i < 100; i++) smoke.advance(particles, many, 50);
  assertEquals(particles.count, PARTICLES_MAX);
});

Deno.test("trail: after a reset the same frames throw the same particles, as a replay's seek needs", () => {
  const smoke = trail<Ship>({ ...STILL, perSecond: 20, speed: [1, 2] });
  const play = () => {
    const particles = new Particles();
    for (let i = 0; i < 7; i++) smoke.advance(particles, [SHIP], 17);
    particles.advance(50);
    return seen(particles);
  };
  const first = play();
  assertEquals(first.length, 2);
  assertNotEquals(play(), first);
  smoke.reset();
  assertEquals(play(), first);
});

Deno.test("trail, sheet: a number out of range is refused with what is allowed", () => {
  const file = "" as ImageFile;
  const refusals: readonly [() => unknown, string][] = [
    [() => trail({ ...STILL, perSecond: 0 }), "trail: perSecond is 0; 1 to 60 is allowed"],
    [() => trail({ ...STILL, perSecond: NaN }), "trail: perSecond is NaN; 1 to 60 is allowed"],
    [
      () => sheet(file, { columns: 2.5 }),
      "sheet: columns is 2.5; a whole number from 1 to 256 is allowed",
    ],
    [() => sheet(file, { rows: 0 }), "sheet: rows is 0; a whole number from 1 to 256 is allowed"],
  ];
  for (const [act, sentence] of refusals) {
    assertEquals(assertThrows(act, GameError).message, sentence);
  }
});
