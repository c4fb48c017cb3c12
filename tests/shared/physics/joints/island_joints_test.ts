/**
 * Compares the stage's solvers of joints with planck's own, bit by bit: random bodies, joints of
 * every type, kicks, motors, limits and lengths that change. Two equal worlds differ only in who
 * solves their joints.
 */
import { FEATURES } from "../scenes/features.ts";
import { assert, assertEquals } from "@std/assert";
import { type MirrorJoint, PlanckJoints } from "../scenes/planck_joints.ts";
import { PlanckMirror } from "../scenes/planck_mirror.ts";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { archetype, type JointDef, type StageDef } from "../../../../shared/physics/core/types.ts";
import { Contacts } from "../../../../shared/physics/dynamics/contacts.ts";
import { World } from "../../../../shared/physics/dynamics/world.ts";
import { EARLIER_STEP, WorldStep } from "../../../../shared/physics/dynamics/world_step.ts";
import { compileJoints } from "../../../../shared/physics/joints/compiled_joints.ts";
import { JOINT_FORMS } from "../../../../shared/physics/joints/joint_forms.ts";
import type { JointRecord } from "../../../../shared/physics/joints/joint.ts";
import {
  JointFlag,
  JointInt,
  JointValue,
  LimitSide,
} from "../../../../shared/physics/joints/joint_rows.ts";
import {
  AXIS_X,
  AXIS_Y,
  computeSlide,
  D_X,
  D_Y,
} from "../../../../shared/physics/joints/solvers/slide_axis.ts";
import { solverScratch } from "../../../../shared/physics/dynamics/solver_scratch.ts";
import { JointTable } from "../../../../shared/physics/joints/joint_table.ts";
import { compileStage } from "../../../../shared/physics/stage/compiled_archetypes.ts";
import type { BodyRecord } from "../../../../shared/physics/stage/entity.ts";
import { EntityTable } from "../../../../shared/physics/stage/entity_table.ts";
import { Random } from "../../../../shared/random.ts";

const fields = {} as const;
const ARCHETYPES = [
  archetype({ name: "box", body: { fixtures: [{ shape: { box: [0.4, 0.2] } }] }, fields }),
  archetype({
    name: "dumbbell",
    body: {
      fixtures: [{ shape: { circle: 0.3, x: -0.5 } }, { shape: { circle: 0.2, x: 0.6, y: 0.2 } }],
    },
    fields,
  }),
  archetype({
    name: "rider",
    body: { fixtures: [{ shape: { circle: 0.3 } }], fixedRotation: true },
    fields,
  }),
  archetype({
    name: "mill",
    body: { fixtures: [{ shape: { box: [0.5, 0.1] } }], path: () => ({ x: 0, y: 0, angle: 0 }) },
    fields,
  }),
];

/** Each step sets them anew. */
const LOOSE = { lower: -0.6, upper: 0.5 };
const EQUAL = { lower: 0.002, upper: 0.004 };
/** planck moves a rail with equal limits to 0, and not to them. */
const EQUAL_FROM_0 = { lower: 0, upper: 0.002 };
const KINDS: readonly JointDef<Record<never, never>>[] = [
  { name: "pin", type: "revolute", collide: true, fields },
  { name: "elbow", type: "revolute", limits: LOOSE, fields },
  { name: "clamp", type: "revolute", limits: EQUAL, fields },
  { name: "wheel", type: "revolute", motor: { speed: 5, torqueMax: 3 }, fields },
  { name: "lever", type: "revolute", limits: LOOSE, motor: { speed: -2, torqueMax: 40 }, fields },
  { name: "slide", type: "prismatic", fields },
  { name: "drawer", type: "prismatic", limits: LOOSE, fields },
  { name: "bolt", type: "prismatic", limits: EQUAL_FROM_0, fields },
  { name: "lift", type: "prismatic", limits: LOOSE, motor: { speed: 2, forceMax: 30 }, fields },
  { name: "rod", type: "distance", fields },
  { name: "spring", type: "distance", spring: { frequencyHz: 4, dampingRatio: 0.3 }, fields },
  { name: "rope", type: "rope", collide: true, fields },
  { name: "weld", type: "weld", fields },
  { name: "bendy", type: "weld", spring: { frequencyHz: 5, dampingRatio: 0.2 }, fields },
  { name: "skid", type: "wheel", fields },
  { name: "strut", type: "wheel", spring: { frequencyHz: 4, dampingRatio: 0.5 }, fields },
  {
    name: "drive",
    type: "wheel",
    spring: { frequencyHz: 6, dampingRatio: 0.1 },
    motor: { speed: 6, torqueMax: 5 },
    fields,
  },
  { name: "mouse", type: "mouse", forceMax: 60, fields },
  { name: "motor", type: "motor", forceMax: 20, torqueMax: 3, fields },
  { name: "brake", type: "friction", forceMax: 6, torqueMax: 2, collide: true, fields },
  { name: "pulley", type: "pulley", ratio: 1.5, fields },
  { name: "gear", type: "gear", ratio: -1.7, fields },
];
const GEARS_MAX = 4;
/** Where no step comes, however wildly joints that contradict each other throw their bodies. */
const FAR = Infinity;

