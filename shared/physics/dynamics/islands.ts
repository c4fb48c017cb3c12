/**
 * Islands: sets of bodies that are connected by touching contacts and joints. A depth-first search
 * from each awake body finds them, in an order that the state alone decides; it is also the order
 * of solving. Static bodies end the search and may be in many islands.
 */
import { BodyFlag, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { ContactFlag, ContactInt } from "../core/contact_rows.ts";
import { RowList } from "../core/row_list.ts";
import { beginIslands, endIslands, type Island, solveIsland } from "./island_solver.ts";
import type { World } from "./world.ts";

/** Both layouts have a flag of this name. */
const BODY_IN_ISLAND = BodyFlag.IN_ISLAND;
const CONTACT_IN_ISLAND = ContactFlag.IN_ISLAND;

/** Finds and solves the islands of one world, one after the other. */
export class Islands {
  readonly #world: World;
  readonly #stack: number[] = [];
  readonly #solved = new RowList();
  readonly #island: Island = { bodies: [], contacts: [], bodyCount: 0, contactCount: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Advances every body that is awake, or connected to an awake one, by one world step.
   * @returns the rows of those bodies, valid until the next call
   */
  solve(): RowList {
    const { awake, bodies: { ints }, contacts, joints } = this.#world;
    const island = this.#island;
    const solved = this.#solved;

    beginIslands(this.#world);
    joints.beginStep();
    awake.mergeAdded();
    solved.clear();

    // An island around each body that is awake
    for (let i = awake.rows.length - 1; i >= 0; i--) {
      const seed = awake.rows[i]!;
      if (
        (ints[seed * BodyInt.STRIDE + BodyInt.FLAGS]! & (BodyFlag.AWAKE | BODY_IN_ISLAND)) !==
          BodyFlag.AWAKE
      ) continue;
      this.#collect(seed);
      solveIsland(this.#world, island);

      // Set the marks back, because a static body may be in many islands
      for (let k = 0; k < island.bodyCount; k++) {
        const body = island.bodies[k]! * BodyInt.STRIDE;
        if (ints[body + BodyInt.TYPE] === MotionType.STATIC) {
          ints[body + BodyInt.FLAGS]! &= ~BODY_IN_ISLAND;
        } else solved.add(island.bodies[k]!);
      }
      for (let k = 0; k < island.contactCount; k++) {
        contacts.ints[island.contacts[k]! * ContactInt.STRIDE + ContactInt.FLAGS]! &=
          ~CONTACT_IN_ISLAND;
      }
    }

    endIslands(this.#world);
    for (let i = 0; i < solved.count; i++) {
      ints[solved.rows[i]! * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BODY_IN_ISLAND;
    }
    return solved;
  }

  #collect(seed: number): void {
    const { bodies: { ints }, contacts, joints } = this.#world;
    const island = this.#island;
    const stack = this.#stack;
    island.bodyCount = island.contactCount = 0;
    joints.beginIsland();

    // Begin with the seed
    let height = 0;
    stack[height++] = seed;
    ints[seed * BodyInt.STRIDE + BodyInt.FLAGS]! |= BODY_IN_ISLAND;

    while (height > 0) {
      const body = stack[--height]!;
      const at = body * BodyInt.STRIDE;
      island.bodies[island.bodyCount++] = body;
      if (ints[at + BodyInt.TYPE] === MotionType.STATIC) continue;
      if ((ints[at + BodyInt.FLAGS]! & BodyFlag.AWAKE) === 0) this.#world.wake(body);
      else this.#world.edit(body);

      // Through contacts, to bodies that stop each other
      for (let link = ints[at + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
        const contact = link >> 1;
        const k = contact * ContactInt.STRIDE;
        const side = link & 1;
        const flags = contacts.ints[k + ContactInt.FLAGS]!;
        link = contacts.ints[k + ContactInt.NEXT_LINK + side]!;
        if (
          (flags &
            (ContactFlag.TOUCHING | ContactFlag.SOLID | ContactFlag.OF_SENSOR |
              CONTACT_IN_ISLAND)) !== (ContactFlag.TOUCHING | ContactFlag.SOLID)
        ) {
          continue;
        }

        island.contacts[island.contactCount++] = contact;
        contacts.ints[k + ContactInt.FLAGS] = flags | CONTACT_IN_ISLAND;

        const other = contacts.ints[k + ContactInt.BODY_A + 1 - side]!;
        if ((ints[other * BodyInt.STRIDE + BodyInt.FLAGS]! & BODY_IN_ISLAND) !== 0) continue;
        ints[other * BodyInt.STRIDE + BodyInt.FLAGS]! |= BODY_IN_ISLAND;
        stack[height++] = other;
      }

      // Through joints
      height = joints.collect(body, stack, height);
    }
  }
}
