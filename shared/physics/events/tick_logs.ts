/** The logs of what touched in a tick: contact events always, touches if the declaration lists the feature. */
import type { StageDef } from "../core/types.ts";
import type { BroadPhase } from "../collision/broad_phase.ts";
import type { World } from "../dynamics/world.ts";
import { ContactEventLog } from "./contact_events.ts";
import { featureOf, missingFeature } from "../stage/features.ts";
import type { TouchesFeature, TouchLog } from "./touches.ts";

/** The logs of one stage. */
export class TickLogs {
  readonly events: ContactEventLog;
  readonly #touches: TouchLog | undefined;

  constructor(world: World, broadPhase: BroadPhase, def: StageDef) {
    this.events = new ContactEventLog(world);
    this.#touches = featureOf<TouchesFeature>(def, "touches")?.create(world, broadPhase, def.substeps);
  }

  /** The touches. @throws StageError if the declaration does not list the feature */
  get touches(): TouchLog {
    if (this.#touches === undefined) throw missingFeature("a list of touches", "touches");
    return this.#touches;
  }

  beginTick(): void {
    this.events.beginTick();
    this.#touches?.beginTick();
  }

  /** After each world step. */
  endStep(): void {
    this.events.markTouching();
  }

  endTick(): void {
    this.events.endTick();
    this.#touches?.endTick();
  }

  /** Before a change that ends contacts of the tick. */
  complete(): void {
    this.events.complete();
    this.#touches?.complete();
  }

  clear(): void {
    this.events.clear();
    this.#touches?.clear();
  }
}
