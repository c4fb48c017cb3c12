/**
 * The full scene on matter-js. Its tolerances are in pixels, so a metre has 50 of them, and it asks
 * for steps of at most a 60th of a second, so a tick has three.
 */
// @ts-types="@types/matter-js"
import Matter from "matter-js";
import * as scene from "../full_scene.ts";
import { MotionHash } from "./motion_hash.ts";

const PIXELS = 50;
const STEPS = 3;
const STEP_MS = 1000 / scene.TICK_HZ / STEPS;
/** matter-js' velocities are pixels in a 60th of a second. */
const SPEED = PIXELS / 60;
/** In pixels/ms² for a gravity of length 1. */
const GRAVITY_SCALE = scene.GRAVITY * PIXELS / 1_000_000;
const SHOT_GRAVITY = 0.2;

const OTHERS = { category: 1, mask: 0xffff };
const SHOTS = { category: 2, mask: 1 };

/** Without the drag of air, which the other engines lack. */
const DYNAMIC = { frictionAir: 0, slop: 0.05, collisionFilter: { ...OTHERS, group: 0 } };

export class MatterScene implements scene.FullScene {
  readonly #engine = Matter.Engine.create({
    gravity: { x: 0, y: -1, scale: GRAVITY_SCALE },
  });
  readonly #dragons: readonly Matter.Body[];
  readonly #loot: readonly Matter.Body[];
  readonly #shots: Matter.Body[] = [];
  readonly #motions = new MotionHash();
  #tick = 0;

  constructor() {
    const { world } = this.#engine;
    for (const { x, y, halfWidth, halfHeight } of scene.GROUND) {
      const options = { isStatic: true, friction: 0.6, restitution: 0 };
      Matter.Composite.add(world, boxOf({ x, y, halfWidth, halfHeight }, options));
    }

    this.#dragons = scene.dragonPlaces.map(({ x, y }) => {
      const dragon = Matter.Bodies.circle(x * PIXELS, y * PIXELS, scene.DRAGON_RADIUS * PIXELS, {
        ...DYNAMIC,
        friction: 0.2,
        restitution: 0.3,
      });
      Matter.Body.setInertia(dragon, Infinity);
      Matter.Composite.add(world, dragon);
      return dragon;
    });

    this.#loot = scene.lootPlaces.map((place) => {
      const options = { ...DYNAMIC, friction: 0.6, restitution: 0.05 };
      const loot = boxOf({ ...place, ...scene.LOOT_HALF }, options);
      Matter.Composite.add(world, loot);
      return loot;
    });
  }

  step(script: scene.Script = "right"): void {
    if (this.#shots.length >= scene.FULL.projectiles) {
      Matter.Composite.remove(this.#engine.world, this.#shots.shift()!);
    }
    this.#dragons.forEach((dragon, i) => {
      const { dvx, dvy } = scene.push(this.#tick, i, script);
      const { x, y } = Matter.Body.getVelocity(dragon);
      Matter.Body.setVelocity(dragon, { x: x + dvx * SPEED, y: y + dvy * SPEED });
    });
    this.#shoot();

    for (let i = 0; i < STEPS; i++) {
      // Forces last for one step.
      for (const shot of this.#shots) {
        shot.force.y += (1 - SHOT_GRAVITY) * shot.mass * GRAVITY_SCALE;
      }
      Matter.Engine.update(this.#engine, STEP_MS);
    }
    this.#tick++;
  }

  hash(): number {
    this.#motions.clear();
    for (const body of [...this.#dragons, ...this.#loot, ...this.#shots]) {
      const { x, y } = body.position;
      const { x: vx, y: vy } = body.velocity;
      this.#motions.add({ x, y, angle: body.angle, vx, vy, spin: body.angularVelocity });
    }
    return this.#motions.hash();
  }

  #shoot(): void {
    const { dragon, side } = scene.shot(this.#tick);
    const { position } = this.#dragons[dragon]!;
    const { x: vx, y: vy } = Matter.Body.getVelocity(this.#dragons[dragon]!);
    const radius = scene.PROJECTILE_RADIUS * PIXELS;
    const shot = Matter.Bodies.circle(position.x + side * 0.9 * PIXELS, position.y, radius, {
      ...DYNAMIC,
      friction: 0.6,
      restitution: 0.4,
      collisionFilter: { ...SHOTS, group: 0 },
    });
    Matter.Body.setVelocity(shot, { x: vx + side * scene.SHOT_SPEED * SPEED, y: vy });
    Matter.Composite.add(this.#engine.world, shot);
    this.#shots.push(shot);
  }
}

function boxOf(
  { x, y, halfWidth, halfHeight }: scene.Box,
  options: Matter.IChamferableBodyDefinition,
): Matter.Body {
  const width = 2 * halfWidth * PIXELS;
  const height = 2 * halfHeight * PIXELS;
  return Matter.Bodies.rectangle(x * PIXELS, y * PIXELS, width, height, options);
}
