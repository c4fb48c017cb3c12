/** Tests of the rules. A match is an object that you step, without a server or a page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { game } from "../../../shared/game_kit/templates/top/game.ts";

/** Plays a match with one car, which begins with its nose to the ring. */
function play(seconds: number, dx: number) {
  const match = game.start({ npcs: 0 }, 1);
  const command = game.commandOf({ dx }, game.command.neutral);
  for (let tick = 0; tick < seconds * game.tickHz; tick++) match.step([command]);
  return match.world.player(0)!;
}

test("a car drives where its player points", () => {
  assert.ok(play(0.2, -1).vx < -1);
});

test("a car outside of the ring gets no point", () => {
  assert.equal(play(5, 0).fields.score, 0);
});

test("a car that stays in the ring gets a point each second", () => {
  const match = game.start({ npcs: 0 }, 1);
  let command = game.command.neutral;
  match.step([command]);
  for (let tick = 0; tick < 15 * game.tickHz; tick++) {
    // To the middle, and against the speed
    const { x, y, vx, vy } = match.world.player(0)!;
    const towards = (place: number, speed: number) =>
      Math.max(-1, Math.min(1, -(place + 0.5 * speed) / 4));
    command = game.commandOf({ dx: towards(x, vx), dy: towards(y, vy) }, command);
    match.step([command]);
  }
  assert.ok(match.world.player(0)!.fields.score >= 5);
});
