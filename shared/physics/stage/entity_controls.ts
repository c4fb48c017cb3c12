/** The rules' hold on single entities: a stage has these methods, too. */
import { Body } from "../core/body_rows.ts";
import { checkAngle, checkSpeed, checkSpin, checkVelocity } from "../core/limits.ts";
import { StageError } from "../core/types.ts";
import { BodyRecord, type Entity, type EntityRecord } from "./entity.ts";
import {
  requireBody,
  requireDynamic,
  requireMovable,
  requireSpin,
  requireVelocity,
} from "./entity_checks.ts";
import { addAngularImpulse, addForce, addImpulse, addTorque, type Point } from "./forces.ts";
import { INTERNALS, type StageState } from "./internals.ts";
import { movedAsOne } from "./moved_piece.ts";

/**
 * Moves and pushes the entities of one stage. A method throws a `StageError` as those of `Stage`
 * do, and then has changed nothing.
 */
export abstract class EntityControls {
  abstract readonly [INTERNALS]: StageState;

  /**
   * Moves the origin to (x, y), each at most 101,024, and turns the body to `angle`. It counts a
   * teleport and wakes the entity. The velocity stays. A static body also wakes what touched it,
   * and what it reaches at its new place.
   *
   * A list of entities moves as one piece: the first one comes to this pose, and all others keep
   * theirs relative to it. If the piece turns, the velocities relative to its centre of mass turn
   * along. Joints within the piece hold on. A joint ends if it holds an entity of the piece and
   * something else: another entity, the ground, or a point of the stage, as mouse joints and
   * pulleys do. So a car is teleported as `[car, ...wheels]`, and a single entity loses all its
   * joints.
   * @param entities one entity, or at least one, each once
   * @param angle radians, at most 1,024; the present angle if omitted
   * @throws StageError also for the ground, an entity on a path, and the angle of a projectile or
   * an upright body, which do not turn; of a list, for any of its entities, and then none has moved
   */
  teleport(entities: Entity | readonly Entity[], x: number, y: number, angle?: number): void {
    const internals = this[INTERNALS];
    const { entities: table } = internals;
    const records = ("archetype" in entities ? [entities] : entities).map((entity) =>
      requireMovable(table, entity)
    );
    const first = records[0];
    if (first === undefined) throw new StageError("teleport() of a list without an entity");
    const motions = movedAsOne(records, { x, y, angle: angle === undefined ? first.angle : angle });
    records.forEach((record, i) => this.#checkSpeed(record, motions[i]!));
    internals.phase.beginEdit();
    internals.joints?.removeOuter(records, motions[0]!.angle !== first.angle);
    internals.logs.complete();
    records.forEach((record, i) => table.teleport(record, motions[i]!));
  }

  /**
   * Turns a body about its origin to `angle`: a teleport to its own place.
   * @throws StageError as `teleport` does
   */
  setAngle(entity: Entity, angle: number): void {
    checkAngle(`entity ${entity.id} ${entity.archetype.name}`, angle);
    this.teleport(entity, entity.x, entity.y, angle);
  }

  /**
   * Sets the velocity of the centre of mass, each component at most 1e4. A velocity other than zero
   * wakes the body.
   * @throws StageError also for the ground, an entity on a path, and a static body; for a body
   * beyond `speedMax` if the declaration refuses it
   */
  setVelocity(entity: Entity, vx: number, vy: number): void {
    const record = requireVelocity(this[INTERNALS].entities, entity);
    checkVelocity(record, vx, vy);
    this.#checkSpeed(record, { vx, vy });
    this[INTERNALS].phase.beginEdit();
    this[INTERNALS].entities.setVelocity(record, vx, vy);
  }

  /**
   * Sets the spin, counter-clockwise positive, at most 1e4. A spin other than zero wakes the body.
   * @throws StageError also for the ground, an entity on a path, a static body, a projectile, and
   * an upright body; for a spin beyond `spinMax` if the declaration refuses it
   */
  setSpin(entity: Entity, spin: number): void {
    const record = requireSpin(this[INTERNALS].entities, entity);
    checkSpin(record, spin);
    this.#checkSpeed(record, { spin });
    this[INTERNALS].phase.beginEdit();
    const { world } = this[INTERNALS];
    if (spin !== 0) world.wake(record.row);
    world.edit(record.row);
    record.values[record.offset + Body.SPIN] = spin;
  }

  #checkSpeed(record: EntityRecord, motion: Parameters<typeof checkSpeed>[2]): void {
    const { speedLimits } = this[INTERNALS].world;
    if (speedLimits !== undefined && record instanceof BodyRecord) {
      checkSpeed(record, speedLimits, motion);
    }
  }

