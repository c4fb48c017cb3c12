/** Tests of the rules. A match is an object that you step, without a server or a page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { game } from "../../../shared/game_kit/templates/blank/game.ts";

test("a disc moves where its player pushes", () => {
  const match = game.start({ npcs: 0 }, 1);
  match.step([game.command.neutral]);
  const { x } = match.world.player(0)!;

  const right = game.commandOf({ dx: 1 }, game.command.neutral);
  for (let tick = 0; tick < game.tickHz; tick++) match.step([right]);
  assert.ok(match.world.player(0)!.x > x + 2);
});

test("a disc that meets another one pushes it along", () => {
  const match = game.start({ npcs: 0 }, 1);
  const right = game.commandOf({ dx: 1 }, game.command.neutral);
  match.step([game.command.neutral, game.command.neutral]);
  const { x } = match.world.player(1)!;

  for (let tick = 0; tick < 2 * game.tickHz; tick++) match.step([right, game.command.neutral]);
  assert.ok(match.world.player(1)!.x > x + 1);
});
