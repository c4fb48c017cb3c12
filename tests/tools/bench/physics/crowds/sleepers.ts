/**
 * The cost of a rollback over bodies that sleep. The client's own predictor does it, as in a match.
 * It loads the state before the tick whose command was mispredicted. Then it steps and saves each
 * tick up to the head.
 *
 * The simulation is a stage with next to no rules. So the time is that of a load, and for each tick
 * of `advance`, `endTick` and `save`. The poses that a client draws are the game's part, and are
 * left out.
 */
import { Predictor } from "../../../../../client/session/predictor.ts";
import type { Commands, Game, Simulation } from "../../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../../shared/netcode/pose_list.ts";
import type { Snapshot } from "../../../../../shared/snapshot.ts";
import type { BodySpec } from "../../../engines/scene.ts";
import { stageEngine, type StageWorld } from "../../../engines/stage_engine.ts";
import { serveTurns, TurnProcess } from "../turn_process.ts";
import { CROWDS, RATE } from "./scenes.ts";

const ROLLED_BACK_TICKS = 20;
/** How many rollbacks one timing covers. */
const ROLLBACKS = 20;
/** By then the predictor's history is full, so every save reuses a snapshot. */
const WARM_UP_ROLLBACKS = 150;
/** The seat whose commands come late. */
const SEAT = 0;
const SPEED = 3;

/** In `oneMoves` the late commands drive a ball beside the sleepers. */
export type SleepersName = "allAsleep" | "oneMoves";

/** A command is the direction in which the ball is driven: 0 is left, 1 is right. */
class SleeperSimulation implements Simulation<number> {
  readonly events = [];
  readonly npcSeats = [];
  readonly #world: StageWorld;
  /** The ball's index; undefined if there is none. */
  readonly #ball: number | undefined;

  constructor(name: SleepersName) {
    const { scene, leadTicks } = CROWDS.asleep1000;
    const count = scene.bodies.length;
    const ball: BodySpec = { parts: [{ shape: { circle: 0.5 } }], x: 300, y: 0.5 };
    this.#ball = name === "oneMoves" ? count : undefined;
    const bodies = name === "oneMoves" ? [...scene.bodies, ball] : scene.bodies;
    this.#world = stageEngine.build({ ...scene, bodies }, RATE);
    for (let tick = 0; tick < leadTicks; tick++) this.#world.tick();
    const awake = scene.bodies.filter((_, body) => this.#world.isAwake(body)).length;
    if (awake > 0) throw new Error(`${awake} bodies are still awake after ${leadTicks} ticks`);
  }

  get tick(): number {
    return this.#world.stage.tick;
  }

  step(commands: Commands<number>): void {
    if (this.#ball !== undefined) {
      const entity = this.#world.entityOf(this.#ball);
      this.#world.stage.setVelocity(entity, commands[SEAT] === 1 ? SPEED : -SPEED, entity.vy);
    }
    this.#world.tick();
  }

  save(into: Snapshot): void {
    this.#world.stage.save(into);
  }

  load(from: Snapshot): void {
    this.#world.stage.load(from);
  }

  npcCommand(): number {
    return 0;
  }

  reactionTicks(): number {
    return 1;
  }

  poses(): void {}
}

/** The part of a game that a predictor uses. */
function gameOf(name: SleepersName): Game<number> {
  return {
    id: "sleepers",
    tickHz: RATE.tickHz,
    command: {
      neutral: 0,
      code: (value, _reference, coder) => coder.bits(value, 1),
      same: (a, b) => a === b,
    },
    assume: (last) => last ?? 0,
    start: () => new SleeperSimulation(name),
  };
}

/** A client that mispredicts its newest ticks again and again. */
class MispredictingClient {
  readonly #predictor: Predictor<number>;
  #command = 0;

  constructor(name: SleepersName) {
    const game = gameOf(name);
    const simulation = game.start({ npcs: 0 }, 1);
    this.#predictor = new Predictor(game, {
      simulation,
      seat: undefined,
      previousPoses: new PoseList(),
      onMistake(mistake) {
        throw mistake;
      },
      onStep: () => {},
    });
    this.#predictor.setPresence(simulation.tick + 1, SEAT, true);
    for (let tick = 0; tick <= ROLLED_BACK_TICKS; tick++) this.#predictor.predict();
  }

  /**
   * Predicts a tick, then rolls back for a late command.
   * @returns how long the rollback took, ms
   */
  rollBack(): number {
    const predictor = this.#predictor;
    predictor.predict();
    this.#command = 1 - this.#command;
    predictor.announce(predictor.head - ROLLED_BACK_TICKS + 1, SEAT, this.#command);
    const start = performance.now();
    const ticks = predictor.reconcile();
    const ms = performance.now() - start;
    if (ticks !== ROLLED_BACK_TICKS) {
      throw new Error(`${ticks} ticks were resimulated, not ${ROLLED_BACK_TICKS}`);
    }
    return ms;
  }
}

/** A process with one client. While it rolls back, no other process may measure. */
export class SleepersProcess {
  readonly #process: TurnProcess<number, number[]>;

  /** @param module this one as a bundle, file://… */
  constructor(name: SleepersName, module: string) {
    this.#process = new TurnProcess(module, { args: [name] });
  }

  /** Rolls back until the compiler is done. */
  async warmUp(): Promise<void> {
    await this.#process.request(WARM_UP_ROLLBACKS);
  }

  /** @returns how long each of some rollbacks over twenty ticks took, ms */
  rollBack(): Promise<number[]> {
    return this.#process.request(ROLLBACKS);
  }

  async end(): Promise<void> {
    await this.#process.end();
  }
}

if (import.meta.main) {
  const client = new MispredictingClient(Deno.args[0] as SleepersName);
  await serveTurns((count: number) => Array.from({ length: count }, () => client.rollBack()));
}
