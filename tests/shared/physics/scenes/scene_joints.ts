/**
 * The scene's joints. Some machines stand all the time. Jumpers grab nearby entities with joints of
 * every type, which end by age, by force or with one of their entities. Motors start, reverse and
 * stop, limits switch off and on, and ropes shorten. Targets and offsets move, and the numbers of
 * changeable joints change.
 */
import { CHANGING_JOINTS } from "./scene_changes.ts";
import type { Entity, Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type JointDef,
  jointDef,
  type Spawn,
} from "../../../../shared/physics/core/types.ts";

export const PLANK = archetype({
  name: "plank",
  body: { fixtures: [{ shape: { box: [1, 0.15] } }] },
  fields: {},
});
export const BEAD = archetype({
  name: "bead",
  body: { fixtures: [{ shape: { circle: 0.25 } }] },
  fields: {},
});

/** Ticks until the rules remove the joint; 0 means never. */
const fields = { leftTicks: "u16" } as const;

const LEVER = jointDef({
  name: "lever",
  type: "revolute",
  limits: { lower: -0.5, upper: 0.6 },
  motor: { speed: 1.1, torqueMax: 40 },
  breakForce: 1500,
  changeable: true,
  fields,
});
const PIN = jointDef({ name: "pin", type: "revolute", collide: true, breakForce: 400, fields });
/** The solver treats its two limits as equal. */
const CLAMP = jointDef({
  name: "clamp",
  type: "revolute",
  limits: { lower: 0, upper: 0.01 },
  breakForce: 300,
  fields,
});
const LIFT = jointDef({
  name: "lift",
  type: "prismatic",
  limits: { lower: -1, upper: 1.5 },
  motor: { speed: 1.5, forceMax: 80 },
  breakForce: 1500,
  changeable: true,
  fields,
});
const ROD = jointDef({ name: "rod", type: "distance", breakForce: 60, fields });
const SPRING = jointDef({
  name: "spring",
  type: "distance",
  spring: { frequencyHz: 3, dampingRatio: 0.1 },
  changeable: true,
  fields,
});
const ROPE = jointDef({ name: "rope", type: "rope", collide: true, breakForce: 80, fields });
const WELD = jointDef({ name: "weld", type: "weld", breakForce: 120, fields });
const BENDY = jointDef({
  name: "bendy",
  type: "weld",
  spring: { frequencyHz: 4, dampingRatio: 0.2 },
  breakForce: 800,
  changeable: true,
  fields,
});

const STRUT = jointDef({
  name: "strut",
  type: "wheel",
  spring: { frequencyHz: 4, dampingRatio: 0.4 },
  motor: { speed: 4, torqueMax: 0.3 },
  breakForce: 400,
  changeable: true,
  fields,
});
const DRAG = jointDef({
  name: "drag",
  type: "mouse",
  forceMax: 12,
  breakForce: 60,
  changeable: true,
  fields,
});
const TOW = jointDef({
  name: "tow",
  type: "motor",
  forceMax: 9,
  torqueMax: 0.4,
  changeable: true,
  fields,
});
const BRAKE = jointDef({
  name: "brake",
  type: "friction",
  forceMax: 2,
  torqueMax: 0.05,
  changeable: true,
  fields,
});
const HOIST = jointDef({ name: "hoist", type: "pulley", ratio: 1.5, breakForce: 500, fields });
/** Couples pins, and a pin with a lift. */
const COG = jointDef({ name: "cog", type: "gear", ratio: -0.7, breakForce: 200, fields });

type AnyJointDef = JointDef<{ leftTicks: "u16" }>;

/** In the order of their declaration. A grab uses any of them. */
export const JOINTS: readonly AnyJointDef[] = [
  LEVER,
  PIN,
  CLAMP,
  LIFT,
  ROD,
  SPRING,
  ROPE,
  WELD,
  BENDY,
  STRUT,
  DRAG,
  TOW,
  BRAKE,
  HOIST,
  COG,
  ...CHANGING_JOINTS,
];

/** With more joints the scene would have little else. */
const JOINTS_LIVE_MAX = 32;
/** More joints on one body pull against each other until a body flies off. */
const JOINTS_PER_ENTITY_MAX = 2;
/** Entities farther away are not grabbed. Metres. */
const GRAB_DISTANCE_MAX = 4;

// deno-lint-ignore no-explicit-any
type AnyStage = Stage<any>;
type Draw = (salt: number) => number;

/**
 * A lever with a chain, a lift, a pendulum, a sprung bead, a pair of planks that bends, a cart, a
 * dragged, a towed and a braked bead, a hoist, and gears.
 */
