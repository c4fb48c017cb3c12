/** Unmodified planck. */
import { type Body, Box, Chain, Circle, RevoluteJoint, World } from "planck";
import { bodyOf, type Engine, type Part } from "./scene.ts";

function addParts(body: Body, parts: readonly Part[]): void {
  for (const { shape, density = 1, friction = 0.6, restitution = 0 } of parts) {
    const planckShape = "circle" in shape
      ? new Circle(shape.circle)
      : "chain" in shape
      ? new Chain(shape.chain.map(([x, y]) => ({ x, y })), shape.loop ?? false)
      : new Box(shape.box[0], shape.box[1], { x: shape.x ?? 0, y: shape.y ?? 0 }, shape.angle ?? 0);
    body.createFixture({ shape: planckShape, density, friction, restitution });
  }
}

export const planckEngine: Engine = {
  integrations: 1,
  hasPairRestitution: false,
  build({ gravity, ground: groundParts, bodies: specs, pins = [] }, { tickHz, substeps }) {
    const world = new World({ gravity: { x: 0, y: -gravity } });
    const ground = world.createBody();
    addParts(ground, groundParts);
    const bodies = specs.map(
      ({ parts, x, y, angle = 0, vx = 0, vy = 0, bullet = false, turning }) => {
        const body = world.createBody({
          type: turning === undefined ? "dynamic" : "kinematic",
          position: { x, y },
          angle,
          linearVelocity: { x: vx, y: vy },
          angularVelocity: turning ?? 0,
          bullet,
        });
        addParts(body, parts);
        return body;
      },
    );

    for (const { a, b, x, y, limits } of pins) {
      const def = limits === undefined
        ? {}
        : { enableLimit: true, lowerAngle: limits.lower, upperAngle: limits.upper };
      world.createJoint(
        new RevoluteJoint(def, bodyOf(bodies, ground, a), bodyOf(bodies, ground, b), { x, y }),
      );
    }

    return {
      tick: () => {
        for (let i = 0; i < substeps; i++) world.step(1 / (tickHz * substeps), 8, 3);
      },
      motionOf: (index) => {
        const body = bodies[index]!;
        const { x, y } = body.getPosition();
        const { x: vx, y: vy } = body.getLinearVelocity();
        return { x, y, angle: body.getAngle(), vx, vy };
      },
      isAwake: (index) => bodies[index]!.isAwake(),
      countContacts: () => {
        let count = 0;
        for (let contact = world.getContactList(); contact; contact = contact.getNext()) {
          if (contact.isTouching()) count++;
        }
        return count;
      },
      free: () => {},
    };
  },
};
