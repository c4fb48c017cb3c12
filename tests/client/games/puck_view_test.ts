/** The words that Puck's page shows over the rink. */
import { assertEquals } from "@std/assert";
import { view } from "../../../client/games/puck/view.ts";
import { game } from "../../../shared/games/puck/game.ts";

type Simulation = ReturnType<typeof game.start>;
type Match = Simulation["world"]["match"];

/** A match of three goals on the open rink, without cars. */
function startMatch(): Simulation {
  return game.start({ npcs: 0, choices: [1, 1] }, 1);
}

function stepUntil(simulation: Simulation, isReached: (match: Match) => boolean): void {
  const commands = new Array(32).fill(undefined);
  do simulation.step(commands); while (!isReached(simulation.world.match));
}

/** Blue scores. */
function score(simulation: Simulation): void {
  stepUntil(simulation, ({ pause }) => pause === 0);
  const { entity } = simulation.world.one("puck")!;
  simulation.stage.teleport(entity, 11, 0);
  simulation.stage.setVelocity(entity, 8, 0);
  stepUntil(simulation, ({ pause }) => pause > 0);
}

function shown(simulation: Simulation) {
  const { banner, round } = view.status(simulation, { names: new Map(), ownSeat: -1 });
  return [round!.phase, banner];
}

Deno.test("Puck's view: after a goal it says so, and then counts down to the kick-off", () => {
  const simulation = startMatch();
  score(simulation);
  assertEquals(shown(simulation), ["playing", "GOAL!"]);
  for (const [pause, word] of [[31, "GOAL!"], [30, "3"], [20, "2"], [10, "1"], [0, undefined]]) {
    stepUntil(simulation, (match) => match.pause === pause);
    assertEquals(shown(simulation), ["playing", word]);
  }
});

Deno.test("Puck's view: no goal is announced when the time runs out, nor beside a result", () => {
  const timed = startMatch();
  stepUntil(timed, ({ pause }) => pause === 0);
  stepUntil(timed, ({ left }) => left === 0);
  assertEquals(shown(timed), ["result", undefined]);

  const won = startMatch();
  for (let goals = 0; goals < 3; goals++) score(won);
  assertEquals([won.world.match.blue, ...shown(won)], [3, "result", undefined]);
});
