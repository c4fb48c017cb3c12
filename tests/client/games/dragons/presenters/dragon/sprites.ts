/** Dragon sprites for tests. */
import { KitCamera } from "../../../../../../client/game_kit/picture/kit_camera.ts";
import type { Drawing } from "../../../../../../client/games/dragons/presenters/presenter.ts";
import { lookOf } from "../../../../../../client/games/dragons/render/palette.ts";
import {
  type Hue,
  NPC_HUE,
  RIVAL_HUES,
  SKY,
} from "../../../../../../client/presentation/picture/hues.ts";
import type { DragonSprite } from "../../../../../../client/games/dragons/presenters/dragon/sprite.ts";

/** A drawing of the whole arena on a canvas of this size, or near its middle in an upright one. */
export function drawingOn(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
): Drawing {
  const camera = new KitCamera();
  const wanted = { x: 16, y: 9, width: 32, height: 18 };
  camera.fit(size, { wanted, moves: false, own: { x: 16 }, elapsedMs: Infinity });
  return {
    context,
    camera,
    shake: { x: 0, y: 0 },
    nowMs: 0,
    elapsedMs: 0,
    isCalm: false,
    isSlow: false,
    letter: 16,
    pixelRatio: 1,
    useMetres() {},
    drawParticles() {},
  };
}

/** Milliseconds between two frames at 60 Hz. */
export const FRAME_MS = 1000 / 60;

/** A living dragon in flight, with these changes. */
export function dragonSprite(changes: Partial<DragonSprite> = {}): DragonSprite {
  return {
    id: 1,
    seat: 0,
    name: "Ash",
    own: false,
    isFollowed: false,
    npc: false,
    look: lookOf({ hue: hueOf(changes), seat: 0, own: false, npc: false, dead: false, ...changes }),
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
    holds: "none",
    shots: 0,
    score: 0,
    lance: undefined,
    ...changes,
  };
}

/** As the kit gives it. */
function hueOf({ seat = 0, own = false, npc = false }: Partial<DragonSprite>): Hue {
  return own ? SKY : npc ? NPC_HUE : RIVAL_HUES[seat % RIVAL_HUES.length]!;
}
