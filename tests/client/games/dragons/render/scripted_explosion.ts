/**
 * A predicted match of the dragon game in which something burns at a known tick. Two corrections of
 * it can follow: another seat did something else, or the fire never happened. The rollbacks are
 * real; only the announcements are scripted.
 */
import type { DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { NEUTRAL } from "../../../../support/dragons.ts";
import {
  type EventChanges,
  EventReconciler,
} from "../../../../../client/presentation/event_reconciler.ts";
import { Predictor } from "../../../../../client/session/predictor.ts";
import { PoseList } from "../../../../../shared/netcode/pose_list.ts";

export const OURS = 0;
export const THEIRS = 1;
/**
 * At this tick the dragon flies down to the crates in the middle. The fire burns one of them half a
 * second later.
 */
const FIRE_TICK = 19;

export class ScriptedExplosion {
  readonly simulation = dragonGame.start({ npcs: 0 }, 4);
  readonly poses = { previous: new PoseList(), head: new PoseList() };
  readonly predictor: Predictor<DragonCommand>;
  readonly #reconciler = new EventReconciler();
  /** Events "ignite" of all steps, with resimulations. */
  burnsEmitted = 0;

  constructor() {
    const { simulation, poses } = this;
    this.predictor = new Predictor(dragonGame, {
      simulation,
      seat: OURS,
      previousPoses: poses.previous,
      onMistake(mistake) {
        throw mistake;
      },
      onStep: () => {
        this.burnsEmitted += simulation.events.filter(({ kind }) => kind === "ignite").length;
        this.#reconciler.record(simulation.events, { tick: simulation.tick, poses: poses.head });
      },
    });
    for (const seat of [OURS, THEIRS]) this.predictor.setPresence(1, seat, true);
  }

  /** The changes of events "ignite" since the last frame. */
  takeBurnEvents(): EventChanges {
    this.simulation.poses(this.poses.head);
    const { begun, retracted, settled } = this.#reconciler.collectChanges({
      head: this.predictor.head,
      definitive: 0,
      ownSeat: OURS,
    });
    return {
      begun: begun.filter(({ kind }) => kind === "ignite"),
      retracted: retracted.filter((key) => key.includes("ignite")),
      settled,
    };
  }

  /**
   * Flies to the crates and breathes fire, until something burns.
   * @returns the changes of that tick
   */
  burn(): EventChanges {
    const { predictor } = this;
    for (let tick = 1; tick < 100; tick++) {
      predictor.setLocalCommand(tick, { ...NEUTRAL, dir: 1, fires: tick < FIRE_TICK ? 0 : 1 });
      predictor.announce(tick, THEIRS, NEUTRAL);
      predictor.predict();
      const burned = this.takeBurnEvents();
      if (burned.begun.length > 0) return burned;
    }
    throw new Error("nothing burnt");
  }

  /** Announces a flap of the other seat, far from the fire. @returns ticks resimulated */
  correctOtherSeat(): number {
    this.predictor.announce(this.predictor.head - 8, THEIRS, { ...NEUTRAL, flaps: 1 });
    return this.predictor.reconcile();
  }

  /** Announces own commands without the fire. @returns ticks resimulated */
  retractFire(): number {
    const { predictor } = this;
    for (let tick = FIRE_TICK; tick <= predictor.head; tick++) {
      predictor.announce(tick, OURS, { ...predictor.localCommandAt(tick)!, fires: 0 });
    }
    return predictor.reconcile();
  }
}
