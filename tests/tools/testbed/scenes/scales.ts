/**
 * Scales: the impulses of touches are what a thing weighs, alone, in a stack, or on a bench across
 * two scales.
 */
import { archetype } from "../../../../shared/physics/core/types.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { nextRandom, randomBits } from "../../../../shared/random.ts";
import { ACTION, LEFT, RIGHT, scene } from "../scene.ts";

/** m/s². */
const GRAVITY = 10;
const TICKS_PER_S = 20;
const DROPS_MAX = 24;
/** Metres: where the scales stand, and how high. A bench stands on the last two. */
const PLACES = [-9, -4, 2.5, 8.5];
const LEVEL = 1;
const HALF_SPAN = 3;

const SCALE = archetype({
  name: "scale",
  body: { type: "static", fixtures: [{ shape: { box: [1.8, 0.2] }, friction: 0.8, tag: "pan" }] },
  /** kg. It is state, because the rules of a game may depend on it: a door that opens at 100 kg. */
  fields: { reading: "f32" },
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.6, 0.6] }, density: 20 }] },
  fields: {},
});
const IRON = archetype({
  name: "iron",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, density: 120 }] },
  fields: {},
});
const BOX = archetype({
  name: "box",
  body: { fixtures: [{ shape: { box: [0.8, 0.5] }, density: 5 }] },
  fields: {},
});
/**
 * Its round feet stand on one point each, so that the law of the lever gives the share of either
 * scale.
 */
const BENCH = archetype({
  name: "bench",
  body: {
    fixtures: [
      { shape: { box: [4, 0.15], y: 0.3 }, density: 20 },
      { shape: { circle: 0.2, x: -HALF_SPAN }, density: 20 },
      { shape: { circle: 0.2, x: HALF_SPAN }, density: 20 },
    ],
  },
  fields: {},
});
const GOODS = [CRATE, IRON, BOX];

/**
 * Drops a thing at random over the marked scale. The state of the generator is a field, so it rolls
 * back, too.
 */
function drop(stage: Stage): void {
  const { fields } = stage;
  const goods = stage.entities().filter(({ archetype }) => GOODS.includes(archetype));
  if (goods.length >= DROPS_MAX) stage.despawn(goods[0]!);
  fields.random = nextRandom(fields.random!);
  const bits = randomBits(fields.random);
  const sideways = (bits % 100 - 50) / 100;
  stage.spawn(GOODS[(bits >>> 8) % GOODS.length]!, { x: PLACES[fields.place!]! + sideways, y: 9 });
}

/** The mass that the touches of one tick press on a scale, kg. */
function pressedMass(stage: Stage, scale: Entity): number {
  let impulse = 0;
  for (const { a, b, ny, normalImpulse } of stage.touches) {
    if (a === scale) impulse += ny * normalImpulse;
    if (b === scale) impulse -= ny * normalImpulse;
  }
  return impulse * TICKS_PER_S / GRAVITY;
}

/** All that stands on these scales, one upon the other. */
function standingOn(stage: Stage, scales: readonly Entity[]): readonly Entity[] {
  const ids = new Set(scales.map(({ id }) => id));
  // The set grows while the loop walks it.
  for (const id of ids) {
    for (const { id: other } of stage.touchingNow(stage.get(id)!)) if (other > 0) ids.add(other);
  }
  return [...ids].map((id) => stage.get(id)!).filter((entity) => !scales.includes(entity));
}

export const scales = scene({
  name: "scales",
  title: "Scales",
  hint: "Left and right choose a scale, Space drops something on it.",
  keys: LEFT | RIGHT | ACTION,
  view: { x: 0, y: 4.4, height: 12.2 },
  colours: { scale: "slate", crate: "gold", iron: "violet", box: "wood", bench: "mint" },
  stage: {
    gravity: GRAVITY,
    tickHz: TICKS_PER_S,
    substeps: 2,
    features: [touches],
    ground: [{ shape: { box: [40, 5], y: -5 } }],
    archetypes: [SCALE, ...GOODS, BENCH],
    fields: { random: "u32", place: "u8", keys: "u8" },
  },
  start(stage) {
    for (const x of PLACES) stage.spawn(SCALE, { x, y: LEVEL - 0.2 });
    stage.spawn(CRATE, { x: PLACES[0]!, y: LEVEL + 1 });
    for (let i = 0; i < 4; i++) {
      stage.spawn(i === 3 ? BOX : CRATE, { x: PLACES[1]!, y: LEVEL + 0.8 + 1.3 * i });
    }
    stage.spawn(BENCH, { x: 5.5, y: LEVEL + 0.25 });
    stage.spawn(IRON, { x: 7, y: LEVEL + 1.5 });
    stage.fields.random = 23;
  },
  tick(stage, { keys }) {
    const { fields } = stage;
    const begun = keys & ~fields.keys;
    fields.keys = keys;
    if (begun & LEFT) fields.place = Math.max(0, fields.place - 1);
    if (begun & RIGHT) fields.place = Math.min(PLACES.length - 1, fields.place + 1);
    if (begun & ACTION) drop(stage);
  },
  afterStep(stage) {
    for (const scale of stage.all(SCALE)) scale.fields.reading = pressedMass(stage, scale);
  },
  marks(stage, draw) {
    for (const { x, fields: { reading } } of stage.all(SCALE)) {
      draw.text(x, 0.3, `${reading.toFixed(1)} kg`, "snow");
    }
    const x = PLACES[stage.fields.place]!;
    draw.arrow(x, 9.8, x, 8.8, "gold");
  },
  proof: {
    claim: "each scale shows its load within 2 %, and two that share one obey the law of the lever",
    // Two more things fall on the first scale.
    keys: (tick) => tick === 40 || tick === 80 ? ACTION : 0,
    check(stage) {
      const [one, stack, left, right] = stage.all(SCALE);
      const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b);
      const massOn = (...scales: Entity[]) =>
        sum(standingOn(stage, scales).map(({ mass }) => mass));
      const moments = standingOn(stage, [left!, right!]).map(({ mass, centerX }) =>
        mass * (centerX - left!.x)
      );
      const onRight = sum(moments) / (right!.x - left!.x);
      const expected = [massOn(one!), massOn(stack!), massOn(left!, right!) - onRight, onRight];
      const readings = stage.all(SCALE).map(({ fields: { reading } }) => reading);
      const figures = readings.map((reading, i) =>
        `${reading.toFixed(2)} kg of ${expected[i]!.toFixed(2)} kg`
      ).join(
        ", ",
      );
      if (!readings.every((reading, i) => Math.abs(reading / expected[i]! - 1) < 0.02)) {
        throw new Error(figures);
      }
      return figures;
    },
  },
});