const DEF: StageDef = {
  gravity: 10,
  tickHz: 60,
  substeps: 1,
  features: FEATURES,
  ground: [{ shape: { box: [20, 0.5], y: -0.5 } }],
  archetypes: ARCHETYPES,
  joints: KINDS,
  fields: {},
};
const BODIES = 14;
const JOINTS = 16;
/** Metres. Joints that contradict each other throw bodies so far, and then a run ends. */
const DISTANCE_MAX = 1000;

/** One world with bodies at random poses, a function of its seed. */
class Yard {
  readonly #compiled = compileStage(DEF);
  readonly world = new World({
    gravity: DEF.gravity,
    stepS: 1 / DEF.tickHz,
    shapes: this.#compiled.shapes,
  });
  readonly contacts = new Contacts(this.world, {
    isAlwaysSolid: true,
    friction: () => -1,
    restitution: () => -1,
    shouldCollide: () => true,
    landsOn: () => true,
  });
  readonly entities = new EntityTable(this.world, this.contacts, this.#compiled.archetypes);

  constructor(seed: number) {
    const random = new Random(seed);
    for (let id = 1; id <= BODIES; id++) {
      const record = this.entities.add(
        this.entities.archetypes[1 + random.below(ARCHETYPES.length)]!,
        id,
      );
      const x = random.fraction() * 8 - 4, y = random.fraction() * 6 + 0.3;
      this.entities.setMotion(record, {
        x,
        y,
        angle: random.fraction() - 0.5,
        vx: random.fraction() * 4 - 2,
        vy: random.fraction() * 4 - 2,
        spin: random.fraction() * 8 - 4,
      });
    }
  }

  /** The ground for 0. */
  body(id: number): BodyRecord {
    return this.entities.get(id) as BodyRecord;
  }
}

/** Two equal worlds with equal joints. */
class Pair {
  readonly ours: Yard;
  readonly theirs: Yard;
  readonly table: JointTable;
  /** Joint by joint, those of planck in `theirs`. */
  readonly planckJoints: MirrorJoint[] = [];
  /** By joint: the limit that it is beyond from now on. */
  readonly #sides: LimitSide[] = [];
  readonly #ourStep: WorldStep;
  readonly #theirStep: WorldStep;
  readonly #random: Random;

