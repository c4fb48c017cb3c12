/** The template is a game that can be played, and short. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { game } from "../../../shared/game_kit/template/game.ts";
import { commandsOf } from "./small_game.ts";

/** The lines of the game and its view. */
const LINES_MAX = 40;

Deno.test("Kit: the template is short, and its NPCs find coins (SPEC 13.19)", async () => {
  let lines = 0;
  for (const file of ["shared/game_kit/template/game.ts", "client/game_kit/template/view.ts"]) {
    lines +=
      (await Deno.readTextFile(new URL(`../../../${file}`, import.meta.url))).trimEnd().split("\n")
        .length;
  }

  assertLessOrEqual(lines, LINES_MAX);
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
