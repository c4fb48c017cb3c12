/** The template is a game that can be played. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { game } from "../../../shared/game_kit/templates/side/game.ts";
import { commandsOf } from "./small_game.ts";

Deno.test("Kit: the NPCs of the template find coins (SPEC 13.19)", () => {
  const simulation = game.start({ npcs: 4 }, 7);
  const { world } = simulation;
  const events: string[] = [];

  for (let i = 0; i < 600; i++) {
    const bySeat = Object.fromEntries(
      simulation.npcSeats.map((seat) => [seat, simulation.npcCommand(seat, [])]),
    );
    simulation.step(commandsOf(bySeat));
    events.push(...simulation.events.map(({ kind }) => kind));
  }

  const scores = world.all("hero").map(({ fields }) => fields.score);
  assertEquals(scores.reduce((sum, score) => sum + score, 0), events.length);
  assertGreater(events.length, 5);
  assert(world.all("hero").every(({ x, y }) => Math.abs(x) < 12 && y > 0));
});
