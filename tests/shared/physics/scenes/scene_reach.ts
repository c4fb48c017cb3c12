/**
 * The scene's static and kinematic entities. A shelf moves by teleports, is despawned and spawned
 * again, and counts who begins to touch it. A cart drives to and fro at velocities that the rules
 * set. Slick boxes change their properties.
 */
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype } from "../../../../shared/physics/core/types.ts";

export const SHELF = archetype({
  name: "shelf",
  body: { type: "static", fixtures: [{ shape: { box: [1.6, 0.15] }, friction: 0.8 }] },
  fields: { touches: "u16" },
});

export const CART = archetype({
  name: "cart",
  body: {
    type: "kinematic",
    fixtures: [{ shape: { box: [1, 0.2] }, oneWay: { x: -1, y: 2 } }, {
      shape: { circle: 0.3, x: 1 },
    }],
  },
  fields: {},
});

export const SLICK = archetype({
  name: "slick",
  body: {
    fixtures: [{ shape: { box: [0.4, 0.3] } }],
    mutable: [
      "gravityScale",
      "linearDamping",
      "angularDamping",
      "friction",
      "restitution",
      "category",
      "mask",
    ],
  },
  fields: {},
});

type Draw = (salt: number) => number;

/** Two shelves. */
export function startReach(stage: Stage): void {
  stage.spawn(SHELF, { x: 1, y: 5 });
  stage.spawn(SHELF, { x: -2, y: 2, angle: 0.2 });
  stage.spawn(CART, { x: 5, y: 0.5, vx: 1 });
  for (let i = 0; i < 3; i++) stage.spawn(SLICK, { x: -8 + 4 * i, y: 6, spin: i });
}

/** Before `advance`: moves a shelf, and sometimes replaces the other one. */
export function stepReach(stage: Stage, draw: Draw): void {
  const choice = draw(3_000);
  const [first, second] = stage.all(SHELF);

  if (choice % 40 === 0) {
    stage.teleport(
      first!,
      (choice >>> 8) % 20 - 10,
      1 + (choice >>> 16) % 6,
      (choice >>> 4) % 7 * 0.1,
    );
  }

  const cart = stage.all(CART)[0]!;
  if (Math.abs(cart.x) > 15 || Math.abs(cart.y) > 15) stage.teleport(cart, 0, 3, 0);
  if (choice % 30 === 2) stage.setVelocity(cart, (choice >>> 8) % 7 - 3, (choice >>> 12) % 3 - 1);
  if (choice % 30 === 3) stage.setSpin(cart, (choice >>> 8) % 3 * 0.01);
  if (choice % 30 === 4) stage.setVelocity(cart, 0, 0);
  stepSlick(stage, draw);
  if (choice % 60 !== 1) return;
  stage.despawn(first!);
  stage.spawn(SHELF, { x: second!.x + 3, y: 3, angle: 0.1 });
}

function stepSlick(stage: Stage, draw: Draw): void {
  for (const box of stage.all(SLICK)) {
    const choice = draw(box.id + 4_000);
    const value = (choice >>> 8) % 8 / 8;
    if (choice % 20 === 0) {
      stage.properties.set(box, { gravityScale: 1.2 - value, linearDamping: value });
    }
    if (choice % 20 === 1) {
      stage.properties.set(box, { friction: value / 2, angularDamping: value });
    }
    if (choice % 20 === 2) stage.properties.set(box, { restitution: value });
    if (choice % 50 === 3) {
      stage.properties.set(box, {
        category: 1 + (choice >>> 8) % 3,
        mask: 0xffff - (choice >>> 12) % 4,
      });
    }
    if (choice % 20 === 4) stage.applyImpulse(box, value - 0.5, 2);
    if (choice % 20 === 5) stage.applyTorque(box, 10 * value);
    if (Math.abs(box.y) > 18) stage.teleport(box, 0, 9, value);
  }
}

/** After `advance`: counts new contacts. */
export function countReach(stage: Stage): void {
  for (const { a, b, began } of stage.contactEvents) {
    for (const one of [a, b]) if (began && one.archetype === SHELF) one.fields["touches"]!++;
  }
}
