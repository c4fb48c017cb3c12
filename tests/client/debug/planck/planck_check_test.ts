/** The judge of a page's recording: it steps definitive ticks alone, in periods of 100. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { PERIOD_TICKS, PlanckCheck } from "../../../../client/debug/planck/planck_check.ts";
import type { PlanckReport } from "../../../../client/debug/planck/planck_messages.ts";
import type { FlightEntry, FlightState } from "../../../../client/presentation/flight_recording.ts";
import { axis, defineGame } from "../../../../shared/game_kit/game_kit.ts";
import { type Commands, SEATS } from "../../../../shared/netcode/game.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { game as fallGame } from "../../../browser/planck/game.ts";

type Command = typeof fallGame.command.neutral;

const OPTIONS = { npcs: 0, seed: 7, choices: [] };

/** The entries of a page that plays on seat 0. */
class Page {
  readonly simulation = fallGame.start({ npcs: 0 }, OPTIONS.seed);

  entry(others: Partial<FlightEntry>): FlightEntry {
    const nothing = { atMs: 0, gapMs: 0, ticks: [], commands: [], steps: [], state: undefined };
    return { ...nothing, definitive: this.simulation.tick, isRebased: false, ...others };
  }

  commands(dx: number): Commands<Command> {
    const commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
    commands[0] = { ...fallGame.command.neutral, dx };
    return commands;
  }

  /** Steps a tick that the page has predicted wrongly first. */
  step(dx: number): FlightEntry {
    const { simulation } = this;
    const commands = this.commands(dx);
    simulation.step(commands);
    const { tick } = simulation;
    return this.entry({ steps: [{ tick, commands: this.commands(-dx) }, { tick, commands }] });
  }

  get state(): FlightState {
    const snapshot = new Snapshot(0);
    this.simulation.save(snapshot);
    const { tick } = this.simulation;
    return { tick, words: snapshot.words.slice(0, snapshot.length), steps: [] };
  }
}

/** Plays so many ticks; the newest report. */
function play(page: Page, check: PlanckCheck<Command>, ticks: number): PlanckReport | undefined {
  let report: PlanckReport | undefined;
  for (let i = 0; i < ticks; i++) {
    report = check.add([page.step(page.simulation.tick % 40 < 20 ? 8 : -8)]) ?? report;
  }
  return report;
}

Deno.test("PlanckCheck: it steps what is definitive, and has a figure after each 100 ticks (SPEC 9.90)", () => {
  const page = new Page();
  const check = new PlanckCheck(fallGame, OPTIONS);
  const { advance } = Stage.prototype;
  assertEquals(check.add([page.entry({ state: page.state })]), undefined);

  const early = play(page, check, PERIOD_TICKS - 1)!;
  assertEquals([early.tick, early.ticks, early.period], [99, 99, undefined]);
  const first = play(page, check, 1)!;
  const { period } = first;
  assert(period !== undefined);
  assertEquals([first.ticks, period.tick, period.ticks], [PERIOD_TICKS, 100, PERIOD_TICKS]);
  assertEquals(period.bodies, first.bodies.length);
  const farthest = Math.max(...first.bodies.map(({ metres }) => metres));
  assertEquals(period.farthestMetres, farthest);
  assertLess(period.meanMetres, farthest + 1e-12);
  assert(first.bodies.some(({ id, name }) => period.farthest === `${name} ${id}`));

  // The page's own stage is at the same places.
  for (const { id, stage: { x } } of first.bodies) {
    assertAlmostEquals(page.simulation.world.get(id)!.x, x, 1e-4);
  }

  // planck begins again.
  const second = play(page, check, 1)!;
  assertEquals([second.ticks, second.period], [1, period]);
  assertLess(Math.max(...second.bodies.map(({ metres }) => metres)), 0.02);
  assertEquals(Stage.prototype.advance, advance);
});

Deno.test("PlanckCheck: a state that the steps have not led to is taken over, and a gap waits for one", () => {
  const page = new Page();
  const check = new PlanckCheck(fallGame, OPTIONS);
  check.add([page.entry({ state: page.state })]);
  assertEquals(play(page, check, 30)!.ticks, 30);

  // The same state changes nothing.
  check.add([page.entry({ state: page.state })]);
  assertEquals(play(page, check, 1)!.ticks, 31);

  // A tick is missing, until a state comes.
  page.step(8);
  assertEquals(play(page, check, 5), undefined);
  check.add([page.entry({ state: page.state, isRebased: true })]);
  const report = play(page, check, 2)!;
  assertEquals([report.tick, report.ticks], [page.simulation.tick, 2]);

  // Ticks ahead of the definitive one wait.
  const ahead = page.step(8);
  assertEquals(check.add([{ ...ahead, definitive: report.tick }]), undefined);
  assertEquals(check.add([page.entry({})])!.tick, report.tick + 1);
});

Deno.test("PlanckCheck: a game's error leaves the stage's class as it was", () => {
  const game = defineGame({
    id: "fault-1",
    title: "Fault",
    gravity: 10,
    ground: [{ shape: { box: [9, 1], y: -1 } }],
    command: { dx: axis() },
    things: { hero: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
    player: "hero",
  }, {
    enter: () => ({ y: 1 }),
    drive() {
      throw new Error("a rule's mistake");
    },
  });
  const simulation = game.start({ npcs: 0 }, 1);
  const snapshot = new Snapshot(0);
  simulation.save(snapshot);
  const words = snapshot.words.slice(0, snapshot.length);
  const check = new PlanckCheck(game, OPTIONS);
  const page = new Page();
  check.add([page.entry({ definitive: 0, state: { tick: 0, words, steps: [] } })]);
  const { advance } = Stage.prototype;
  const commands = new Array(SEATS).fill(undefined);
  commands[0] = game.command.neutral;
  let message = "";
  try {
    check.add([page.entry({ definitive: 1, steps: [{ tick: 1, commands }] })]);
  } catch (error) {
    message = String(error);
  }
  assertGreater(message.length, 0);
  assertEquals(Stage.prototype.advance, advance);
});
