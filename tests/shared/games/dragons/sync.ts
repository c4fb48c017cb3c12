/**
 * The sync test's engine. A reference run of the dragon game never rolls back. A second simulation
 * mispredicts on purpose and loads old and newer states. In every tick that it steps with the right
 * commands it must reach the reference's words.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FakeNpcController, randomCommand, ScriptedControls } from "./rig.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

/** Ticks of the deepest rollback. */
const DEPTH_MAX = 20;
/** Most ticks with the right commands between two rollbacks. */
const RIGHT_TICKS_MAX = 7;
const PLAYERS = 8;
const NPCS = 4;
/** Ticks in every thousand in which no player acts, so that crates and dragons fall asleep. */
const QUIET_TICKS = 150;

type SeatCommands = readonly (DragonCommand | undefined)[];

/** A run without rollbacks: the commands of each tick and the resulting state. */
export interface ReferenceRun {
  /** By tick; commands[n] lead from states[n - 1] to states[n]. */
  readonly commands: readonly SeatCommands[];
  readonly states: readonly Snapshot[];
  readonly seed: number;
  readonly occurred: {
    contacts: number;
    spawns: number;
    despawns: number;
    asleep: number;
    /** Eggs laid, taken and hatched; results shown, and rounds that began after them. */
    eggs: number;
    taken: number;
    hatched: number;
    results: number;
    rounds: number;
    /** Hatchlings that entered, and those that left again. */
    seatsEntered: number;
    seatsLeft: number;
  };
}

/** Plays `ticks` ticks once, from one seed. Players enter and leave. */
export function playReferenceRun(seed: number, ticks: number): ReferenceRun {
  const simulation = dragonGame.start({ npcs: NPCS }, seed);
  const random = new Random(seed);
  const players = new PlayerPool(random);
  const commands: SeatCommands[] = [[]];
  const states: Snapshot[] = [saved(simulation)];
  const occurred = { contacts: 0, spawns: 0, despawns: 0, asleep: 0 };
  const eventCounts: Record<string, number> = {};
  let ids = archetypeNamesById(simulation);

  while (simulation.tick < ticks) {
    const seatCommands = players.next(simulation);
    simulation.step(seatCommands);
    commands.push(seatCommands);
    states.push(saved(simulation));
    occurred.contacts += simulation.contactsBegun;
    for (const dragon of simulation.world.all("dragon")) if (!dragon.awake) occurred.asleep++;
    for (const crate of simulation.world.all("crate")) if (!crate.awake) occurred.asleep++;
    const now = archetypeNamesById(simulation);
    for (const id of now.keys()) if (!ids.has(id)) occurred.spawns++;
    for (const id of ids.keys()) if (!now.has(id)) occurred.despawns++;
    ids = now;
    for (const { kind } of simulation.events) eventCounts[kind] = (eventCounts[kind] ?? 0) + 1;
  }

  const {
    egg: eggs = 0,
    take: taken = 0,
    hatch: hatched = 0,
    round: results = 0,
    start: rounds = 0,
  } = eventCounts;
  const { entered: seatsEntered, left: seatsLeft } = players.npcs;
  return {
    commands,
    states,
    seed,
    occurred: { ...occurred, eggs, taken, hatched, results, rounds, seatsEntered, seatsLeft },
  };
}

export interface SyncReport {
  /** Ticks that were stepped with the right commands and compared. */
  readonly compared: number;
  /** The compared ticks whose words differ from the reference. */
  readonly different: number;
  /**
   * The tick and label of the first difference, e.g. "tick 12: entity 3 dragon vx"; empty if there
   * is none.
   */
  readonly firstDifference: string;
  readonly loads: number;
  /**
   * Ids whose archetype in the mispredicted state differs from the archetype in the state that was
   * loaded over it.
   */
  readonly collisions: number;
}

/**
 * Mispredicts and loads until the end of the reference run.
 * @param tamper the bug that the test must detect: it changes a state between save and load. The
 * run then ends at the first difference.
 */
