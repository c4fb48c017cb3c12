/** A kit game, and a unit test of its rules, as a project of one's own would write them. */
import { axis, defineGame, press } from "wyvern";

const game = defineGame({
  id: "hop-1",
  title: "Hop",
  gravity: 30,
  ground: [{ shape: { box: [12, 1], x: 0, y: -1 } }],
  command: { dx: axis(), jump: press() },
  things: { hero: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "hero",
}, {
  enter: () => ({ x: 0, y: 0.5 }),
  drive(world, me, { dx, jump }) {
    const isJumping = jump > 0 && world.isSupported(me);
    world.setVelocity(me, 8 * dx, isJumping ? 14 : me.vy);
  },
});

/** @returns how high the hero jumps in a second, metres, and where it is then */
export function jump(): { readonly top: number; readonly x: number } {
  const match = game.start({ npcs: 0 }, 1);
  let command = game.command.neutral;
  let top = 0;
  for (let tick = 0; tick < game.tickHz; tick++) {
    command = game.commandOf({ dx: 0.5, jump: tick === 5 ? 1 : 0 }, command);
    match.step([command]);
    top = Math.max(top, match.world.one("hero")!.y);
  }
  return { top, x: match.world.one("hero")!.x };
}