  constructor(seed: number) {
    this.ours = new Yard(seed);
    this.theirs = new Yard(seed);
    this.#random = new Random(seed + 1000);
    const { world, contacts } = this.ours;
    const mirror = new PlanckMirror(this.theirs, { continuous: false });
    const planckJoints = new PlanckJoints(this.theirs.world, (row) => mirror.bodyOf(row));
    this.table = new JointTable(world, contacts, compileJoints(DEF, JOINT_FORMS));
    for (let i = 0; i < JOINTS; i++) {
      this.planckJoints.push(planckJoints.add(this.#addRandom(BODIES + 1 + i)));
    }
    for (const gear of this.#addGears()) this.planckJoints.push(planckJoints.add(gear));
    this.#ourStep = new WorldStep(world, contacts);
    this.#theirStep = new WorldStep(this.theirs.world, this.theirs.contacts);
  }

  #addRandom(id: number): JointRecord {
    const random = this.#random;
    const compiled = this.table.compiledJoints[random.below(KINDS.length - 1)]!;
    let a = 0, b = 0;

    // One of the two must be movable, and b for a mouse.
    const isMouse = compiled.definition.type === "mouse";
    while (a === b || !(this.#isDynamic(a) && !isMouse || this.#isDynamic(b))) {
      a = random.below(BODIES + 1);
      b = random.below(BODIES + 1);
    }
    const record = this.table.add(compiled, id, { a: this.ours.body(a), b: this.ours.body(b) });
    const turn = random.fraction() * 6;
    const values: Record<string, number> = {
      "axis.x": Math.cos(turn),
      "axis.y": Math.sin(turn),
      length: 0.05 + random.fraction() * 3,
      referenceAngle: random.fraction() - 0.5,
      motorSpeed: compiled.motorSpeed,
    };
    for (const anchor of ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"]) {
      values[anchor] = random.fraction() - 0.5;
    }
    for (
      const place of ["target.x", "target.y", "groundA.x", "groundA.y", "groundB.x", "groundB.y"]
    ) {
      values[place] = random.fraction() * 6 - 3;
    }

    // planck's motor joint holds b's origin.
    if (compiled.definition.type === "motor") values["anchorB.x"] = values["anchorB.y"] = 0;
    if (compiled.definition.type === "pulley") values["length"]! *= 3;
    compiled.form.names.forEach((name, i) => record.rows.values[record.at + i] = values[name] ?? 0);
    record.setFlag(JointFlag.LIMIT_ON, compiled.hasLimits);
    record.setFlag(JointFlag.MOTOR_ON, compiled.hasMotor && !compiled.hasLimits);
    return record;
  }

  /**
   * Couples joints. A body that moves is in only one of the two: planck stores the second change of
   * a body over the first one.
   */
  #addGears(): JointRecord[] {
    const { all, compiledJoints } = this.table;
    const gears: JointRecord[] = [];
    const compiled = compiledJoints.at(-1)!;
    const joints = all.filter(({ compiled: { definition: { type } }, b }) =>
      (type === "revolute" || type === "prismatic") && b.isDynamic
    );

    for (let i = 0; i + 1 < joints.length && gears.length < GEARS_MAX; i++) {
      const first = joints[i]!;
      const second = joints[i + 1]!;
      const moving = [first.a, first.b, second.a, second.b].filter(({ isDynamic }) => isDynamic);
      if (new Set(moving).size < moving.length) continue;
      const id = BODIES + 1 + JOINTS + gears.length;
      const gear = this.table.add(compiled, id, {
        a: first.b,
        b: second.b,
        geared: [first, second],
      });
      gear.rows.values[gear.at] = this.#random.fraction() - 0.5;
      gears.push(gear);
    }

    return gears;
  }

  #isDynamic(id: number): boolean {
    return this.ours.body(id).isDynamic;
  }

  /** Whether all bodies are still near. */
  get isCalm(): boolean {
    return this.ours.entities.bodies.every(({ x, y }) => Math.abs(x) + Math.abs(y) < DISTANCE_MAX);
  }

  /** Disturbs both worlds equally, and steps them. */
  step(): void {
    const random = this.#random;
    const index = random.below(JOINTS);
    const record = this.table.all[index]!;
    const id = random.below(BODIES);
    const vx = random.fraction() * 6 - 3;
    const vy = random.fraction() * 6 - 3;
    const on = random.below(2) === 0;
    if (random.below(6) === 0) {
      for (const yard of [this.ours, this.theirs]) {
        yard.entities.setVelocity(yard.body(id + 1), vx, vy);
      }
    }
    if (random.below(2) === 0) switchOn(record, this.planckJoints[index]!, on);
    this.#sides[random.below(JOINTS)] = random.below(LimitSide.UPPER + 1);
    this.planckJoints.forEach((joint, i) => this.#setLimits(i, joint, random.fraction() / 10));
    this.#ourStep.step(EARLIER_STEP);
    this.#theirStep.step(EARLIER_STEP);
  }

  /**
   * Sets the limits of a loose joint so that it is a little beyond one of them and far from the
   * other one, or far from both. Then the step reaches none that it was not at, and acts as
   * planck's: limits that are reached are not planck's (SPEC 9.42).
   */
  #setLimits(index: number, planckJoint: MirrorJoint, beyond: number): void {
    const { compiled: { definition }, rows: { values }, at } = this.table.all[index]!;
    if (!("limits" in definition) || definition.limits !== LOOSE) return;
    const now = this.#coordinateOf(index);
    const side = this.#sides[index] ?? LimitSide.FREE;
    const lower = side === LimitSide.LOWER ? now + beyond : -FAR;
    const upper = side === LimitSide.UPPER ? now - beyond : FAR;
    values[at + JointValue.LOWER] = lower;
    values[at + JointValue.UPPER] = upper;
    Object.assign(planckJoint, {
      m_lowerAngle: lower,
      m_upperAngle: upper,
      m_lowerTranslation: lower,
      m_upperTranslation: upper,
    });
  }

  /** The present angle or translation of a joint. */
  #coordinateOf(index: number): number {
    const { compiled: { definition: { type }, form }, rows: { values }, at, a, b } = this.table
      .all[index]!;
    const { values: bodies } = this.ours.world.bodies;
    if (type === "revolute") {
      const angle = bodies[b.offset + Body.ANGLE]! - bodies[a.offset + Body.ANGLE]!;
      return angle - values[at + form.referenceAt]!;
    }
    solverScratch.bodies = bodies;
    computeSlide(values, at, at + form.names.indexOf("axis.x"), a.offset, b.offset);
    return values[at + AXIS_X]! * values[at + D_X]! + values[at + AXIS_Y]! * values[at + D_Y]!;
  }

