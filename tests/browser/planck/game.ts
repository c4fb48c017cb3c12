/** A game in which crates fall, and a hero who pushes them. */
import { axis, defineGame } from "../../../shared/game_kit/game_kit.ts";

export const game = defineGame({
  id: "fall-1",
  title: "Fall",
  gravity: 10,
  ground: [
    { shape: { box: [16, 0.5], y: -0.5 } },
    { shape: { box: [0.5, 9], x: -15, y: 9 } },
    { shape: { box: [0.5, 9], x: 15, y: 9 } },
  ],
  command: { dx: axis({ steps: 8 }) },
  things: {
    hero: { body: { fixtures: [{ shape: { circle: 0.6 }, friction: 0.2 }] } },
    crate: { body: { fixtures: [{ shape: { box: [0.7, 0.5] }, friction: 0.5 }] } },
  },
  player: "hero",
}, {
  enter: (_world, seat) => ({ x: -12 + seat, y: 1 }),
  drive(world, me, { dx }) {
    world.setVelocity(me, 4 * dx, me.vy);
  },
  tick(world) {
    // A crate falls every second, until there are fourteen; then the oldest one makes room.
    if (world.tick % 20 !== 5) return;
    const crates = world.all("crate");
    if (crates.length >= 14) world.despawn(crates[0]!);
    const column = Math.floor(world.tick / 20) % 5;
    world.spawn("crate", { x: 1.3 * column - 3, y: 12, angle: column / 3, spin: 1 });
  },
});
