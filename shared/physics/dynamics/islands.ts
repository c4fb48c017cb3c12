/**
 * Which bodies hang together: a flood from each awake body through touching contacts and joints, in planck's order, because the
 * order is that of solving. What never moves ends the flood and may be in many islands. The lists stay as long as they have
 * once been; planck's own are cut to nothing for each island, and with them go their backing stores.
 */
import { solverScratch } from "../core/solver_scratch.ts";
import { type Island, solveIsland } from "./island_solver.ts";
import type { PlanckBody, PlanckContact, PlanckWorld } from "../planck/planck.ts";

/** All islands of one world, one after the other. */
export class Islands {
  readonly #world: PlanckWorld;
  readonly #stack: PlanckBody[] = [];
  readonly #island: Island = { bodies: [], contacts: [], joints: [], bodyCount: 0, contactCount: 0, jointCount: 0 };

  constructor(world: PlanckWorld) {
    this.#world = world;
  }

  /** Moves every body that is awake, or hangs together with one, by one world step. */
  solve(): void {
    const world = this.#world, island = this.#island;
    solverScratch.bodies = world.bodies.values;
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

  /** @returns the stack's new height */
  #visit(body: PlanckBody, height: number): number {
    if (body.m_islandFlag) return height;
    this.#stack[height] = body;
    body.m_islandFlag = true;
    return height + 1;
  }
}

/** Not yet in an island, and pushes its bodies. */
function isUnvisitedSolid(contact: PlanckContact): boolean {
  return !contact.m_islandFlag && contact.m_enabledFlag && contact.m_touchingFlag && !contact.m_fixtureA.m_isSensor &&
    !contact.m_fixtureB.m_isSensor;
}
