import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { PresentedEvent } from "../../../../client/presentation/event_reconciler.ts";
import type { Burst } from "../../../../client/presentation/picture/bursts.ts";
import { Effects } from "../../../../client/presentation/picture/effects.ts";
import type {
  Figure,
  Particles,
  ParticleStart,
} from "../../../../client/presentation/picture/particles.ts";

const figure: Figure = () => {};
const RIGHT: Omit<Burst, "shape"> = {
  colour: "seat",
  count: 2,
  speed: [2, 4],
  turns: [0, 0.2],
  lifeMs: 300,
  size: 1,
};
const RECIPES = {
  blow: { bursts: [{ ...RIGHT, shape: "spark" }, { ...RIGHT, shape: figure, count: 1 }] },
} as const;

type Options = Parameters<Effects["show"]>[1];

/** What the event with this key throws, on a page that has shown others before. */
function thrownBy(key: string, options: Partial<Options> = {}, before: readonly string[] = []) {
  const starts: ParticleStart[] = [];
  const particles = { emit: (start: ParticleStart) => starts.push(start) };
  const effects = new Effects(particles as unknown as Particles, RECIPES);
  const show = (key: string) =>
    effects.show({ key, kind: "blow", x: 1, y: 2 } as PresentedEvent, {
      colour: "red",
      ...options,
    });
  before.forEach(show);
  starts.length = 0;
  show(key);
  return starts;
}

Deno.test("Effects: what an event throws follows from its key, whatever was shown before (SPEC 8.191)", () => {
  assertEquals(thrownBy("41 blow 7", {}, ["40 blow 7", "12 blow 3"]), thrownBy("41 blow 7"));
  assertNotEquals(thrownBy("42 blow 7"), thrownBy("41 blow 7"));
});

Deno.test("Effects: a blow from the right throws to the left (SPEC 8.191)", () => {
  const ahead = thrownBy("41 blow 7");
  assertEquals(ahead.length, 3);
  assert(ahead.every(({ vx, vy }) => vx > 0 && vy > 0));
  const mirrored = ahead.map((start) => ({ ...start, vx: -start.vx }));
  assertEquals(thrownBy("41 blow 7", { side: -1 }), mirrored);
});

Deno.test("Effects: no figure flies with reduced motion (SPEC 8.191)", () => {
  const shapes = thrownBy("41 blow 7", { isCalm: true }).map(({ shape }) => shape);
  assertEquals(shapes, ["spark", "spark"]);
});
