/**
 * One world step, in planck's order: find and update contacts, solve the islands, box the bodies anew, find what they meet, stop
 * the fast ones where they hit. It stands in for planck's `World.step` and comes to the same, up to rounding, but for two things:
 * times of impact are asked for only where a body went fast, and two points of a contact share one friction.
 */
import { hasMovedFast, updateAabb, updateSweptAabb } from "../collision/aabb.ts";
import type { Contacts } from "./contacts.ts";
import { Islands } from "./islands.ts";
import type { PlanckBody, PlanckWorld } from "../planck/planck.ts";
import { quantizePose } from "../core/quantize.ts";
import { solveTimesOfImpact } from "./time_of_impact.ts";

/** Options of `WorldStep.step` for a tick's last step, and for those before. */
export const LAST_STEP = { quantizePoses: true }, EARLIER_STEP = { quantizePoses: false };

/** Steps one world. */
export class WorldStep {
  readonly #world: PlanckWorld;
  readonly #contacts: Contacts;
  readonly #islands: Islands;
  readonly #seconds: number;

  /** @param seconds of each step, > 0 */
  constructor(world: PlanckWorld, contacts: Contacts, seconds: number) {
    this.#world = world;
    this.#seconds = seconds;
    // planck scales warm starting by this step's length over the last one's: without this a fresh world's first step has none
    world.s_step.reset(seconds);
    this.#contacts = contacts;
    this.#islands = new Islands(world);
  }

  /**
   * @param options.quantizePoses rounds the poses to 32 bits as soon as they are solved: a tick's last step does, so that closing the tick
   * finds them as they shall be
   */
  step({ quantizePoses }: { readonly quantizePoses: boolean }): void {
    const world = this.#world;
    if (world.m_newFixture) {
      this.#contacts.findNewContacts();
      world.m_newFixture = false;
    }
    world.m_locked = true;
    world.s_step.reset(this.#seconds);
    this.#contacts.update();
    this.#islands.solve();
    const isAnyFast = this.#updateMovedAabbs(quantizePoses);
    this.#contacts.findNewContacts();
    if (isAnyFast && world.m_continuousPhysics) solveTimesOfImpact(world);
    world.m_locked = false;
  }

  /** @returns whether one of them went fast */
  #updateMovedAabbs(quantizePoses: boolean): boolean {
    const { broadPhase } = this.#contacts;
    let isAnyFast = false;
    for (let body: PlanckBody | null = this.#world.m_bodyList; body !== null; body = body.m_next) {
      if (body.m_type === "static") continue;
      const isMoved = body.m_islandFlag;
      if (isMoved && quantizePoses) quantizePose(body);
      body.isFast = hasMovedFast(body);
      if (body.isFast) isAnyFast = true;
      if (!isMoved) continue;
      if (body.isFast) updateSweptAabb(body, broadPhase);
      else updateAabb(body, broadPhase);
    }
    return isAnyFast;
  }
}
