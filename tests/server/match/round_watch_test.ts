import { assert, assertEquals, assertGreater } from "@std/assert";
import { type RoundOver, RoundWatch } from "../../../server/match/round_watch.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { type Game, PLAYER_SEATS, SEATS, type Simulation } from "../../../shared/netcode/game.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

/** Ten minutes: each game ends several rounds. */
const TICKS = 12_000;

for (const [name, load] of Object.entries(GAMES)) {
  Deno.test(`RoundWatch: ${name} reports each round once, also after a rollback into the time after it (SPEC 15.23)`, async () => {
    const game = (await load()).game as Game<unknown>;
    const simulation = game.start({ npcs: 4 }, 5);
    assert(game.rounds !== undefined);
    const all: RoundOver[] = [];
    const late: RoundOver[] = [];
    const presence = { nameOf: (seat: number) => seat === 0 ? "Wren" : "" };
    const watch = new RoundWatch(game.rounds, (round) => all.push(round));
    const state = new Snapshot();

    for (let tick = 1; tick <= TICKS && all.length < 3; tick++) {
      step(game, simulation);
      watch.observe({ tick, simulation, presence });
      if (all.at(-1)?.tick !== tick - 2) continue;
      // Another process begins with a state in which the round is over, and one with this match's
      // own watch.
      simulation.save(state);
      const again = game.start({ npcs: 4 }, 5);
      again.load(state);
      const resumed = new RoundWatch(game.rounds, (round) => late.push(round));
      resumed.observe({ tick, simulation: again, presence });
      resumed.observe({ tick, simulation: again, presence });
      const silent = new RoundWatch(game.rounds, () => assert(false, "reported twice"));
      silent.begin(again);
      silent.observe({ tick, simulation: again, presence });
    }

    assertEquals(all.map(({ round }) => round), [1, 2, 3]);
    assertEquals(
      late.slice(0, 2).map(({ round, scores }) => ({ round, scores })),
      all.slice(0, 2).map(
        ({ round, scores }) => ({ round, scores }),
      ),
    );

    for (const { scores } of all) {
      const seats = new Set(scores.map(({ seat }) => seat));
      assertEquals(seats.size, scores.length);
      for (const seat of [0, 16, 17, 18, 19]) assert(seats.has(seat), `${seat}`); // an egg may have added others
      assertEquals(scores.filter(({ name }) => name === "Wren").length, 1);
      // Each NPC has the name that pages show.
      const unnamed = scores.filter(({ seat, name }) =>
        seat >= PLAYER_SEATS && !/^\w+ \w+$/.test(name)
      );
      assertEquals(unnamed, []);
    }

    assertGreater(Math.max(...all.flatMap(({ scores }) => scores.map(({ score }) => score))), 0);
  });
}

/** One tick in which seat 0 and the NPCs do what an NPC would do. */
function step(game: Game<unknown>, simulation: Simulation<unknown>): void {
  const commands: unknown[] = new Array(SEATS).fill(undefined);
  for (const seat of [0, ...simulation.npcSeats]) {
    commands[seat] = seat < PLAYER_SEATS && simulation.tick === 0
      ? game.command.neutral
      : simulation.npcCommand(seat, []);
  }
  simulation.step(commands);
}
