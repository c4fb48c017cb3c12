/**
 * The full scene on rapier's deterministic build. A tick is one 50 ms step of rapier's solver with
 * its default four iterations. Projectiles have continuous collision detection. Restitutions
 * combine by their maximum, as in Box2D. Frictions combine by rapier's default, because rapier
 * lacks Box2D's geometric mean.
 */
import * as rapier from "@dimforge/rapier2d-deterministic-compat";
import * as scene from "../full_scene.ts";
import { MotionHash } from "./motion_hash.ts";

await rapier.init();

/**
 * rapier's interaction groups: the upper 16 bits are the collider's groups, the lower 16 those that
 * it collides with.
 */
const SHOT_GROUPS = 2 << 16 | 1;
const OTHER_GROUPS = 1 << 16 | 0xffff;

/** A collider's material and collision groups. */
interface Matter {
  readonly friction: number;
  readonly restitution: number;
  readonly groups?: number;
}

export class RapierScene implements scene.FullScene {
  #world = new rapier.World({ x: 0, y: -scene.GRAVITY });
  #dragons: readonly rapier.RigidBody[];
  #loot: readonly rapier.RigidBody[];
  #shots: rapier.RigidBody[] = [];
  /** rapier writes each velocity into this object. */
  readonly #vector = { x: 0, y: 0 };
  readonly #motions = new MotionHash();
  #tick = 0;

  constructor() {
    this.#world.timestep = 1 / scene.TICK_HZ;
    for (const { x, y, halfWidth, halfHeight } of scene.GROUND) {
      const body = this.#world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(x, y));
      this.#add(body, rapier.ColliderDesc.cuboid(halfWidth, halfHeight), {
        friction: 0.6,
        restitution: 0,
      });
    }

    this.#dragons = scene.dragonPlaces.map(({ x, y }) => {
      const body = this.#world.createRigidBody(
        rapier.RigidBodyDesc.dynamic().setTranslation(x, y).lockRotations(),
      );
      this.#add(body, rapier.ColliderDesc.ball(scene.DRAGON_RADIUS), {
        friction: 0.2,
        restitution: 0.3,
      });
      return body;
    });

    this.#loot = scene.lootPlaces.map(({ x, y }) => {
      const body = this.#world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(x, y));
      const { halfWidth, halfHeight } = scene.LOOT_HALF;
      this.#add(body, rapier.ColliderDesc.cuboid(halfWidth, halfHeight), {
        friction: 0.6,
        restitution: 0.05,
      });
      return body;
    });
  }

  step(script: scene.Script = "right"): void {
    if (this.#shots.length >= scene.FULL.projectiles) {
      this.#world.removeRigidBody(this.#shots.shift()!);
    }
    for (let i = 0; i < this.#dragons.length; i++) {
      const dragon = this.#dragons[i]!;
      const { dvx, dvy } = scene.push(this.#tick, i, script);
      const speed = dragon.linvel(this.#vector);
      speed.x += dvx;
      speed.y += dvy;
      dragon.setLinvel(speed, true);
    }
    this.#shoot();
    this.#world.step();
    this.#tick++;
  }

  hash(): number {
    this.#motions.clear();
    for (const body of [...this.#dragons, ...this.#loot, ...this.#shots]) {
      const { x, y } = body.translation();
      const { x: vx, y: vy } = body.linvel();
      this.#motions.add({ x, y, angle: body.rotation(), vx, vy, spin: body.angvel() });
    }
    return this.#motions.hash();
  }

  /** A snapshot makes a new world, in which each body has the same handle. */
  keep(): () => void {
    const snapshot = this.#world.takeSnapshot();
    const tick = this.#tick;
    const handlesOf = (bodies: readonly rapier.RigidBody[]) => bodies.map(({ handle }) => handle);
    const dragons = handlesOf(this.#dragons);
    const loot = handlesOf(this.#loot);
    const shots = handlesOf(this.#shots);
    return () => {
      this.#world.free();
      this.#world = rapier.World.restoreSnapshot(snapshot);
      const bodiesOf = (handles: readonly number[]) =>
        handles.map((handle) => this.#world.getRigidBody(handle));
      this.#dragons = bodiesOf(dragons);
      this.#loot = bodiesOf(loot);
      this.#shots = bodiesOf(shots);
      this.#tick = tick;
    };
  }

  #shoot(): void {
    const { dragon, side } = scene.shot(this.#tick);
    const shooter = this.#dragons[dragon]!;
    const { x, y } = shooter.translation();
    const { x: vx, y: vy } = shooter.linvel();
    const shot = this.#world.createRigidBody(
      rapier.RigidBodyDesc.dynamic()
        .setTranslation(x + side * 0.9, y)
        .setLinvel(vx + side * scene.SHOT_SPEED, vy)
        .setGravityScale(0.2)
        .setCcdEnabled(true),
    );
    const matter = { friction: 0.6, restitution: 0.4, groups: SHOT_GROUPS };
    this.#add(shot, rapier.ColliderDesc.ball(scene.PROJECTILE_RADIUS), matter);
    this.#shots.push(shot);
  }

  #add(
    body: rapier.RigidBody,
    shape: rapier.ColliderDesc,
    { friction, restitution, groups = OTHER_GROUPS }: Matter,
  ): void {
    const collider = shape.setDensity(1).setFriction(friction).setRestitution(restitution)
      .setRestitutionCombineRule(rapier.CoefficientCombineRule.Max).setCollisionGroups(groups);
    this.#world.createCollider(collider, body);
  }
}
