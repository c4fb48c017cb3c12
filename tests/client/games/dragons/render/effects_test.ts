import { assert, assertEquals } from "@std/assert";
import { FLAME } from "../../../../../client/presentation/picture/canvas.ts";
import { Camera } from "../../../../../client/games/dragons/render/camera.ts";
import { EVENT_RECIPES } from "../../../../../client/games/dragons/presenters/presenters.ts";
import { Effects } from "../../../../../client/presentation/picture/effects.ts";
import { Particles } from "../../../../../client/presentation/picture/particles.ts";
import { RING } from "../../../../../client/presentation/picture/bursts.ts";

/** The kinds of events that throw particles. The fireball itself shows the event "fire". */
const VISIBLE_KINDS = [
  "flap",
  "land",
  "joust",
  "clash",
  "burn",
  "crush",
  "respawn",
  "enter",
  "egg",
  "take",
  "hatch",
  "wither",
  "round",
  "start",
];

/** x and y of every particle that one event throws. */
function placesOf(event: { kind: string; x: number; y: number; seat: number }): [number, number][] {
  const particles = new Particles();
  new Effects(particles, EVENT_RECIPES).show({ key: "", otherSeat: -1, ...event }, {
    colour: "#fff",
    middle: { x: 16, y: 9 },
  });
  const places: [number, number][] = [];
  const place = (x: number, y: number) => places.push([x, y]);
  const nothing = () => {};
  const paths = { beginPath: nothing, stroke: nothing, fill: nothing, lineTo: nothing };
  const context = { ...paths, arc: place, fillRect: place, moveTo: place };
  particles.draw(context as unknown as CanvasRenderingContext2D);
  assertEquals(places.length, particles.count);
  return places;
}

Deno.test("Effects.show: every visible kind of event throws particles, an unknown kind throws none", () => {
  for (const kind of VISIBLE_KINDS) {
    assert(placesOf({ kind, x: 0, y: 0, seat: 0 }).length > 0, kind);
  }
  assertEquals(placesOf({ kind: "no such kind", x: 0, y: 0, seat: 0 }), []);
});

Deno.test("Effects.show: an event of the match without a seat shows in the middle, every other where it happened", () => {
  const firstPlace = (kind: string, seat: number) => placesOf({ kind, x: 3, y: 4, seat })[0];
  assertEquals([firstPlace("start", -1), firstPlace("round", -1)], [[16, 9], [16, 9]]);
  assertEquals([firstPlace("round", 2), firstPlace("egg", -1)], [[3, 4], [3, 4]]);
});

Deno.test("Effects.shake: shakes the camera of the player who is hit, and of players next to the blow", () => {
  const own = { seat: 0, x: 0, y: 0 };
  const isFelt = (seat: number, x: number) => {
    const camera = new Camera();
    new Effects(new Particles(), EVENT_RECIPES).shake(
      { key: "", kind: "joust", x, y: 0, seat, otherSeat: -1 },
      own,
      {
        camera,
        nowMs: 0,
      },
    );
    camera.advance(5);
    return camera.shakeX !== 0;
  };
  assertEquals([isFelt(0, 20), isFelt(1, 2), isFelt(1, 20), isFelt(-1, 2)], [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("Effects.trail: throws at a steady rate, whatever the frame rate is", () => {
  const trail = { burst: { ...RING, colour: FLAME, lifeMs: 1e6 }, periodMs: 45 };
  const thrown = (frameMs: number) => {
    const particles = new Particles();
    const effects = new Effects(particles, EVENT_RECIPES);
    for (let ms = 0; ms < 450; ms += frameMs) {
      effects.trail(trail, [{ x: 1, y: 1 }, { x: 2, y: 2 }], frameMs);
    }
    return particles.count;
  };
  assertEquals([5, 10, 50].map(thrown), [20, 20, 20]);
});