export function startJoints(stage: AnyStage): void {
  const { joints, ground } = stage;
  const bead = (at: Spawn<Record<never, never>>) => stage.spawn(BEAD, at);
  const lever = stage.spawn(PLANK, { x: -12, y: 9 });
  joints.add(LEVER, ground, lever, { x: -12, y: 9 });
  let last: Entity = lever;
  for (let i = 0; i < 4; i++) {
    const link = bead({ x: -11 + i * 0.5, y: 9 - i * 0.1 });
    joints.add(i % 2 === 0 ? PIN : WELD, last, link, { x: -11.2 + i * 0.5, y: 9 });
    last = link;
  }

  const lift = stage.spawn(PLANK, { x: 12, y: 8 });
  joints.add(LIFT, ground, lift, { x: 12, y: 8, axis: { x: 0, y: 2 } });
  joints.add(ROPE, ground, bead({ x: 1, y: 9 }), { x: 0, y: 13, bx: 1, by: 9, length: 4.2 });
  joints.add(SPRING, ground, bead({ x: 5, y: 10 }), { x: 5, y: 13, bx: 5, by: 10 });
  const left = stage.spawn(PLANK, { x: -3, y: 6, angle: 0.2 });
  const right = stage.spawn(PLANK, { x: -1, y: 6.2 });
  joints.add(BENDY, left, right, { x: -2, y: 6.1 });
  startDriven(stage, lift);
}

/** @param rack slides on the first lift */
function startDriven(stage: AnyStage, rack: Entity): void {
  const { joints, ground } = stage;
  const bead = (x: number, y: number) => stage.spawn(BEAD, { x, y });
  const plank = (x: number, y: number) => stage.spawn(PLANK, { x, y });
  const cart = plank(-14, 2.5);
  const axis = { x: 0, y: 1 };
  for (const x of [-14.8, -13.2]) joints.add(STRUT, cart, bead(x, 2), { x, y: 2, axis });
  joints.add(DRAG, ground, bead(-4, 12), { x: -4, y: 12.2 });
  joints.add(TOW, ground, bead(8, 13), { x: 8, y: 13 });
  joints.add(BRAKE, ground, bead(3, 11), { x: 3, y: 11 });
  const ends = { groundA: { x: -8, y: 14 }, groundB: { x: -6, y: 14 } };
  joints.add(HOIST, bead(-8, 11), bead(-6, 11), { x: -8, y: 11.2, bx: -6, by: 11.2, ...ends });
  const [first, second, third] = [[-9, 7], [-5, 9], [15, 8]].map(([x, y]) =>
    joints.add(PIN, ground, plank(x!, y!), { x: x!, y: y! })
  );
  joints.addGear(COG, first!, second!);
  joints.addGear(COG, third!, joints.of(rack)[0]!);
}

/** Changes joints before a tick's physics. Each of `movers` may grab one of `things`. */
export function stepJoints(
  stage: AnyStage,
  draw: Draw,
  movers: readonly Entity[],
  things: readonly Entity[],
): void {
  for (const kind of JOINTS) {
    for (const joint of stage.joints.all(kind).slice()) stepJoint(stage, joint, draw);
  }
  const chance = draw(0x1001);
  if (chance % 3 !== 0 || stage.joints.count >= JOINTS_LIVE_MAX) return;
  if (chance % 8 === 1) coupleNewest(stage, 10 + (chance >>> 20) % 60);
  const mover = movers[(chance >>> 4) % movers.length]!;
  const kind = JOINTS[(chance >>> 8) % JOINTS.length]!;
  const near = things.filter((thing) =>
    Math.abs(thing.x - mover.x) + Math.abs(thing.y - mover.y) < GRAB_DISTANCE_MAX
  );
  const thing = near[(chance >>> 16) % near.length];
  if (thing !== undefined) grab(stage, kind, mover, thing, 10 + (chance >>> 20) % 60);
}

/**
 * Joins entities that have just touched, after a tick's physics: in the middle of a tick and of a
 * contact.
 */
export function joinTouching(stage: AnyStage, draw: Draw): void {
  for (const { a, b, began } of stage.contactEvents) {
    const chance = draw(0x4000 + a.id * 64 + b.id);
    if (!began || a === stage.ground || stage.joints.count >= JOINTS_LIVE_MAX || chance % 5 !== 0) {
      continue;
    }
    grab(stage, JOINTS[(chance >>> 8) % JOINTS.length]!, a, b, 5 + (chance >>> 16) % 20);
  }
}

/** Couples the two newest pins by a gear. More gears on one pin contradict each other. */
function coupleNewest({ joints }: AnyStage, leftTicks: number): void {
  const isFree = (pin: Joint) =>
    !joints.all(COG).some(({ joints: coupled }) => coupled!.includes(pin));
  const [second, first] = joints.all(PIN).filter((pin) => isDynamic(pin.b) && isFree(pin))
    .slice(-2).reverse();
  if (first === undefined || second === undefined || first.b === second.b) return;
  joints.addGear(COG, first, second, { fields: { leftTicks } });
}

