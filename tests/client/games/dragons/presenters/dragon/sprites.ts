/** Dragon sprites for tests. */
import type { DragonSprite } from "../../../../../../client/games/dragons/presenters/dragon/sprite.ts";

/** Milliseconds between two frames at 60 Hz. */
export const FRAME_MS = 1000 / 60;

/** A living dragon in flight, with these changes. */
export function dragonSprite(changes: Partial<DragonSprite> = {}): DragonSprite {
  return {
    id: 1,
    seat: 0,
    name: "Ash",
    own: false,
    npc: false,
    x: 10,
    y: 5,
    angle: 0,
    vx: 0,
    vy: 0,
    facing: 1,
    onGround: false,
    flapAge: 100,
    dead: false,
    invulnerableTicks: 0,
    stunnedTicks: 0,
    charges: 3,
    score: 0,
    lance: undefined,
    ...changes,
  };
}
