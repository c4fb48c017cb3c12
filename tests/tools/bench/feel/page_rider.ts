/**
 * The script of `bench feel` inside the real page. A rider looks at the scenes that the page draws
 * and presses real keys. The recorder looks at the same scenes. The page itself is not changed.
 */
import type { RenderScene } from "../../../../client/games/dragons/scene.ts";
import type { NetworkConditions } from "../../../../client/net/network_conditions.ts";
import type { DragonSprite } from "../../../../client/games/dragons/presenters/dragon/sprite.ts";
import { type Hands, Rider } from "../../people/rider.ts";
import type { SeenDragon, Sight } from "../../people/sight.ts";
import { FITTED } from "../../people/styles.ts";
import { type FeelFigures, figuresOf } from "./figures.ts";
import { FeelRecorder, type FeltMatch } from "./recorder.ts";

declare global {
  var wyvernMatch: FeltMatch | undefined;
  var wyvernConditions: NetworkConditions;
  var feel: {
    /** Puts a person in front of the page. */
    readonly play: () => void;
    /** The number of people whose dragons are in the arena. */
    readonly people: () => number;
    readonly record: () => void;
    /** The number of recorded keys whose effect was drawn. */
    readonly shownKeys: () => number;
    readonly figures: () => FeelFigures;
  };
}

/** ms between two looks at the hands: keys go down at any time between two frames. */
const HANDS_MS = 5;
/** ms for which the fire key is down. */
const FIRE_MS = 80;
const FLAP = "Space";
const FIRE = "KeyF";
const STEER = { "-1": "ArrowLeft", "1": "ArrowRight" } as const;

/** The person at this page. */
const rider = new Rider(FITTED[0]!, 1);
let recorder: FeelRecorder | undefined;

function sightOfScene({ dragons, eggs, arena }: RenderScene): Sight {
  const own = dragons.find((sprite) => sprite.own);
  return {
    own: own === undefined || own.dead ? undefined : seen(own),
    rivals: dragons.filter((sprite) => !sprite.own).map(seen),
    eggs: eggs.map(({ x, y }) => ({ x, y })),
    phase: wyvernMatch!.session.simulation!.phase,
    arena,
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

/** Plays until the page closes. */
function play(): void {
  addEventListener("keydown", ({ code }) => {
    if (code === FLAP) recorder?.onFlapKey();
  });
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
    const scene = globalThis.wyvernScene;
    if (scene === undefined || wyvernMatch?.session.simulation === undefined) return;
    rider.see(performance.now(), sightOfScene(scene));
    recorder?.onFrame(scene);
  };
  requestAnimationFrame(look);
}

globalThis.feel = {
  play,
  people: () => globalThis.wyvernScene?.dragons.filter(({ npc }) => !npc).length ?? 0,
  record: () => recorder = new FeelRecorder(wyvernMatch!),
  shownKeys: () => recorder!.recording.keys.length,
  figures: () => figuresOf(recorder!.recording),
};
