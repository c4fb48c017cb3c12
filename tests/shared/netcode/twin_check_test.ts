import type {
  Dragon,
  DragonCommand,
  DragonSimulation,
} from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Commands, Game, Simulation } from "../../../shared/netcode/game.ts";
import {
  type CounterCommand,
  counterGame,
  CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";
import { twinFaults } from "../../../shared/duties/twin_run.ts";

/** A second at 20 Hz: a fault must be found so soon. */
const SECOND = 20;
const SEED = 20_261_124;

type DragonGame = Game<DragonCommand, DragonSimulation>;

/** A mistake writes what only rules may. */
function dragonsOf({ world }: DragonSimulation): readonly Dragon[] {
  return world.all("dragon") as readonly Dragon[];
}

/** The dragon game with one mistake at the end of each step. */
function dragonsWith(newMistake: () => (simulation: DragonSimulation) => void): DragonGame {
  return {
    ...dragonGame,
    start(options, seed) {
      const simulation = dragonGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      const mistake = newMistake();
      simulation.step = (commands) => {
        step(commands);
        mistake(simulation);
      };
      return simulation;
    },
  };
}

function firstFault<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  ticks = SECOND,
) {
  const [first] = twinFaults(game, { seed: SEED, npcs: 2, ticks });
  return first && `tick ${first.tick}: ${first.text}`;
}

Deno.test("twin check: finds nothing in games that keep the contract (SPEC 1.20)", () => {
  assertEquals(twinFaults(dragonGame, { seed: SEED, npcs: 4, ticks: 600 }), []);
  assertEquals(twinFaults(counterGame, { seed: SEED, npcs: 4, ticks: 600 }), []);
});

let moduleCounter = 0;

const UNSAVED =
  /^tick \d+: entity \d+ dragon\.\w+ is .+ in the match, but .+ after a rollback\. The step reads /;

for (
  const [mistake, newMistake] of [
    [
      "chance",
      () => (simulation) =>
        dragonsOf(simulation).forEach(({ fields }) =>
          fields.score = Math.floor(Math.random() * 9999)
        ),
    ],
    [
      "a clock",
      () => (simulation) =>
        dragonsOf(simulation).forEach(({ fields }) =>
          fields.score = (performance.now() * 1000) & 0xffff
        ),
    ],
    [
      "a variable of the module",
      () => (simulation) =>
        dragonsOf(simulation).forEach(({ fields }) => fields.score = moduleCounter++ & 255),
    ],
    ["a switch with two positions", () => {
      let isOn = false;
      return (simulation) => {
        const dragons = dragonsOf(simulation);
        isOn = !isOn;
        dragons.forEach(({ fields }) => fields.score = isOn ? 1 : 0);
      };
    }],
    ["a Map in the order of its history", () => {
      const seen = new Map<number, boolean>();
      return (simulation) => {
        const dragons = dragonsOf(simulation);
        for (const { seat } of dragons) seen.set(seat, true);
        for (const seat of seen.keys()) {
          if (!dragons.some(({ seat: other }) => other === seat)) seen.delete(seat);
        }
        const first = dragons.find(({ seat: other }) => other === [...seen.keys()][0]);
        if (first !== undefined) first.fields.score = first.seat + 7;
      };
    }],
  ] as readonly (readonly [string, () => (simulation: DragonSimulation) => void])[]
) {
  Deno.test(`twin check: names tick, entity and field of a step that reads ${mistake} (SPEC 1.20)`, () => {
    assertMatch(firstFault(dragonsWith(newMistake), 5 * SECOND) ?? "nothing", UNSAVED);
  });
}

Deno.test("twin check: names the entity of which only one state has the words (SPEC 1.20)", () => {
  const game = dragonsWith(() => {
    let steps = 0;
    return (simulation) => {
      const { stage } = simulation;
      const dragons = dragonsOf(simulation);
      if (++steps % 7 !== 0 || dragons.length === 0) return;
      stage.despawn(dragons[0]!.entity);
      stage.endTick();
    };
  });
  assertMatch(firstFault(game) ?? "nothing", /^tick \d+: entity \d+ \w+ id is /);
});

Deno.test("twin check: an assume that depends on earlier calls is named with both commands (SPEC 1.20)", () => {
  let calls = 0;
  const game = {
    ...counterGame,
    assume: (last: CounterCommand | undefined) => ({
      presses: last?.presses ?? 0,
      dir: calls++ % 3 - 1,
    }),
  };
  assertMatch(
    firstFault(game) ?? "nothing",
    /assume\(\) gives \{"presses":\d,"dir":.+\} and \{.+\} for the same command/,
  );
});

class FaultyCounter extends CounterSimulation {
  override npcCommand(seat: number, queued: readonly CounterCommand[]): CounterCommand {
    this.tick += seat === 17 ? 1 : 0;
    return super.npcCommand(seat, queued);
  }
}

Deno.test("twin check: a state that changes between two steps is named (SPEC 1.20)", () => {
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    start: (...of) => new FaultyCounter(...of),
  };
  assertStringIncludes(
    firstFault(game) ?? "nothing",
    "tick 0: word 0 is 0 after the step, but 2 before the next one. Only the step may change the state",
  );
});

class ForgetfulCounter extends CounterSimulation {
  bonus = 0;
  override step(commands: Commands<CounterCommand>): void {
    super.step(commands);
    this.bonus = this.tick;
  }
  override save(into: Snapshot): void {
    super.save(into);
    into.reserve(into.length + 1);
    into.words[into.length++] = this.bonus;
  }
  override load(from: Snapshot): void {
    const length = from.length;
    from.length--;
    super.load(from);
    from.length = length;
  }
}

Deno.test("twin check: a word that load() does not restore is named (SPEC 1.20)", () => {
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    start: (...of) => new ForgetfulCounter(...of),
  };
  assertMatch(
    firstFault(game, 5 * SECOND) ?? "nothing",
    /word 131 is .+ load\(\) does not restore all that save\(\) writes/,
  );
});

class EventCounter extends CounterSimulation {
  #steps = 0;
  override step(commands: Commands<CounterCommand>): void {
    super.step(commands);
    if (this.#steps++ % 5 === 0) {
      this.events.push({ tick: this.tick, kind: "chime", entity: 3, x: 0, y: 0 });
    }
  }
}

Deno.test("twin check: an event that only one of both emits is named (SPEC 1.20)", () => {
  const game: Game<CounterCommand, CounterSimulation> = {
    ...counterGame,
    start: (...of) => new EventCounter(...of),
  };
  assertMatch(firstFault(game) ?? "nothing", /event \d+ is .*"chime" of entity 3/);
});
