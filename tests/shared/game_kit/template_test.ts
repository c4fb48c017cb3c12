/** The template is a game that can be played, and short. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import { game } from "../../../shared/game_kit/template/game.ts";
import { commandsOf } from "./small_game.ts";

/** With the view, which has at most 12 lines, at most 45. */
const LINES_MAX = 33;

Deno.test("Kit: the template is short, and its NPCs find coins (SPEC 13.19)", async () => {
  const text = await Deno.readTextFile(new URL("../../../shared/game_kit/template/game.ts", import.meta.url));
  assertLessOrEqual(text.trimEnd().split("\n").length, LINES_MAX);
  const simulation = game.start({ npcs: 4 }, 7), { world } = simulation, events: string[] = [];
  for (let i = 0; i < 600; i++) {
    const bySeat = Object.fromEntries(simulation.npcSeats.map((seat) => [seat, simulation.npcCommand(seat, [])]));
    simulation.step(commandsOf(bySeat));
    events.push(...simulation.events.map(({ kind }) => kind));
  }
  const scores = world.all("hero").map(({ fields }) => fields.score);
  assertEquals(scores.reduce((sum, score) => sum + score, 0), events.length);
  assertGreater(events.length, 5);
  assert(world.all("hero").every(({ x, y }) => Math.abs(x) < 12 && y > 0));
});
