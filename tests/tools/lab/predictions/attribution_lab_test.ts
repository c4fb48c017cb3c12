import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater } from "@std/assert";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { type SeatId, SEATS } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import {
  Attribution,
  type Cause,
  type Correction,
} from "../../../../client/debug/replay/attribution.ts";
import { Lab } from "../lab.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { StepRecorder } from "../../../../client/debug/replay/step_recorder.ts";
import { DefinitiveHistory } from "./definitive_history.ts";
import { PredictionMonitor } from "./prediction_monitor.ts";

/** The least share of right causes among named ones, and the greatest share of unknown causes. */
const RIGHT_SHARE = 0.98;
const UNKNOWN_SHARE_MAX = 0.05;

class Tally {
  right = 0;
  wrong = 0;
  unknown = 0;
  readonly causes = new Map<Cause, number>();

  /**
   * @param expected the seat that caused the correction, the cause if it is not a command, and the
   * client's seat
   */
  add(
    { cause, by, seat }: Correction,
    expected: { by: SeatId; cause?: Cause; observer: SeatId },
  ): void {
    this.causes.set(cause, (this.causes.get(cause) ?? 0) + 1);
    const direct = expected.by === expected.observer ? "own command" : "other command";
    const right = expected.cause ?? (seat === expected.by ? direct : "contact");
    if (cause === "unknown") this.unknown++;
    else if (cause === right && (by === expected.by || cause === "out of step")) this.right++;
    else this.wrong++;
  }

  assert(atLeast: number): void {
    const named = this.right + this.wrong;
    assertGreater(named, atLeast);
    assertGreater(this.right, RIGHT_SHARE * named, `${this.wrong} of ${named} are wrong`);
    assertGreater(UNKNOWN_SHARE_MAX * named, this.unknown);
  }
}

/**
 * One player flies, with jitter and loss; the others never press anything, so this player causes
 * every correction.
 */
function playOneFlyer(seed: number, tally: Tally): void {
  const history = new DefinitiveHistory<DragonCommand>();
  const lab = new Lab({
    game: dragonGame,
    seed,
    npcs: 0,
    onDefinitive: (simulation, state) => history.record(simulation, state),
  });
  const bot = new Bot(seed);
  const monitors = Array.from({ length: 4 }, (_, i) => {
    const controls = i === 0 ? bot : Object.assign(new RandomDragonControls(0), { isIdle: true });
    const monitor = new PredictionMonitor({ game: dragonGame, history, controls, phaseTicks: i });
    const network = { oneWayMs: 60, jitterMs: 15, loss: 0.01 };
    const { session } = lab.join(`rider ${i}`, {
      ...monitor.joinOptions,
      network,
      ordered: seed % 3 !== 0,
    });
    monitor.attach(session);
    if (i === 0) bot.attach(session);
    return monitor;
  });
  lab.run(5);
  for (const monitor of monitors) monitor.isCounting = true;
  lab.run(20, () => monitors.forEach((monitor) => monitor.evaluate()));
  const by = monitors[0]!.seat;
  for (const monitor of monitors) {
    for (const correction of monitor.corrections) {
      tally.add(correction, { by, observer: monitor.seat });
    }
  }
}

Deno.test("Attribution: one flying player among idle ones causes every correction, also those by late commands [seeds 67 … 71]", () => {
  const tally = new Tally();
  for (let seed = 67; seed < 72; seed++) playOneFlyer(seed, tally);
  tally.assert(400);
  assertGreater(tally.causes.get("own command") ?? 0, 2);
  assertGreater(tally.causes.get("other command") ?? 0, 270);
  assertGreater(tally.causes.get("contact") ?? 0, 6);
});

const RIDERS = 8;
const NOBODY: readonly undefined[] = new Array(SEATS).fill(undefined);

