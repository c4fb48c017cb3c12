/**
 * One world step, in Box2D's order:
 *
 *     find new contacts · update contacts · solve islands · update AABBs · find new contacts · solve times of impact
 *     · see what has passed sensors
 *
 * Its result is that of planck 1.5.0's `World.step` up to rounding, with three exceptions (SPEC
 * 9.13). Where planck's times of impact let bodies through, it stops them (`impacts.ts`). The two
 * points of a contact share one friction constraint. Its restitution keeps energy.
 */
import { classifyMotion, updateAabb, updateSweptAabb } from "../collision/aabb.ts";
import { Body, BodyFlag, BodyInt } from "../core/body_rows.ts";
import { quantizePose } from "../core/quantize.ts";
import type { RowList } from "../core/row_list.ts";
import type { Contacts } from "./contacts.ts";
import { Impacts } from "./impacts.ts";
import { Islands } from "./islands.ts";
import { SensorSweeps } from "./sensor_sweeps.ts";
import { StepPart } from "../../step_profile.ts";
import type { World } from "./world.ts";

/** Options of `WorldStep.step`: for the last step of a tick, and for the earlier ones. */
export const LAST_STEP = { quantizePoses: true };
export const EARLIER_STEP = { quantizePoses: false };

/** Steps one world. */
export class WorldStep {
  readonly #world: World;
  readonly #contacts: Contacts;
  readonly #islands: Islands;
  readonly #impacts: Impacts;
  /** Undefined if no sensor of the declaration sees what passes it. */
  readonly #sweeps: SensorSweeps | undefined;

  constructor(world: World, contacts: Contacts) {
    this.#world = world;
    this.#contacts = contacts;
    this.#islands = new Islands(world);
    this.#sweeps = world.sweepsSensors ? new SensorSweeps(world) : undefined;
    this.#impacts = new Impacts(world, contacts, this.#sweeps);
  }

  /**
   * Advances the world by one step.
   * @param options.quantizePoses whether to round the solved poses to 32 bits at once. The last
   * step of a tick does so, and `endTick` need not move anything.
   */
  step({ quantizePoses }: { readonly quantizePoses: boolean }): void {
    const world = this.#world;
    const { profile } = world;

    // Pairs of what the rules have added, moved or changed
    if (world.hasNewPairs) {
      this.#contacts.findNewContacts();
      world.hasNewPairs = false;
    }
    profile?.end(StepPart.BROAD_PHASE);

    // Which contacts touch, and where
    this.#contacts.update();
    profile?.end(StepPart.NARROW_PHASE);

    // Velocities, positions and sleep
    const solved = this.#islands.solve();
    profile?.end(StepPart.SOLVER);

    // Pairs of what has moved
    const hasAnyMoved = this.#updateMovedAabbs(solved, quantizePoses);
    this.#contacts.findNewContacts();
    profile?.end(StepPart.BROAD_PHASE);

    // Where bodies would have passed each other, and what has passed sensors
    if (hasAnyMoved) {
      this.#sweeps?.begin();
      this.#impacts.solve();
      this.#sweeps?.find();
    }
    profile?.end(StepPart.IMPACTS);

    // Marks of this step
    const { ints } = world.bodies;
    for (let i = 0; i < solved.count; i++) {
      ints[solved.rows[i]! * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~(BodyFlag.FAST | BodyFlag.MOVED);
    }
  }

  /** @returns whether a body moved, so that it may have an impact */
  #updateMovedAabbs({ rows, count }: RowList, quantizePoses: boolean): boolean {
    const { bodies, bodies: { values, ints } } = this.#world;
    const { broadPhase } = this.#contacts;
    let hasAnyMoved = false;
    for (let i = 0; i < count; i++) {
      const body = rows[i]!;
      const at = body * BodyInt.STRIDE;
      if (quantizePoses) quantizePose(values, body * Body.STRIDE);
      if (classifyMotion(bodies, body)) hasAnyMoved = true;
      if ((ints[at + BodyInt.FLAGS]! & BodyFlag.FAST) !== 0) {
        updateSweptAabb(this.#world, body, broadPhase);
      } else updateAabb(this.#world, body, broadPhase);
    }
    return hasAnyMoved;
  }
}
