/**
 * Islands: sets of bodies that are connected by touching contacts and joints. A depth-first search from each awake body
 * finds them in planck's order, which is also the order of solving. Static bodies end the search and may be in many
 * islands.
 *
 * The lists never shrink. planck empties its own for each island, which also frees their backing stores.
 */
import { beginIslands, type Island, solveIsland } from "./island_solver.ts";
import type { PlanckBody, PlanckContact, PlanckWorld } from "../planck/planck.ts";

/** Finds and solves the islands of one world, one after the other. */
export class Islands {
  readonly #world: PlanckWorld;
  readonly #stack: PlanckBody[] = [];
  readonly #island: Island = { bodies: [], contacts: [], joints: [], bodyCount: 0, contactCount: 0, jointCount: 0 };

  constructor(world: PlanckWorld) {
    this.#world = world;
  }

  /** Advances every body that is awake, or connected to an awake one, by one world step. */
  solve(): void {
    const world = this.#world, island = this.#island;
    beginIslands(world);
    this.#clearFlags();
    for (let seed = world.m_bodyList; seed !== null; seed = seed.m_next) {
      if (seed.m_islandFlag || !seed.m_awakeFlag || !seed.m_activeFlag || seed.m_type === "static") continue;
      this.#collect(seed);
      solveIsland(island, world.s_step, world.m_gravity);
      for (let i = 0; i < island.bodyCount; i++) {
        const body = island.bodies[i]!;
        if (body.m_type === "static") body.m_islandFlag = false;
      }
    }
  }

  #clearFlags(): void {
    const world = this.#world;
    for (let body = world.m_bodyList; body !== null; body = body.m_next) body.m_islandFlag = false;
    for (let contact = world.m_contactList; contact !== null; contact = contact.m_next) contact.m_islandFlag = false;
    for (let joint = world.m_jointList; joint !== null; joint = joint.m_next) joint.m_islandFlag = false;
  }

  #collect(seed: PlanckBody): void {
    const island = this.#island, stack = this.#stack;
    island.bodyCount = island.contactCount = island.jointCount = 0;
    let height = 0;
    stack[height++] = seed;
    seed.m_islandFlag = true;
    while (height > 0) {
      const body = stack[--height]!;
      island.bodies[island.bodyCount++] = body;
      body.m_awakeFlag = true;
      if (body.m_type === "static") continue;
      for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
        if (!isUnvisitedSolid(edge.contact)) continue;
        island.contacts[island.contactCount++] = edge.contact;
        edge.contact.m_islandFlag = true;
        height = this.#visit(edge.other, height);
      }
      for (let edge = body.m_jointList; edge !== null; edge = edge.next) {
        if (edge.joint.m_islandFlag || !edge.other.m_activeFlag) continue;
        island.joints[island.jointCount++] = edge.joint;
        edge.joint.m_islandFlag = true;
        height = this.#visit(edge.other, height);
      }
    }
  }

  /** Pushes a body that is not in the island yet. @returns the stack's new height */
  #visit(body: PlanckBody, height: number): number {
    if (body.m_islandFlag) return height;
    this.#stack[height] = body;
    body.m_islandFlag = true;
    return height + 1;
  }
}

/** Whether the contact is in no island yet and pushes its bodies. */
function isUnvisitedSolid(contact: PlanckContact): boolean {
  return !contact.m_islandFlag && contact.m_enabledFlag && contact.m_touchingFlag && !contact.m_fixtureA.m_isSensor &&
    !contact.m_fixtureB.m_isSensor;
}
