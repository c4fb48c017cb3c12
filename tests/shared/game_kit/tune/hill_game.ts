/** A game with constants to tune: discs that slide down a hill of wind. */
import { axis, defineGame, tune } from "../../../../shared/game_kit/game_kit.ts";
import { BALL, BASE } from "../small_game.ts";

export const game = defineGame({
  ...BASE,
  id: "hill-1",
  title: "Hill",
  command: { dx: axis() },
  things: { disc: { ...BALL, fields: { way: "f32" } } },
  player: "disc",
  tune: {
    speed: tune(4, { min: 0, max: 10 }),
    wind: tune(0.25, { min: -1, max: 1, step: 0.1 }),
  },
}, {
  enter: (_world, seat) => ({ x: seat, y: 2 }),
  drive(world, me, { dx }) {
    const { speed, wind } = world.tune;
    me.fields.way += Math.abs(dx * speed);
    world.setVelocity(me, dx * speed + wind, me.vy);
  },
  think: (world) => ({ dx: world.tune.speed > 5 ? 1 : -1 }),
});

export type HillCommand = typeof game.command.neutral;