  /** @returns the numbers of all bodies and the lasting values of all joints, ours and theirs */
  numbers(): [number[], number[]] {
    const ours: number[] = [];
    const theirs: number[] = [];

    for (let id = 0; id <= BODIES; id++) {
      const ourBody = this.ours.body(id);
      const theirBody = this.theirs.body(id);
      ours.push(...ourBody.values.subarray(ourBody.offset, ourBody.offset + Body.STRIDE));
      theirs.push(...theirBody.values.subarray(theirBody.offset, theirBody.offset + Body.STRIDE));
    }

    this.table.all.forEach((record, i) => {
      const { rows: { values, ints }, at, intsAt, compiled: { form } } = record;
      const names = form.names.filter((name) => PLANCK_VALUES[name] !== undefined);
      ours.push(
        ...names.map((name) => values[at + form.names.indexOf(name)]!),
        form.driven && ints[intsAt + JointInt.LIMIT_SIDE] !== LimitSide.OFF
          ? ints[intsAt + JointInt.LIMIT_SIDE]!
          : 0,
      );
      theirs.push(...names.map((name) => PLANCK_VALUES[name]!(this.planckJoints[i]!)));
      theirs.push(this.planckJoints[i]!.m_limitState ?? 0);
    });
    return [ours, theirs];
  }
}

/** The values that the solvers change, as planck has them. */
const PLANCK_VALUES: Readonly<Record<string, (joint: MirrorJoint) => number>> = {
  "impulse.x": ({ m_impulse, m_linearImpulse }) =>
    m_linearImpulse?.x ?? (m_impulse as { x: number }).x,
  "impulse.y": ({ m_impulse, m_linearImpulse }) =>
    m_linearImpulse?.y ?? (m_impulse as { y: number }).y,
  "impulse.z": ({ m_impulse, m_angularImpulse }) =>
    m_angularImpulse ?? (m_impulse as { z: number }).z,
  springImpulse: ({ m_springImpulse }) => m_springImpulse!,
  impulse: ({ m_impulse }) => m_impulse as number,
  motorImpulse: ({ m_motorImpulse }) => m_motorImpulse,
};

/** Switches limits and motor of both joints. Limits that are off have no impulse (9.40). */
function switchOn(record: JointRecord, planckJoint: MirrorJoint, on: boolean): void {
  const { form, hasLimits, hasMotor } = record.compiled;
  if (!form.driven) return;
  record.setFlag(JointFlag.LIMIT_ON, hasLimits && on);
  record.setFlag(JointFlag.MOTOR_ON, hasMotor && !on);
  planckJoint.m_enableLimit = hasLimits && on;
  planckJoint.m_enableMotor = hasMotor && !on;
  if (!hasLimits || on) return;
  record.rows.values[record.at + form.limitImpulseAt] = 0;
  (planckJoint.m_impulse as { z: number }).z = 0;
}

const SEEDS = 48;
const STEPS = 120;

Deno.test("IslandJoints: solves joints of every type with the bits of planck's own (SPEC 9.13, 9.23, 9.42)", () => {
  const solved = new Map(KINDS.map(({ name }) => [name, 0]));
  const sides = [0, 0, 0, 0, 0];
  let steps = 0;

  for (let seed = 1; seed <= SEEDS; seed++) {
    const pair = new Pair(seed);
    for (let step = 1; step <= STEPS && pair.isCalm; step++) {
      steps++;
      pair.step();
      const [ours, theirs] = pair.numbers();
      const differing = ours.findIndex((number, i) =>
        number !== theirs[i] && !Object.is(number, theirs[i])
      );
      assert(
        differing < 0,
        `seed ${seed}, step ${step}, number ${differing}: ${ours[differing]}, ${theirs[differing]}`,
      );
      assertEquals(ours.length, theirs.length);
    }
    for (const { compiled: { definition, form }, rows, intsAt } of pair.table.all) {
      solved.set(definition.name, solved.get(definition.name)! + 1);
      if (form.driven) sides[rows.ints[intsAt + JointInt.LIMIT_SIDE]!]!++;
    }
  }

  assert(steps > SEEDS * STEPS / 2, `${steps} steps`);
  assert([...solved.values()].every((count) => count > 20), `joints by definition: ${[...solved]}`);
  assert(sides.every((count) => count > 10), `free, lower, upper, equal, off: ${sides}`);
});
