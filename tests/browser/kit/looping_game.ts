/** A game with a rule that never ends, and a view that needs a page when it loads. */
import { axis, defineGame } from "../../../shared/game_kit/game_kit.ts";

/** A tick after the title match has begun to move. */
const LAST_TICK = 60;

export const game = defineGame({
  id: "looping-1",
  title: "Looping",
  gravity: 30,
  ground: [{ shape: { box: [12, 1], x: 0, y: -1 } }],
  command: { dx: axis() },
  things: { hero: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "hero",
}, {
  enter: (_world, seat) => ({ x: seat % 8 * 2 - 7, y: 1 }),
  drive(world, me, { dx }) {
    world.setVelocity(me, 8 * dx, me.vy);
    while (world.tick > LAST_TICK) Math.abs(dx); // never ends
  },
  think: () => ({ dx: 1 }),
});