/** A crowded match that the test rolls back and steps again with a known change. */
class RollbackTester {
  readonly #recorder = new StepRecorder<DragonCommand, DragonSimulation>();
  readonly #attribution = new Attribution({ recorder: this.#recorder, codec: dragonGame.command });
  readonly #simulation: DragonSimulation;
  readonly #riders: RandomDragonControls[];
  readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#riders = Array.from(
      { length: RIDERS },
      (_, i) => new RandomDragonControls(seed * 100 + i),
    );
    this.#simulation = this.#recorder.record(dragonGame).start({ npcs: 0 }, seed);
    for (let tick = 1; tick <= 60; tick++) this.#simulation.step(this.#commands());
  }

  /**
   * Steps some ticks, loads the state before them, and steps again with these seats' commands
   * changed or missing.
   */
  rollBack(seats: readonly SeatId[], change: "command" | "gone" | "state"): Correction[] {
    const simulation = this.#simulation;
    const base = new Snapshot(0);
    const serverState = new Snapshot(0);
    simulation.save(base);
    serverState.copyFrom(base);
    const depth = 2 + this.random.below(7);
    const before = Array.from({ length: depth }, () => this.#commands());
    for (const commands of before) simulation.step(commands);
    const posesBefore = this.#poses();
    simulation.load(change === "state" ? serverState : base);
    for (const commands of before) simulation.step(this.#changed(commands, seats, change));
    const corrections = this.#attribution.explain(posesBefore, this.#poses(), 0);
    this.#recorder.endRollback();
    // All players are back, in different places.
    for (let tick = 0; tick < 10; tick++) simulation.step(this.#commands());
    return corrections;
  }

  #changed(
    commands: readonly (DragonCommand | undefined)[],
    seats: readonly SeatId[],
    change: string,
  ) {
    const changed = [...commands];
    for (const seat of seats) {
      const { dir, flaps, ...rest } = commands[seat]!;
      const other = { ...rest, dir: dir === 1 ? -1 as const : 1 as const, flaps: (flaps + 1) & 3 };
      changed[seat] = change === "gone" ? undefined : other;
    }
    return changed;
  }

  #commands(): (DragonCommand | undefined)[] {
    const commands: (DragonCommand | undefined)[] = [...NOBODY];
    for (let seat = 0; seat < RIDERS; seat++) {
      commands[seat] = this.#riders[seat]!.next(0, commands[seat]);
    }
    return commands;
  }

  #poses(): PoseList {
    const poses = new PoseList();
    this.#simulation.poses(poses);
    return poses;
  }
}

Deno.test("Attribution: of two seats with changed commands, each causes the correction of its own body [seeds 80 … 83]", () => {
  const tally = new Tally();
  for (let seed = 80; seed < 84; seed++) {
    const tester = new RollbackTester(seed);
    for (let run = 0; run < 60; run++) {
      const first = tester.random.below(RIDERS);
      const second = (first + 1 + tester.random.below(RIDERS - 1)) % RIDERS;
      for (const correction of tester.rollBack([first, second], "command")) {
        // For a third body, the test cannot predict which of the two seats is the cause.
        if (correction.seat === first || correction.seat === second) {
          tally.add(correction, { by: correction.seat, observer: 0 });
        }
      }
    }
  }
  tally.assert(200);
  assertGreater(tally.causes.get("own command") ?? 0, 20);
});

Deno.test("Attribution: presence and a foreign state are distinguished from commands [seeds 84 … 87]", () => {
  const gone = new Tally();
  const foreign = new Tally();
  for (let seed = 84; seed < 88; seed++) {
    const tester = new RollbackTester(seed);
    for (let run = 0; run < 100; run++) {
      const by = tester.random.below(RIDERS);
      for (const correction of tester.rollBack([by], "gone")) {
        gone.add(correction, { by, cause: "presence", observer: 0 });
      }
      for (const correction of tester.rollBack([by], "state")) {
        foreign.add(correction, { by, cause: "out of step", observer: 0 });
      }
    }
  }
  gone.assert(20);
  foreign.assert(100);
  assertEquals(gone.unknown + foreign.unknown, 0);
});
