/**
 * The full scene on Box2D 2.4 as WebAssembly (box2d-wasm), with stock planck's settings: one 50 ms
 * step a tick, 8 velocity and 3 position iterations, projectiles as bullets. Objects made for
 * JavaScript are reused or freed, as the package's documentation requires.
 */
import Box2DFactory from "box2d-wasm";
import * as scene from "../../../../client/same_bits/full_scene.ts";

const VELOCITY_ITERATIONS = 8;
const POSITION_ITERATIONS = 3;

/**
 * Read here, because the package's own loader supports only Node and browsers. Every machine that
 * runs Deno supports SIMD.
 */
const wasmBinary =
  Deno.readFileSync(new URL("Box2D.simd.wasm", import.meta.resolve("box2d-wasm"))).buffer;
const box2d = await Box2DFactory({ wasmBinary });
const { b2Body, b2BodyDef, b2CircleShape, b2FixtureDef, b2PolygonShape, b2Vec2, b2World } = box2d;

/** A fixture's material and collision group. The density is 0 by default, in kg/m². */
interface Matter {
  readonly density?: number;
  readonly friction: number;
  readonly restitution: number;
  readonly isShot?: boolean;
}

export class Box2dScene {
  readonly #world: Box2D.b2World;
  readonly #dragons: readonly Box2D.b2Body[];
  readonly #shots: Box2D.b2Body[] = [];
  /** Reused by every call, as are the definitions and shapes below. */
  readonly #vector = new b2Vec2(0, 0);
  readonly #body = new b2BodyDef();
  readonly #fixture = new b2FixtureDef();
  readonly #box = new b2PolygonShape();
  readonly #circle = new b2CircleShape();
  #tick = 0;

  constructor() {
    this.#vector.Set(0, -scene.GRAVITY);
    this.#world = new b2World(this.#vector);
    const ground = { friction: 0.6, restitution: 0 };
    for (const box of scene.GROUND) this.#addBox(this.#create(box, 0), box, ground);
    this.#dragons = scene.dragonPlaces.map((place) => {
      const dragon = this.#create(place, box2d.b2_dynamicBody);
      dragon.SetFixedRotation(true);
      this.#addCircle(dragon, scene.DRAGON_RADIUS, { density: 1, friction: 0.2, restitution: 0.3 });
      return dragon;
    });
    for (const place of scene.lootPlaces) {
      const loot = this.#create(place, box2d.b2_dynamicBody);
      this.#addBox(loot, scene.LOOT_HALF, { density: 1, friction: 0.6, restitution: 0.05 });
    }
  }

  step(): void {
    if (this.#shots.length >= scene.FULL.projectiles) this.#destroy(this.#shots.shift()!);
    for (let i = 0; i < this.#dragons.length; i++) {
      const dragon = this.#dragons[i]!;
      const { dvx, dvy } = scene.push(this.#tick, i);
      const speed = dragon.GetLinearVelocity();
      this.#vector.Set(speed.x + dvx, speed.y + dvy);
      dragon.SetLinearVelocity(this.#vector);
    }
    this.#shoot();
    this.#world.Step(1 / scene.TICK_HZ, VELOCITY_ITERATIONS, POSITION_ITERATIONS);
    this.#tick++;
  }

  #shoot(): void {
    const { dragon, side } = scene.shot(this.#tick);
    const shooter = this.#dragons[dragon]!;
    const { x, y } = shooter.GetPosition();
    const speed = shooter.GetLinearVelocity();
    const shot = this.#create({ x: x + side * 0.9, y }, box2d.b2_dynamicBody);
    shot.SetBullet(true);
    shot.SetGravityScale(0.2);
    this.#vector.Set(speed.x + side * scene.SHOT_SPEED, speed.y);
    shot.SetLinearVelocity(this.#vector);
    const matter = { density: 1, friction: 0.6, restitution: 0.4, isShot: true };
    this.#addCircle(shot, scene.PROJECTILE_RADIUS, matter);
    this.#shots.push(shot);
  }

  #create({ x, y }: { x: number; y: number }, type: number): Box2D.b2Body {
    this.#vector.Set(x, y);
    this.#body.position = this.#vector;
    this.#body.type = type;
    return this.#world.CreateBody(this.#body);
  }

  #addBox(
    body: Box2D.b2Body,
    { halfWidth, halfHeight }: { halfWidth: number; halfHeight: number },
    matter: Matter,
  ): void {
    this.#box.SetAsBox(halfWidth, halfHeight);
    this.#add(body, this.#box, matter);
  }

  #addCircle(body: Box2D.b2Body, radius: number, matter: Matter): void {
    this.#circle.m_radius = radius;
    this.#add(body, this.#circle, matter);
  }

  #add(
    body: Box2D.b2Body,
    shape: Box2D.b2Shape,
    { density = 0, friction, restitution, isShot = false }: Matter,
  ): void {
    const fixture = this.#fixture;
    fixture.shape = shape;
    fixture.density = density;
    fixture.friction = friction;
    fixture.restitution = restitution;
    fixture.filter.categoryBits = isShot ? 2 : 1;
    fixture.filter.maskBits = isShot ? 1 : 0xffff;
    body.CreateFixture(fixture);
  }

  /**
   * The package keeps the handle of a destroyed body in its cache, so this deletes it there, too.
   */
  #destroy(body: Box2D.b2Body): void {
    this.#world.DestroyBody(body);
    delete box2d.getCache(b2Body)[box2d.getPointer(body)];
  }
}