/** Whether it is so now: some things change their type. */
function isDynamic({ archetype: { body }, mass }: Entity): boolean {
  return body !== undefined && mass > 0;
}

function grab(stage: AnyStage, kind: AnyJointDef, a: Entity, b: Entity, leftTicks: number): void {
  const { joints } = stage;
  const x = (a.x + b.x) / 2;
  const y = (a.y + b.y) / 2;
  const fields = { leftTicks };

  // No joint moves two that are not dynamic, and a mouse joint moves its b.
  if (!isDynamic(b) && (kind === DRAG || !isDynamic(a))) return;
  if (kind.type === "gear") return;
  if (kind.type === "filter") {
    joints.addFilter(kind, a, b, { fields });
    return;
  }
  if (
    joints.of(a).length >= JOINTS_PER_ENTITY_MAX || joints.of(b).length >= JOINTS_PER_ENTITY_MAX
  ) return;

  if (kind.type === "rope" || kind.type === "distance") {
    const by = b.y + 0.1;
    if (Math.abs(b.x - a.x) + Math.abs(by - a.y) < 0.1) return; // the stage refuses so short a joint
    joints.add(kind, a, b, { x: a.x, y: a.y, bx: b.x, by, fields });
  } else if (kind.type === "pulley") {
    const groundA = { x: a.x, y: a.y + 3 };
    const groundB = { x: b.x + 0.5, y: b.y + 3 };
    joints.add(kind, a, b, { x: a.x, y: a.y, bx: b.x, by: b.y, groundA, groundB, fields });
  } else if (kind.type === "prismatic" || kind.type === "wheel") {
    joints.add(kind, a, b, { x, y, axis: { x: 0.6, y: 0.8 }, fields });
  } else joints.add(kind, a, b, { x, y, fields });
}

function stepJoint(stage: AnyStage, joint: Joint<{ leftTicks: "u16" }>, draw: Draw): void {
  const { joints } = stage;
  const chance = draw(0x2000 + joint.id);
  if (joints.get(joint.id) !== joint) return; // a gear that ended with its joint
  if (joint.fields.leftTicks > 0 && --joint.fields.leftTicks === 0) joints.remove(joint);
  else if (chance % 13 !== 0) return;
  else if (CHANGING_JOINTS.some((kind) => kind === joint.definition)) return;
  else if (joint.definition === LEVER || joint.definition === LIFT || joint.definition === STRUT) {
    drive(stage, joint, chance);
  } else if (joint.definition === CLAMP) joints.setLimits(joint, { on: chance % 2 === 0 });
  else if (joint.definition.changeable === true && chance % 3 === 0) {
    change(stage, joint, chance >>> 8);
  } else if (joint.definition === DRAG) {
    joints.setTarget(joint, joint.ax + (chance >>> 8) % 3 - 1, 8 + (chance >>> 12) % 6);
  } else if (joint.definition === TOW) {
    joints.setOffset(joint, { x: (chance >>> 8) % 16 - 8, angle: (chance >>> 12) % 8 * 0.3 });
  } else if (joint.length > 1) joints.setLength(joint, joint.length * 0.9);
}

/** Changes the numbers of a changeable joint. */
function change({ joints }: AnyStage, joint: Joint, chance: number): void {
  const { definition } = joint;
  const share = chance % 5 / 4;
  if (definition === LEVER) joints.setLimits(joint, { lower: -0.3 - share, upper: 0.4 + share });
  else if (definition === LIFT) {
    joints.setLimits(joint, { lower: -0.7 - share, upper: 0.9 + share });
  } else if (definition === DRAG || definition === TOW || definition === BRAKE) {
    joints.setStrength(joint, {
      forceMax: 1 + 9 * share,
      ...(definition === DRAG ? {} : { torqueMax: 0.3 * share }),
    });
  }
  if (definition === LEVER || definition === STRUT) {
    joints.setMotor(joint, { torqueMax: 0.2 + 20 * share });
  } else if (definition === LIFT) joints.setMotor(joint, { forceMax: 20 + 60 * share });
  if (joint.frequencyHz > 0) {
    joints.setSpring(joint, { frequencyHz: 2 + 3 * share, dampingRatio: 0.1 + 0.5 * share });
  }
}

function drive(stage: AnyStage, joint: Joint, chance: number): void {
  const { joints } = stage;
  if ((chance >>> 8) % 3 === 0) change(stage, joint, chance >>> 10);
  else if ((chance >>> 8) % 4 === 0 && joint.definition !== STRUT) {
    joints.setLimits(joint, { on: !joint.isLimitEnabled });
  } else {joints.setMotor(joint, {
      on: (chance >>> 8) % 5 !== 0,
      speed: (chance >>> 12) % 9 * 0.7 - 2.8,
    });}
}