  /**
   * Wakes a body, or keeps it awake for another half second. `Entity.awake` shows whether it is. A
   * static body is always awake; it wakes what touches it and what is joined to it.
   * @throws StageError also for the ground and for a projectile
   */
  wake(entity: Entity): void {
    const { world, contacts, joints, phase, entities } = this[INTERNALS];
    const record = requireBody(entities, entity);
    phase.beginEdit();
    world.wake(record.row);
    if (!record.isStatic) return;
    contacts.wakeTouching(record.row);
    joints?.wakeAllOf(record);
  }

  /**
   * Applies a force during all world steps of the coming `advance`. Several forces add up. A force
   * other than zero wakes the body.
   * @param fx newtons; the sum over all forces is at most 1e8 on each axis
   * @param point the point of application; the centre of mass if omitted
   * @throws StageError also for the ground, a projectile, and a body that is not dynamic; after
   * `advance`, because no force outlives a tick
   */
  applyForce(entity: Entity, fx: number, fy: number, point?: Point): void {
    const record = requireDynamic(this[INTERNALS].entities, entity);
    if (this[INTERNALS].phase.value === "advanced") {
      throw new StageError(`${record}: applyForce() after advance() acts on nothing`);
    }
    addForce(this[INTERNALS].world, record, fx, fy, point);
    this[INTERNALS].phase.beginEdit();
  }

  /**
   * Applies a torque during all world steps of the coming `advance`, as `applyForce` does with a
   * force. A body with `fixedRotation` does not begin to turn.
   * @param torque N·m, counter-clockwise positive, at most 1e8
   * @throws StageError as `applyForce` does
   */
  applyTorque(entity: Entity, torque: number): void {
    const record = requireDynamic(this[INTERNALS].entities, entity);
    if (this[INTERNALS].phase.value === "advanced") {
      throw new StageError(`${record}: applyTorque() after advance() acts on nothing`);
    }
    addTorque(this[INTERNALS].world, record, torque);
    this[INTERNALS].phase.beginEdit();
  }

  /**
   * Changes velocity and spin at once. An impulse other than zero wakes the body.
   * @param ix newton seconds, at most 1e7
   * @param point the point of application; the centre of mass if omitted
   * @throws StageError also for the ground, a projectile, and a body that is not dynamic; for a
   * resulting motion out of bounds
   */
  applyImpulse(entity: Entity, ix: number, iy: number, point?: Point): void {
    const { world, entities } = this[INTERNALS];
    addImpulse(world, requireDynamic(entities, entity), ix, iy, point);
    this[INTERNALS].phase.beginEdit();
  }

  /**
   * Changes the spin at once. An impulse other than zero wakes the body.
   * @param impulse N·m·s, counter-clockwise positive, at most 1e7
   * @throws StageError as `applyImpulse` does
   */
  applyAngularImpulse(entity: Entity, impulse: number): void {
    const { world, entities } = this[INTERNALS];
    addAngularImpulse(world, requireDynamic(entities, entity), impulse);
    this[INTERNALS].phase.beginEdit();
  }
}
