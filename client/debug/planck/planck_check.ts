/**
 * Steps the definitive ticks of a page's recording again, with planck beside the stage. Every
 * `PERIOD_TICKS` ticks planck takes over the stage's bodies again, because two worlds in which a
 * pile falls differ more and more by chance alone.
 */
import type { Commands, Game, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { Stage } from "../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { FlightEntry, FlightState, FlightStep } from "../../presentation/flight_recording.ts";
import type { PlanckBody, PlanckPeriod, PlanckReport } from "./planck_messages.ts";
import { PlanckWorld } from "./planck_world.ts";

/** Five seconds at 20 Hz. */
export const PERIOD_TICKS = 100;

export interface PlanckCheckOptions {
  /** As in the server's welcome. */
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
}

/** The judge of one match. */
export class PlanckCheck<Command> {
  readonly #start: () => Simulation<Command>;
  /** Undefined before the first state, and while one is missing. */
  #simulation: Simulation<Command> | undefined;
  /** By tick: the newest commands, which are definitive when the tick is. */
  readonly #commands = new Map<Tick, Commands<Command>>();
  readonly #state = new Snapshot(0);
  #stage: Stage | undefined;
  #world: PlanckWorld | undefined;
  /** Ticks since planck took over the stage's bodies. */
  #ticks = 0;
  #bodies: readonly PlanckBody[] = [];
  #period: PlanckPeriod | undefined;

  constructor(game: Game<Command>, { npcs, seed, choices }: PlanckCheckOptions) {
    this.#start = () => game.start({ npcs, choices }, seed);
  }

  /**
   * Steps the ticks that have become definitive.
   * @param entries those that follow the last call's
   * @returns undefined if there was none
   */
  add(entries: readonly FlightEntry[]): PlanckReport | undefined {
    let hasStepped = false;
    for (const { steps, state, definitive, isRebased } of entries) {
      this.#record(steps);
      if (isRebased) this.#simulation = undefined;
      if (this.#advanceTo(definitive)) hasStepped = true;
      if (state !== undefined) {
        this.#record(state.steps);
        this.#adopt(state);
      }
      for (const tick of this.#commands.keys()) {
        if (tick <= definitive) this.#commands.delete(tick);
      }
    }
    if (!hasStepped || this.#simulation === undefined) return undefined;
    return {
      tick: this.#simulation.tick,
      ticks: this.#ticks,
      bodies: this.#bodies,
      period: this.#period,
    };
  }

  #record(steps: readonly FlightStep[]): void {
    for (const { tick, commands } of steps) this.#commands.set(tick, commands as Commands<Command>);
  }

  /** @returns whether a tick was stepped */
  #advanceTo(definitive: Tick): boolean {
    const before = this.#simulation?.tick;
    while (this.#simulation !== undefined && this.#simulation.tick < definitive) {
      const commands = this.#commands.get(this.#simulation.tick + 1);
      if (commands === undefined) this.#simulation = undefined;
      else this.#step(this.#simulation, commands);
    }
    return this.#simulation !== undefined && this.#simulation.tick !== before;
  }

  /** Goes on from a state of the page, unless the steps have led to it. */
  #adopt({ tick, words }: FlightState): void {
    const simulation = this.#simulation;
    if (simulation?.tick === tick) {
      simulation.save(this.#state);
      const { length, words: own } = this.#state;
      if (length === words.length && words.every((word, i) => word === own[i])) return;
    }

    this.#state.setBytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    this.#simulation ??= this.#start();
    this.#simulation.load(this.#state);
    this.#world = undefined;
  }

  #step(simulation: Simulation<Command>, commands: Commands<Command>): void {
    const { advance } = Stage.prototype;
    const judge = (stage: Stage) => this.#judge(stage, () => advance.call(stage));
    // The rules call `advance` between those that act before and after the physics. No game knows
    // of this, and no class but this worker's own is changed.
    Stage.prototype.advance = function () {
      judge(this);
    };
    try {
      simulation.step(commands);
    } finally {
      Stage.prototype.advance = advance;
    }
  }

  #judge(stage: Stage, advance: () => void): void {
    if (this.#world === undefined || this.#stage !== stage || this.#ticks === PERIOD_TICKS) {
      this.#stage = stage;
      this.#world = new PlanckWorld(stage);
      this.#ticks = 0;
    }
    this.#world.beforeAdvance();
    advance();
    this.#world.afterAdvance();
    this.#ticks++;
    this.#bodies = this.#world.bodies();
    if (this.#ticks === PERIOD_TICKS) this.#period = periodOf(stage.tick + 1, this.#bodies);
  }
}

function periodOf(tick: Tick, bodies: readonly PlanckBody[]): PlanckPeriod {
  const [farthest] = [...bodies].sort((a, b) => b.metres - a.metres);
  return {
    tick,
    ticks: PERIOD_TICKS,
    bodies: bodies.length,
    meanMetres: bodies.reduce((sum, { metres }) => sum + metres, 0) / Math.max(1, bodies.length),
    farthestMetres: farthest?.metres ?? 0,
    farthest: farthest === undefined ? "" : `${farthest.name} ${farthest.id}`,
  };
}
