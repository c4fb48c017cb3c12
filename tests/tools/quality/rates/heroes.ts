/** Heroes: bodies that do not turn, whose velocity the rules set in each tick. */
import { archetype, type FixtureDef } from "../../../../shared/physics/core/types.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { type RateScene, run, stageAt } from "./rate_scene.ts";

const BOX_HERO = archetype({
  name: "box",
  fields: {},
  body: { fixedRotation: true, fixtures: [{ shape: { box: [0.35, 0.6] }, friction: 0 }] },
});
const ROUND_HERO = archetype({
  name: "ball",
  fields: {},
  body: { fixedRotation: true, fixtures: [{ shape: { circle: 0.5 }, friction: 0 }] },
});
const SPEED = 5;
/** 1/s: a force closes this share of the gap to the wanted speed in a second. */
const GRIP = 10;

/**
 * A hero who runs up a slope of 45° and against the wall at its end: how far he then goes up and
 * down.
 */
function slope(id: string, what: string, push: (stage: Stage, hero: Entity) => void): RateScene {
  return {
    id,
    what,
    figure: "hops by, m",
    most: 0.02,
    measure(rate) {
      const stage = stageAt(rate, {
        ground: [
          { shape: { edge: [-20, 0, 0, 0] } },
          { shape: { edge: [0, 0, 4, 4] } },
          { shape: { box: [0.5, 5], x: 4.5, y: 5 } },
        ],
        archetypes: [ROUND_HERO],
      });
      const hero = stage.spawn(ROUND_HERO, { x: -3, y: 0.52 });
      let least = Infinity;
      let most = -Infinity;
      run(stage, rate, 8, {
        rules: () => push(stage, hero),
        look: (tick) => {
          if (tick < 4 * rate.tickHz) return;
          least = Math.min(least, hero.y);
          most = Math.max(most, hero.y);
        },
      });
      return most - least;
    },
  };
}

/** m/s of the runners. */
const SPEEDS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** Heroes who run over 50 m of tiles, or along a chain: how many of them have stopped on the way. */
function runners(id: string, what: string, ground: readonly FixtureDef[]): RateScene {
  return {
    id,
    what,
    figure: "of 10 heroes stop for ever",
    most: 0,
    measure: (rate) =>
      SPEEDS.filter((speed) => {
        const stage = stageAt(rate, { gravity: 30, ground, archetypes: [BOX_HERO] });
        const hero = stage.spawn(BOX_HERO, { x: 1, y: 0.62 });
        const seconds = 50 / speed;
        run(stage, rate, seconds, { rules: () => stage.setVelocity(hero, speed, hero.vy) });
        return hero.x < 49;
      }).length,
  };
}

const TILES = Array.from({ length: 60 }, (_, x) => ({
  shape: { box: [0.5, 0.5] as const, x, y: -0.5 },
}));
const CHAIN = [{
  shape: { chain: Array.from({ length: 61 }, (_, i) => [i - 0.5, 0] as const) },
}];

export const HEROES: readonly RateScene[] = [
  slope(
    "I40",
    "hero pressed up a 45° slope into a wall, by a velocity in each tick",
    (stage, hero) => stage.setVelocity(hero, SPEED, hero.vy),
  ),
  slope(
    "I40 force",
    "the same by a force towards that velocity",
    (stage, hero) => stage.applyForce(hero, GRIP * hero.mass * (SPEED - hero.vx), 0),
  ),
  runners("tiles", "box heroes over tiles of 1 m at 3 to 12 m/s", TILES),
  runners("chain", "the same on a chain", CHAIN),
];
