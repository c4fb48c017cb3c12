/**
 * Games for tests of the controls: one with each kind of part, one with little, and one for two
 * sticks.
 */
import {
  aim,
  axis,
  choice,
  defineGame,
  dial,
  hold,
  press,
} from "../../../shared/game_kit/game_kit.ts";

/** Directions of the aim in a quarter of a turn. */
export const QUARTER = 16;

export const controlsGame = defineGame({
  id: "controls-1",
  title: "Controls",
  gravity: 0,
  ground: [],
  command: {
    dx: axis(),
    dy: axis({ up: true, steps: 8 }),
    aim: aim({ steps: 4 * QUARTER }),
    gear: dial({ values: 5, start: 2 }),
    boost: press(),
    turbo: hold({ of: "boost" }),
    brake: hold(),
    horn: press({ keys: ["KeyH"], label: "Sound the horn", touchLabel: "Horn" }),
  },
  join: { team: choice("blue", "orange") },
  things: { car: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "car",
}, {
  enter: () => ({}),
});

const CAR = {
  tickHz: 20,
  gravity: 0,
  ground: [],
  things: { car: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "car",
} as const;

/** A truck: left, right, and two buttons. */
export const truckGame = defineGame({
  ...CAR,
  id: "truck-1",
  title: "Truck",
  command: { drive: axis({ label: "Drive" }), jump: press(), brake: hold() },
}, { enter: () => ({}) });

/** Two sticks, whatever they move. */
export const twinGame = defineGame({
  ...CAR,
  id: "twin-1",
  title: "Twin",
  command: {
    dx: axis(),
    dy: axis({ up: true }),
    turnX: axis({ steps: 8 }),
    turnY: axis({ up: true, steps: 8 }),
  },
}, { enter: () => ({}) });

/** A turret: one thumb aims and shoots. */
export const turretGame = defineGame({
  ...CAR,
  id: "turret-1",
  title: "Turret",
  command: {
    aim: aim({ steps: 4 * QUARTER, fires: "shoot" }),
    shoot: press(),
    charge: hold({ of: "shoot" }),
    jump: press(),
  },
}, { enter: () => ({}) });
