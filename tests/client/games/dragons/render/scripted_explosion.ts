/**
 * A predicted match of the dragon game in which something burns at a moment that is known, and what the server may say of it afterwards:
 * that somebody else did something meanwhile, or that the fire never was. The rollbacks are real; only the announcements are scripted.
 */
import { type EventChanges, EventReconciler } from "../../../../../client/presentation/event_reconciler.ts";
import { Predictor } from "../../../../../client/session/predictor.ts";
import { type DragonCommand, NEUTRAL } from "../../../../../shared/games/dragons/command.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { PoseList } from "../../../../../shared/netcode/pose_list.ts";

export const OURS = 0, THEIRS = 1;
/** On its way down to the crates in the middle; half a second and more later it burns one of them. */
const FIRE_TICK = 19;

export class ScriptedExplosion {
  readonly simulation = dragonGame.start({ npcs: 0 }, 4);
  readonly poses = { previous: new PoseList(), head: new PoseList() };
  readonly predictor: Predictor<DragonCommand>;
  readonly #reconciler = new EventReconciler(() => false);
  /** How often a step has told of a burning, resimulations among them. */
  burnsEmitted = 0;

  constructor() {
    const { simulation, poses } = this;
    this.predictor = new Predictor(dragonGame, {
      simulation,
      seat: OURS,
      previousPoses: poses.previous,
      onStep: () => {
        this.burnsEmitted += simulation.events.filter(({ kind }) => kind === "burn").length;
        this.#reconciler.record(simulation.events, { tick: simulation.tick, poses: poses.head });
      },
    });
    for (const seat of [OURS, THEIRS]) this.predictor.setPresence(1, seat, true);
  }

  /** What is new of burnings, as a picture would be told. */
  takeBurnEvents(): EventChanges {
    this.simulation.poses(this.poses.head);
    const { begun, retracted } = this.#reconciler.collectChanges({ head: this.predictor.head, definitive: 0 });
    return {
      begun: begun.filter(({ kind }) => kind === "burn"),
      retracted: retracted.filter((key) => key.includes("burn")),
    };
  }

  /** Flies to the crates and breathes fire, until something burns. @returns the news of that tick */
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

  /** The server's word that the other one flapped, far from the fire: it changes nothing of it. @returns ticks resimulated */
  correctOtherSeat(): number {
    this.predictor.announce(this.predictor.head - 8, THEIRS, { ...NEUTRAL, flaps: 1 });
    return this.predictor.reconcile();
  }

  /** The server's word that our fire never came. @returns ticks resimulated */
  retractFire(): number {
    const { predictor } = this;
    for (let tick = FIRE_TICK; tick <= predictor.head; tick++) {
      predictor.announce(tick, OURS, { ...predictor.localCommandAt(tick)!, fires: 0 });
    }
    return predictor.reconcile();
  }
}
