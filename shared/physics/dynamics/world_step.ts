/**
 * One world step, in planck's order:
 *
 *     find new contacts · update contacts · solve islands · update AABBs · find new contacts · solve times of impact
 *
 * It replaces planck's `World.step` and has the same result up to rounding, with three exceptions (SPEC 9.13). It solves
 * times of impact only for pairs that may have one. The two points of a contact share one friction constraint. Its
 * restitution keeps energy.
 */
import { classifyMotion, updateAabb, updateSweptAabb } from "../collision/aabb.ts";
import type { Contacts } from "./contacts.ts";
import { Islands } from "./islands.ts";
import type { PlanckBody, PlanckWorld } from "../planck/planck.ts";
import { quantizePose } from "../core/quantize.ts";
import { solveImpact } from "./impact_solver.ts";
import { solveTimesOfImpact } from "./time_of_impact.ts";

/** Options of `WorldStep.step`: for the last step of a tick, and for the earlier ones. */
export const LAST_STEP = { quantizePoses: true }, EARLIER_STEP = { quantizePoses: false };

/** Steps one world. */
export class WorldStep {
  readonly #world: PlanckWorld;
  readonly #contacts: Contacts;
  readonly #islands: Islands;
  readonly #seconds: number;

  /** @param seconds length of each step, > 0 */
  constructor(world: PlanckWorld, contacts: Contacts, seconds: number) {
    this.#world = world;
    this.#seconds = seconds;
    // planck scales warm starting by dt / previous dt, which is 0 in a new world without this call.
    world.s_step.reset(seconds);
    this.#contacts = contacts;
    this.#islands = new Islands(world);
    // planck calls it for each time of impact.
    world.m_solver.solveIslandTOI = function (rest) {
      solveImpact({ bodies: this.m_bodies, contacts: this.m_contacts }, rest);
    };
  }

  /**
   * Advances the world by one step.
   * @param options.quantizePoses whether to round the solved poses to 32 bits at once. The last step of a tick does so,
   * and `endTick` need not move anything.
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
    const hasAnyMoved = this.#updateMovedAabbs(quantizePoses);
    this.#contacts.findNewContacts();
    if (hasAnyMoved && world.m_continuousPhysics) solveTimesOfImpact(world);
    world.m_locked = false;
  }

  /** @returns whether a body moved so far that it may have an impact */
  #updateMovedAabbs(quantizePoses: boolean): boolean {
    const { broadPhase } = this.#contacts;
    let hasAnyMoved = false;
    for (let body: PlanckBody | null = this.#world.m_bodyList; body !== null; body = body.m_next) {
      if (body.m_type === "static") continue;
      const isMoved = body.m_islandFlag;
      if (isMoved && quantizePoses) quantizePose(body);
      classifyMotion(body);
      if (body.hasMoved) hasAnyMoved = true;
      if (!isMoved) continue;
      if (body.isFast) updateSweptAabb(body, broadPhase);
      else updateAabb(body, broadPhase);
    }
    return hasAnyMoved;
  }
}
