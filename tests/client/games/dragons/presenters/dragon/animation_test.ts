import { assert, assertEquals } from "@std/assert";
import {
  DragonAnimation,
  DragonAnimations,
  SCORE_POP_MS,
} from "../../../../../../client/games/dragons/presenters/dragon/animation.ts";
import type { DragonSprite } from "../../../../../../client/games/dragons/presenters/dragon/sprite.ts";
import { dragonSprite, FRAME_MS } from "./sprites.ts";

/** Advances the animation with the same sprite for a while. */
function advanceFor(animation: DragonAnimation, sprite: DragonSprite, ms: number): void {
  for (let passed = 0; passed < ms; passed += FRAME_MS) animation.advance(sprite, FRAME_MS);
}

Deno.test("DragonAnimation: a fresh flap beats the wings once, an old one does not", () => {
  const animation = new DragonAnimation(dragonSprite());
  advanceFor(animation, dragonSprite(), 500);
  const gliding = animation.wing;
  advanceFor(animation, dragonSprite({ flapAge: 0 }), 120);
  assert(animation.wing < -0.5, `struck down: ${animation.wing}`);
  advanceFor(animation, dragonSprite({ flapAge: 3 }), 800);
  assert(Math.abs(animation.wing - gliding) < 0.05, `gliding again: ${animation.wing}`);
  advanceFor(animation, dragonSprite({ flapAge: 200 }), 200);
  advanceFor(animation, dragonSprite({ flapAge: 60 }), 120); // a rollback removed the newest flap
  assert(Math.abs(animation.wing - gliding) < 0.05, `still gliding: ${animation.wing}`);
});

Deno.test("DragonAnimation: a rival's flap that becomes known six ticks late beats the wings", () => {
  const animation = new DragonAnimation(dragonSprite());
  advanceFor(animation, dragonSprite({ flapAge: 20 }), 500);
  advanceFor(animation, dragonSprite({ flapAge: 6 }), 120);
  assert(animation.wing < -0.5, `struck down: ${animation.wing}`);
});

Deno.test("DragonAnimation: a landing flattens the dragon, then it springs back", () => {
  const animation = new DragonAnimation(dragonSprite({ vy: -9 }));
  animation.advance(dragonSprite({ vy: -9 }), FRAME_MS);
  advanceFor(animation, dragonSprite({ onGround: true }), 50);
  assert(animation.squash > 0.1, `flat: ${animation.squash}`);
  advanceFor(animation, dragonSprite({ onGround: true }), 600);
  assert(Math.abs(animation.squash) < 0.01, `back in shape: ${animation.squash}`);
});

Deno.test("DragonAnimation: the spring of a blow is stable at 20 frames a second", () => {
  const animation = new DragonAnimation(dragonSprite());
  animation.squeeze(1);
  for (let i = 0; i < 40; i++) animation.advance(dragonSprite(), 50);
  assert(Math.abs(animation.squash) < 0.01, `at rest: ${animation.squash}`);
});

Deno.test("DragonAnimation: points won show for a while, lost points do not", () => {
  const animation = new DragonAnimation(dragonSprite({ score: 4 }));
  animation.advance(dragonSprite({ score: 6 }), FRAME_MS);
  assertEquals([animation.popPoints, animation.popAgeMs], [2, 0]);
  advanceFor(animation, dragonSprite({ score: 6 }), SCORE_POP_MS + 50);
  assert(animation.popAgeMs > SCORE_POP_MS);
  animation.advance(dragonSprite({ score: 0 }), FRAME_MS);
  assert(animation.popAgeMs > SCORE_POP_MS);
});

Deno.test("DragonAnimation: a dead dragon tumbles, and has just arrived when it is back", () => {
  const animation = new DragonAnimation(dragonSprite());
  advanceFor(animation, dragonSprite(), 4000);
  assertEquals(animation.hasJustArrived, false);
  advanceFor(animation, dragonSprite({ dead: true }), 300);
  assert(animation.tumble > 1);
  animation.advance(dragonSprite(), FRAME_MS);
  assertEquals([animation.tumble, animation.hasJustArrived], [0, true]);
});

Deno.test("DragonAnimations: keeps the animations of drawn dragons and drops all others", () => {
  const animations = new DragonAnimations();
  animations.advance([dragonSprite({ id: 1 }), dragonSprite({ id: 2 })], FRAME_MS);
  const kept = animations.of(dragonSprite({ id: 2 }));
  animations.advance([dragonSprite({ id: 2 })], FRAME_MS);
  assertEquals(animations.count, 1);
  assert(animations.of(dragonSprite({ id: 2 })) === kept);
});
