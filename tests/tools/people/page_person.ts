/**
 * A person in front of a real page of the dragon game: they look at the scenes that the page draws
 * and press keys. It runs inside the page, which is not changed for it.
 */
import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import type { DragonSprite } from "../../../client/games/dragons/presenters/dragon/sprite.ts";
import { LEDGES } from "../../../shared/games/dragons/arenas/ledges.ts";
import { type DragonScene, sceneOf } from "../../support/dragon_scene.ts";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import type { Session } from "../../../client/session/session.ts";
import type { Hands, Rider } from "../../../client/lab/people/dragons/rider.ts";
import type { SeenDragon, Sight } from "../../../client/lab/people/dragons/sight.ts";

/** What the page offers to its console. */
interface ConsolePage {
  readonly wyvern?: Session<DragonCommand, DragonSimulation>;
  readonly wyvernScene?: KitFrame;
}

/** ms between two looks at the hands: keys go down at any time between two frames. */
const HANDS_MS = 5;
/** ms for which the fire key is down. */
const FIRE_MS = 80;
export const FLAP = "Space";
const FIRE = "KeyF";
const STEER = { "-1": "ArrowLeft", "1": "ArrowRight" } as const;

export interface PersonOptions {
  /** Whether they care about this dragon: they neither hunt nor flee any other. By default all. */
  readonly minds?: (dragon: DragonSprite) => boolean;
  /** Called after the page has drawn a frame and the person has seen it. */
  readonly onFrame?: (frame: KitFrame) => void;
}

/** Plays until the page closes. */
export function playAtPage(
  rider: Rider,
  { minds = () => true, onFrame = () => {} }: PersonOptions,
): void {
  let hands = rider.act(performance.now());
  setInterval(() => {
    const before = hands;
    hands = rider.act(performance.now());
    moveHands(before, hands);
  }, HANDS_MS);

  // Requested after the page's own frame in each turn, so it runs right after the frame has been
  // drawn.
  const look = () => {
    requestAnimationFrame(look);
    const { wyvernScene: scene, wyvern: session } = globalThis as ConsolePage;
    if (scene === undefined || session?.simulation === undefined) return;
    rider.see(
      performance.now(),
      sightOfScene(sceneOf(scene), session.simulation.world.match.phase, minds),
    );
    onFrame(scene);
  };
  requestAnimationFrame(look);
}

function sightOfScene(
  { dragons, eggs }: DragonScene,
  phase: Sight["phase"],
  minds: (dragon: DragonSprite) => boolean,
): Sight {
  const own = dragons.find((sprite) => sprite.own);
  return {
    own: own === undefined || own.dead ? undefined : seen(own),
    rivals: dragons.filter((sprite) => !sprite.own && minds(sprite)).map(seen),
    eggs: eggs.map(({ x, y }) => ({ x, y })),
    phase,
    arena: LEDGES,
  };
}

function seen({ seat, x, y, vx, vy, facing, dead, invulnerableTicks }: DragonSprite): SeenDragon {
  return { seat, x, y, vx, vy, facing, isPrey: !dead && invulnerableTicks === 0 };
}

function key(type: "keydown" | "keyup", code: string): void {
  dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
}

/** Presses and releases the keys that differ. */
function moveHands(before: Hands, now: Hands): void {
  if (before.dir !== now.dir) {
    if (before.dir !== 0) key("keyup", STEER[before.dir]);
    if (now.dir !== 0) key("keydown", STEER[now.dir]);
  }
  if (before.flapHeld && (!now.flapHeld || now.flaps > before.flaps)) key("keyup", FLAP);
  if (now.flaps > before.flaps) key("keydown", FLAP);
  if (now.fires > before.fires) {
    key("keydown", FIRE);
    setTimeout(() => key("keyup", FIRE), FIRE_MS);
  }
}
