/**
 * The full scene on the exact stage: two 25 ms steps a tick, then `endTick` as in a match. Its
 * projectiles are swept circles instead of bodies.
 */
import { type Entity, Stage } from "../../shared/physics/stage/stage.ts";
import { archetype } from "../../shared/physics/core/types.ts";
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import * as scene from "./full_scene.ts";

const DRAGON = archetype({
  name: "dragon",
  body: {
    fixtures: [{
      shape: { circle: scene.DRAGON_RADIUS },
      density: 1,
      friction: 0.2,
      restitution: 0.3,
    }],
    fixedRotation: true,
  },
  fields: {},
});
const LOOT = archetype({
  name: "loot",
  body: {
    fixtures: [{
      shape: { box: [scene.LOOT_HALF.halfWidth, scene.LOOT_HALF.halfHeight] },
      density: 1,
      friction: 0.6,
      restitution: 0.05,
    }],
  },
  fields: {},
});
/** Projectiles with the same mass and restitution as the stock scene's solid ones. */
function shotOf({ projectiles }: scene.SceneSize) {
  return archetype({
    name: "shot",
    projectile: {
      radius: scene.PROJECTILE_RADIUS,
      mass: Math.PI * scene.PROJECTILE_RADIUS * scene.PROJECTILE_RADIUS,
      restitution: 0.4,
      bouncesMax: 255,
      lifeTicks: projectiles,
      category: 2,
      mask: 1,
      gravityScale: 0.2,
    },
    fields: {},
  });
}

export class StageScene implements scene.FullScene {
  readonly stage: Stage;
  readonly #size: scene.SceneSize;
  readonly #shot: ReturnType<typeof shotOf>;
  readonly #hashed = new Snapshot();

  constructor(size = scene.FULL) {
    this.#size = size;
    this.#shot = shotOf(size);
    this.stage = new Stage({
      gravity: scene.GRAVITY,
      tickHz: scene.TICK_HZ,
      substeps: 2,
      ground: scene.GROUND.map(({ x, y, halfWidth, halfHeight }) => ({
        shape: { box: [halfWidth, halfHeight] as const, x, y },
        friction: 0.6,
      })),
      archetypes: [DRAGON, LOOT, this.#shot],
      fields: {},
    });
    for (const place of scene.dragonPlaces.slice(0, size.dragons)) this.stage.spawn(DRAGON, place);
    for (const place of scene.lootPlaces.slice(0, size.loot)) this.stage.spawn(LOOT, place);
    this.stage.endTick();
  }

  step(script: scene.Script = "right"): void {
    const { stage } = this;
    const tick = stage.tick - 1;
    const dragons = stage.all(DRAGON);
    dragons.forEach((dragon, i) => {
      const { dvx, dvy } = scene.push(tick, i, script);
      stage.setVelocity(dragon, dragon.vx + dvx, dragon.vy + dvy);
    });
    this.#shoot(tick, dragons);
    stage.advance();
    stage.endTick();
  }

  save(into: Snapshot): void {
    this.stage.save(into);
  }

  load(from: Snapshot): void {
    this.stage.load(from);
  }

  hash(): number {
    this.stage.save(this.#hashed);
    return hashOfSnapshot(this.#hashed);
  }

  keep(): () => void {
    const kept = new Snapshot();
    this.stage.save(kept);
    return () => this.stage.load(kept);
  }

  #shoot(tick: number, dragons: readonly Entity[]): void {
    const { dragon, side } = scene.shot(tick, this.#size.dragons);
    const { x, y, vx, vy } = dragons[dragon]!;
    this.stage.spawn(this.#shot, { x: x + side * 0.9, y, vx: vx + side * scene.SHOT_SPEED, vy });
  }
}
