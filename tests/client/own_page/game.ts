/** Discs that push each other in a round yard, with every kind of part that a page sets. */
import {
  aim,
  axis,
  choice,
  clock,
  cos,
  defineGame,
  dial,
  hold,
  press,
  sin,
} from "../../../shared/game_kit/game_kit.ts";

const PUSH = 20;

export const game = defineGame({
  id: "yard-1",
  title: "Yard",
  gravity: 0,
  ground: [],
  command: {
    dx: axis(),
    dy: axis(),
    dash: press(),
    brake: hold(),
    gear: dial({ values: 4 }),
    look: aim(),
  },
  join: { side: choice("blue", "red") },
  options: { size: choice("small", "large") },
  things: {
    disc: {
      body: { fixtures: [{ shape: { circle: 0.5 }, restitution: 0.5 }], linearDamping: 2 },
      fields: {
        dashes: "u16",
        gear: "u8",
        isBraking: "u8",
        look: "f32",
        side: choice("blue", "red"),
        untilSpark: clock(),
      },
    },
    spark: { body: { type: "static", fixtures: [{ shape: { circle: 0.1 }, sensor: true }] } },
  },
  player: "disc",
  events: { dash: "at once", bump: "certain" },
}, {
  enter: (_world, seat, { side }) => ({
    x: 2 * cos(seat * 2.4),
    y: 2 * sin(seat * 2.4),
    fields: { side },
  }),

  drive(world, me, { dx, dy, dash, brake, gear, look }) {
    world.applyForce(me, PUSH * me.mass * dx, PUSH * me.mass * dy);

    // All discs meet in the middle again and again.
    world.applyForce(me, -3 * me.mass * me.x, -3 * me.mass * me.y);

    me.fields.gear = gear;
    me.fields.look = look;
    me.fields.isBraking = Number(brake);
    if (dash === 0) return;
    me.fields.dashes += dash;
    world.emit("dash", me);
    if (world.all("spark").length < 4) world.spawn("spark", { x: me.x, y: me.y });
    else world.despawn(world.all("spark")[0]!);
  },

  touch: {
    disc: { disc: (world, a, b) => world.emit("bump", a, b) },
  },

  think: (world, me) => ({
    dx: Math.sign(-me.x),
    dy: Math.sign(-me.y),
    dash: (world.tick + me.seat) % 23 === 0 ? 1 : 0,
  }),
});
