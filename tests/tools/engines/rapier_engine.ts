/**
 * rapier's deterministic build, with its default of four solver iterations. Bullets have continuous
 * collision.
 */
import * as rapier from "@dimforge/rapier2d-deterministic-compat";
import {
  bodyOf,
  type ChainPart,
  type Engine,
  type Part,
  type Rate,
  type Scene,
  type World,
} from "./scene.ts";

await rapier.init();

function addParts(world: rapier.World, body: rapier.RigidBody, parts: readonly Part[]): void {
  for (const { shape, density = 1, friction = 0.6, restitution = 0 } of parts) {
    const collider = "circle" in shape
      ? rapier.ColliderDesc.ball(shape.circle)
      : "chain" in shape
      ? polyline(shape)
      : rapier.ColliderDesc.cuboid(shape.box[0], shape.box[1])
        .setTranslation(shape.x ?? 0, shape.y ?? 0).setRotation(shape.angle ?? 0);
    collider.setDensity(density).setFriction(friction).setRestitution(restitution)
      .setRestitutionCombineRule(rapier.CoefficientCombineRule.Max);
    world.createCollider(collider, body);
  }
}

function polyline({ chain, loop = false }: ChainPart): rapier.ColliderDesc {
  return rapier.ColliderDesc.polyline(
    new Float32Array([...chain, ...loop ? [chain[0]!] : []].flat()),
  );
}

/** @returns the pin's place in the body's frame */
function anchorOf(body: rapier.RigidBody, x: number, y: number): { x: number; y: number } {
  const place = body.translation();
  const angle = body.rotation();
  const dx = x - place.x;
  const dy = y - place.y;
  const c = Math.cos(angle), s = Math.sin(angle);
  return { x: c * dx + s * dy, y: c * dy - s * dx };
}

/** rapier also has pairs that are only near each other. */
function countContacts(world: rapier.World): number {
  let count = 0;
  world.forEachCollider((collider) => {
    world.contactPairsWith(collider, (other) => {
      // Each pair comes up once from either side.
      if (other.handle < collider.handle) return;
      let touches = false;
      world.contactPair(collider, other, (manifold) => touches ||= manifold.numContacts() > 0);
      if (touches) count++;
    });
  });
  return count;
}

/** A scene in rapier. */
export interface RapierWorld extends World {
  readonly world: rapier.World;
}

export const rapierEngine = {
  integrations: 4,
  hasPairRestitution: false,
  /** @param snapshot of `world.takeSnapshot()` */
  restore: (snapshot: Uint8Array): rapier.World => rapier.World.restoreSnapshot(snapshot),
  build(
    { gravity, ground: groundParts, bodies: specs, pins = [] }: Scene,
    { tickHz, substeps }: Rate,
  ): RapierWorld {
    const world = new rapier.World({ x: 0, y: -gravity });
    world.timestep = 1 / (tickHz * substeps);
    const ground = world.createRigidBody(rapier.RigidBodyDesc.fixed());
    addParts(world, ground, groundParts);
    const bodies = specs.map(
      ({ parts, x, y, angle = 0, vx = 0, vy = 0, bullet = false, turning }) => {
        const desc = turning === undefined
          ? rapier.RigidBodyDesc.dynamic()
          : rapier.RigidBodyDesc.kinematicVelocityBased().setAngvel(turning);
        const body = world.createRigidBody(
          desc.setTranslation(x, y).setRotation(angle).setLinvel(vx, vy).setCcdEnabled(bullet),
        );
        addParts(world, body, parts);
        return body;
      },
    );

    for (const { a, b, x, y, limits } of pins) {
      const bodyA = bodyOf(bodies, ground, a);
      const bodyB = bodyOf(bodies, ground, b);
      const data = rapier.JointData.revolute(anchorOf(bodyA, x, y), anchorOf(bodyB, x, y));
      const joint = world.createImpulseJoint(
        data,
        bodyA,
        bodyB,
        true,
      ) as rapier.RevoluteImpulseJoint;
      joint.setContactsEnabled(false);
      if (limits !== undefined) joint.setLimits(limits.lower, limits.upper);
    }

    return {
      world,
      tick: () => {
        for (let i = 0; i < substeps; i++) world.step();
      },
      motionOf: (index) => {
        const body = bodies[index]!;
        const { x, y } = body.translation();
        const { x: vx, y: vy } = body.linvel();
        return { x, y, angle: body.rotation(), vx, vy };
      },
      isAwake: (index) => !bodies[index]!.isSleeping(),
      countContacts: () => countContacts(world),
      free: () => world.free(),
    };
  },
} satisfies Engine & Readonly<Record<string, unknown>>;
