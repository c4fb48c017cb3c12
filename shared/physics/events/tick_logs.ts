/**
 * The logs of what touched in a tick: contact events always, touches if the declaration lists the
 * feature.
 */
import type { StageDef } from "../core/types.ts";
import type { World } from "../dynamics/world.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { ContactEventLog } from "./contact_events.ts";
import { featureOf, missingFeature } from "../stage/features.ts";
import type { TouchesFeature, TouchLog } from "./touches.ts";
import type { Snapshot } from "../../snapshot.ts";

/** The logs of one stage. */
export class TickLogs {
  readonly events: ContactEventLog;
  readonly #touches: TouchLog | undefined;

  constructor(world: World, entities: EntityTable, def: StageDef) {
    this.events = new ContactEventLog(world);
    this.#touches = featureOf<TouchesFeature>(def, "touches")?.create(
      world,
      entities,
      def.substeps * world.solverSteps,
    );
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

  /** Empties the lists, at the end of a tick and at a load. */
  clear(): void {
    this.events.clear();
    this.#touches?.clear();
  }

  /** Appends the touches that the next list will end. */
  saveEnded(into: Snapshot): void {
    this.#touches?.ended.save(into);
  }

  /** @param at index of the first word of the ended touches */
  loadEnded(from: Snapshot, at: number): void {
    this.#touches?.ended.load(from, at);
  }

  /** Forgets the touches that the next list would end. */
  clearEnded(): void {
    this.#touches?.ended.clear();
  }
}