export function syncAgainst(run: ReferenceRun, tamper?: (state: Snapshot) => void): SyncReport {
  const random = new Random(run.seed ^ 0x73796e63);
  const last = run.states.length - 1 - 2 * DEPTH_MAX - RIGHT_TICKS_MAX;
  const report = { compared: 0, different: 0, loads: 0, collisions: 0, firstDifference: "" };
  const loaded = new Snapshot();
  const reached = new Snapshot();
  let simulation = dragonGame.start({ npcs: NPCS }, run.seed);
  const stepRight = (ticks: number): void => {
    for (let i = 0; i < ticks; i++) {
      simulation.step(run.commands[simulation.tick + 1]!);
      simulation.save(reached);
      report.compared++;
      const expected = run.states[simulation.tick]!;
      if (reached.equals(expected)) continue;
      if (report.different++ === 0) {
        report.firstDifference = differenceOf(simulation, reached, expected);
      }
    }
  };

  // With a tampered tick number the loop might never end: one difference is enough.
  while (simulation.tick < last && (tamper === undefined || report.different === 0)) {
    stepRight(1 + random.below(RIGHT_TICKS_MAX));
    const head = simulation.tick;
    const depth = 1 + random.below(DEPTH_MAX);
    mispredict(simulation, run, { depth, random });
    report.loads++;
    const mispredicted = archetypeNamesById(simulation);
    const isNewer = report.loads % 2 === 0;
    const isFresh = report.loads % 3 === 0;
    if (isFresh) simulation = dragonGame.start({ npcs: NPCS }, run.seed);
    loaded.copyFrom(run.states[isNewer ? head + 1 + random.below(depth) : head]!);
    tamper?.(loaded);
    simulation.load(loaded);
    for (const [id, name] of archetypeNamesById(simulation)) {
      if (!isFresh && (mispredicted.get(id) ?? name) !== name) report.collisions++;
    }
    stepRight(isNewer ? 1 : depth);
  }

  return report;
}

/**
 * Steps on with a mix of right, assumed, missing and random commands; a missing command also
 * removes the seat's dragon.
 */
function mispredict(
  simulation: DragonSimulation,
  run: ReferenceRun,
  { depth, random }: { depth: number; random: Random },
): void {
  for (let i = 1; i <= depth; i++) {
    const right = run.commands[simulation.tick + 1]!;
    const wrong = Array.from({ length: SEATS }, (_, seat) => {
      const choice = random.below(4);
      if (choice === 0) return randomCommand(random);
      if (choice === 1) return right[seat] && dragonGame.assume(right[seat], i);
      return random.chance(0.02) ? undefined : right[seat];
    });
    simulation.step(
      wrong.map((command, seat) => seat < PLAYERS + 2 || right[seat] ? command : undefined),
    );
  }
}

/**
 * The players and NPCs of the reference run. Players enter and leave, and at times none of them
 * acts.
 */
class PlayerPool {
  readonly npcs = new FakeNpcController();
  readonly #random: Random;
  readonly #controlsBySeat: (ScriptedControls | undefined)[] = [];

  constructor(random: Random) {
    this.#random = random;
    for (let seat = 0; seat < PLAYERS; seat++) this.#controlsBySeat[seat] = new ScriptedControls();
  }

  next(simulation: DragonSimulation): SeatCommands {
    const commands: (DragonCommand | undefined)[] = new Array(SEATS).fill(undefined);
    const isQuiet = simulation.tick % 1000 < QUIET_TICKS;
    for (let seat = 0; seat < PLAYERS; seat++) {
      const isThere = this.#controlsBySeat[seat] !== undefined;
      if (this.#random.chance(isThere ? 0.01 : 0.05)) {
        this.#controlsBySeat[seat] = isThere ? undefined : new ScriptedControls();
      }
      commands[seat] = isQuiet
        ? this.#controlsBySeat[seat]?.release()
        : this.#controlsBySeat[seat]?.next(this.#random);
    }
    this.npcs.next(simulation, commands);
    return commands;
  }
}

function saved(simulation: DragonSimulation): Snapshot {
  const state = new Snapshot();
  simulation.save(state);
  return state;
}

function differenceOf(simulation: DragonSimulation, reached: Snapshot, expected: Snapshot): string {
  const word = expected.words.subarray(0, expected.length).findIndex((value, i) =>
    value !== reached.words[i]
  );
  return `tick ${simulation.tick}: ${snapshotLabels(simulation.stage, expected)[word]}`;
}

function archetypeNamesById({ stage }: DragonSimulation): Map<number, string> {
  return new Map(
    stage.entities().map(({ id, archetype }) => [id, archetype.name]),
  );
}
