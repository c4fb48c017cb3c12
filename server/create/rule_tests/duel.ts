/** Tests of the rules. A match is an object that you step, without a server or a page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { game } from "../../../shared/game_kit/templates/duel/game.ts";

const REST = game.command.neutral;

test("the ball rests until both players are here", () => {
  const match = game.start({ npcs: 0 }, 1);
  for (let tick = 0; tick < 5 * game.tickHz; tick++) match.step([REST]);
  assert.equal(match.world.one("ball")!.x, 0);

  for (let tick = 0; tick < 2 * game.tickHz; tick++) match.step([REST, REST]);
  assert.notEqual(match.world.one("ball")!.x, 0);
});

test("a ball behind a paddle is a point for the other one", () => {
  const match = game.start({ npcs: 0 }, 1);
  const up = game.commandOf({ dy: 1 }, REST);
  let points = 0;
  for (let tick = 0; tick < 30 * game.tickHz && points === 0; tick++) {
    // The paddles wait at the upper edge, and miss what flies below them.
    match.step([up, up]);
    points += match.events.filter(({ kind }) => kind === "point").length;
  }

  const [left, right] = match.world.all("paddle").map(({ fields }) => fields.score);
  assert.equal(points, 1);
  assert.equal(left! + right!, 1);
});

test("a paddle stays within the court", () => {
  const match = game.start({ npcs: 0 }, 1);
  const up = game.commandOf({ dy: 1 }, REST);
  for (let tick = 0; tick < 5 * game.tickHz; tick++) match.step([up]);
  assert.ok(match.world.player(0)!.y < 7);
});
