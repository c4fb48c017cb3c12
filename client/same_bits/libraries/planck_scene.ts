/** The full scene on stock planck: its dynamic tree, its contact order, one 50 ms step a tick. */
import * as planck from "planck";
import * as scene from "../full_scene.ts";
import { MotionHash } from "./motion_hash.ts";

export class PlanckScene implements scene.FullScene {
  readonly #world = new planck.World({ gravity: { x: 0, y: -scene.GRAVITY } });
  readonly #dragons: planck.Body[];
  readonly #loot: planck.Body[];
  readonly #shots: planck.Body[] = [];
  readonly #motions = new MotionHash();
  #tick = 0;

  constructor() {
    for (const { x, y, halfWidth, halfHeight } of scene.GROUND) {
      this.#world.createBody({ type: "static", position: { x, y } })
        .createFixture({ shape: new planck.Box(halfWidth, halfHeight), friction: 0.6 });
    }
    this.#dragons = scene.dragonPlaces.map((position) => {
      const body = this.#world.createBody({ type: "dynamic", position, fixedRotation: true });
      body.createFixture({
        shape: new planck.Circle(scene.DRAGON_RADIUS),
        density: 1,
        friction: 0.2,
        restitution: 0.3,
      });
      return body;
    });

    this.#loot = scene.lootPlaces.map((position) => {
      const { halfWidth, halfHeight } = scene.LOOT_HALF;
      const body = this.#world.createBody({ type: "dynamic", position });
      body.createFixture({
        shape: new planck.Box(halfWidth, halfHeight),
        density: 1,
        friction: 0.6,
        restitution: 0.05,
      });
      return body;
    });
  }

  step(script: scene.Script = "right"): void {
    if (this.#shots.length >= scene.FULL.projectiles) this.#world.destroyBody(this.#shots.shift()!);
    this.#dragons.forEach((dragon, i) => {
      const { dvx, dvy } = scene.push(this.#tick, i, script);
      const { x, y } = dragon.getLinearVelocity();
      dragon.setLinearVelocity({ x: x + dvx, y: y + dvy });
    });
    this.#shoot();
    this.#world.step(1 / scene.TICK_HZ);
    this.#tick++;
  }

  hash(): number {
    this.#motions.clear();
    for (const body of [...this.#dragons, ...this.#loot, ...this.#shots]) {
      const { x, y } = body.getPosition();
      const { x: vx, y: vy } = body.getLinearVelocity();
      this.#motions.add({ x, y, angle: body.getAngle(), vx, vy, spin: body.getAngularVelocity() });
    }
    return this.#motions.hash();
  }

  #shoot(): void {
    const { dragon, side } = scene.shot(this.#tick);
    const from = this.#dragons[dragon]!.getPosition();
    const speed = this.#dragons[dragon]!.getLinearVelocity();
    const body = this.#world.createBody({
      type: "dynamic",
      position: { x: from.x + side * 0.9, y: from.y },
      linearVelocity: { x: speed.x + side * scene.SHOT_SPEED, y: speed.y },
      bullet: true,
      gravityScale: 0.2,
    });
    body.createFixture({
      shape: new planck.Circle(scene.PROJECTILE_RADIUS),
      density: 1,
      friction: 0.6,
      restitution: 0.4,
      filterCategoryBits: 2,
      filterMaskBits: 1,
    });
    this.#shots.push(body);
  }
}
