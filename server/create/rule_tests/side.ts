/** Tests of the rules. A match is an object that you step, without a server or a page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { game } from "../../../shared/game_kit/templates/side/game.ts";

test("a hero jumps from the ground, and not in the air", () => {
  const match = game.start({ npcs: 0 }, 1);
  let command = game.command.neutral;
  const pressJump = () => match.step([command = game.commandOf({ jump: 1 }, command)]);
  for (let tick = 0; tick < game.tickHz; tick++) match.step([command]);

  pressJump();
  assert.ok(match.world.player(0)!.vy > 10);
  match.step([command]);
  pressJump();
  assert.ok(match.world.player(0)!.vy < 10);
});

test("NPCs find coins, and each coin is a point", () => {
  const match = game.start({ npcs: 4 }, 7);
  let coins = 0;
  for (let tick = 0; tick < 30 * game.tickHz; tick++) {
    const commands = [];
    for (const seat of match.npcSeats) commands[seat] = match.npcCommand(seat, []);
    match.step(commands);
    coins += match.events.length;
  }

  const scores = match.world.all("hero").map(({ fields }) => fields.score);
  assert.ok(coins > 5);
  assert.equal(scores.reduce((sum, score) => sum + score, 0), coins);
});
