/**
 * Compares the stage's world step with planck's own on equal worlds: random heaps of every shape, with joints, kicks,
 * bullets, sensors and sleep.
 *
 * Both solve by iteration, and the stage has one friction for two points. After eight iterations they are at different
 * distances from the same solution, so here both get enough iterations to converge. The stage skips times of impact
 * of pairs that cannot have one. The test either switches times of impact off in both, or makes every body fast. Nothing
 * bounces, because restitution differs (`restitution_test.ts`).
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { worldManifoldOf, writePlanckManifold } from "../../../../shared/physics/core/manifold_rows.ts";
import { MAX_SLOW_MOTION } from "../../../../shared/physics/core/body_rows.ts";
import { Contacts, isSensor } from "../../../../shared/physics/dynamics/contacts.ts";
import { type BodyRecord, recordOf } from "../../../../shared/physics/stage/entity.ts";
import { compileArchetypes } from "../../../../shared/physics/stage/compiled_archetypes.ts";
import { normalOf } from "../../../../shared/physics/collision/contact_normal.ts";
import type { ContactFilter } from "../../../../shared/physics/dynamics/contact_filter.ts";
import {
  createWorld,
  type PlanckBody,
  type PlanckContact,
  type PlanckWorld,
  updateByPlanck,
} from "../../../../shared/physics/planck/planck.ts";
import { EntityTable } from "../../../../shared/physics/stage/entity_table.ts";
import { archetype, type FixtureDef, type StageDef } from "../../../../shared/physics/core/types.ts";
import { EARLIER_STEP, WorldStep } from "../../../../shared/physics/dynamics/world_step.ts";
import { Random } from "../../../../shared/random.ts";
import { DistanceJoint, PrismaticJoint, RevoluteJoint, RopeJoint, WeldJoint } from "planck";

const STEP_S = 1 / 40;
const GRAVITY = 14;

const solid = (fixture: FixtureDef): FixtureDef => ({ friction: 0.5, ...fixture });
const ARCHETYPES = [
  archetype({ name: "box", body: { fixtures: [solid({ shape: { box: [0.4, 0.3] } })] }, fields: {} }),
  archetype({ name: "ball", body: { fixtures: [solid({ shape: { circle: 0.4 } })] }, fields: {} }),
  archetype({
    name: "wedge",
    body: { fixtures: [solid({ shape: { polygon: [[-0.5, -0.3], [0.6, -0.2], [0, 0.5]] }, friction: 0.05 })] },
    fields: {},
  }),
  archetype({
    name: "dumbbell",
    body: {
      fixtures: [{ shape: { circle: 0.3, x: -0.5 } }, { shape: { circle: 0.2, x: 0.6 } }, {
        shape: { box: [0.5, 0.05] },
        density: 2,
      }],
      angularDamping: 0.3,
      linearDamping: 0.1,
    },
    fields: {},
  }),
  archetype({
    name: "rider",
    body: { fixtures: [{ shape: { circle: 0.5 }, friction: 0.1 }], fixedRotation: true, gravityScale: 0.5 },
    fields: {},
  }),
  archetype({
    name: "bullet",
    body: { fixtures: [{ shape: { circle: 0.1 } }], bullet: true, gravityScale: 0.2 },
    fields: {},
  }),
  archetype({
    name: "cloud",
    body: { fixtures: [{ shape: { box: [1, 0.5] }, sensor: true }], gravityScale: 0.02 },
    fields: {},
  }),
];

const DEF: StageDef = {
  gravity: GRAVITY,
  tickHz: 20,
  substeps: 2,
  ground: [
    { shape: { box: [12, 0.5], y: -0.5 } },
    { shape: { box: [0.5, 8], x: -8, y: 8 } },
    { shape: { box: [0.5, 8], x: 8, y: 8 } },
    { shape: { box: [2, 0.2], x: -3, y: 2, angle: 0.4 } },
    { shape: { edge: [1, 1.5, 5, 2.5] } },
    { shape: { edge: [-8, 14, 8, 14] } },
  ],
  archetypes: ARCHETYPES,
  fields: {},
};

const FILTER: ContactFilter = {
  restitution: () => -1,
  shouldCollide: (a, b) => {
    const idA = recordOf(a).id, idB = recordOf(b).id;
    return idA === 0 || idB === 0 || (idA + idB) % 7 !== 0;
  },
  landsOn: () => true,
};

/** Members of planck's world that neither its declarations nor the project's types have. */
interface StockWorld {
  step(seconds: number, velocityIterations: number, positionIterations: number): void;
  createJoint(joint: object): unknown;
  m_continuousPhysics: boolean;
}

/** One world with a heap of bodies, a function of its seed. */
class Yard {
  readonly world: PlanckWorld = createWorld(GRAVITY);
  readonly contacts = new Contacts(this.world, FILTER, () => {});
  readonly #entities = new EntityTable(this.world, this.contacts.broadPhase, compileArchetypes(DEF));
  readonly #random: Random;
  #nextId = 1;

  constructor(seed: number, { continuous, joints }: { continuous: boolean; joints: boolean }) {
    this.#random = new Random(seed);
    this.world.m_newFixture = false;
    this.stock.m_continuousPhysics = continuous;
    for (let i = 0; i < 24; i++) this.#spawn(i % ARCHETYPES.length);
    for (let i = 0; i < 4; i++) this.#put(0, { x: 6, y: 0.3 + i * 0.61, angle: 0 });
    if (joints) this.#addJoints();
  }

  get stock(): StockWorld {
    return this.world as unknown as StockWorld;
  }

  get bodies(): readonly PlanckBody[] {
    return this.#entities.bodies.map((record) => record.body);
  }

  /** Acts as a game's rules: kicks bodies, and now and then removes or spawns one. */
  disturb(tick: number): void {
    const random = this.#random, { bodies: records } = this.#entities;
    // Long quiet spells let the heap come to rest.
    if (tick % 200 > 60) return;
    const one = records[random.below(records.length)]!;
    if (tick % 5 === 0) this.#kick(one);
    if (tick % 40 === 7 && this.world.m_jointList === null) this.#entities.remove(one);
    if (tick % 40 === 7) this.#spawn(random.below(ARCHETYPES.length));
  }

  #kick({ body }: BodyRecord): void {
    const random = this.#random;
    body.setAwake(true);
    body.m_linearVelocity.x = (random.fraction() - 0.5) * 20;
    body.m_linearVelocity.y = (random.fraction() - 0.3) * 20;
    body.m_angularVelocity = (random.fraction() - 0.5) * 20;
  }

  #spawn(index: number): void {
    const random = this.#random;
    this.#put(index, { x: random.fraction() * 12 - 6, y: 1 + random.fraction() * 10, angle: random.fraction() * 6 });
  }

  #put(index: number, { x, y, angle }: { x: number; y: number; angle: number }): void {
    const record = this.#entities.add(this.#entities.archetypes[index + 1]!, this.#nextId++);
    this.#entities.setMotion(record, { x, y, angle });
    this.world.m_newFixture = true;
  }

  #addJoints(): void {
    // planck's joints take planck's own type of bodies.
    // deno-lint-ignore no-explicit-any
    const [a, b, c, d, e, f, g] = this.bodies as any[];
    const ground = this.#entities.ground.body as never;
    const at = (body: { getPosition(): { x: number; y: number } }) => body.getPosition();
    const joints = [
      new RevoluteJoint({ enableLimit: true, lowerAngle: -1, upperAngle: 1 }, a, b, at(a)),
      new DistanceJoint({ frequencyHz: 3, dampingRatio: 0.3 }, c, d, at(c), at(d)),
      new WeldJoint({}, e, f, at(f)),
      new RopeJoint({ maxLength: 3 }, ground, g, at(g)),
      new PrismaticJoint({ enableMotor: true, motorSpeed: 1, maxMotorForce: 50 }, ground, a, at(a), { x: 0, y: 1 }),
    ];
    for (const joint of joints) this.stock.createJoint(joint);
  }
}

/** The contacts in their order. */
function* contactsOf({ contacts }: Yard): Generator<PlanckContact> {
  for (let contact = contacts.first; contact !== null; contact = contact.m_next) yield contact;
}

/** Prepares a step by planck's own code, on its own manifolds and with its own narrow-phase and sub-steps. */
function prepareForPlanck(yard: Yard): void {
  // `WorldStep` has put its own in front of the class's.
  delete (yard.world.m_solver as { solveIslandTOI?: unknown }).solveIslandTOI;
  for (const contact of contactsOf(yard)) {
    writePlanckManifold(contact);
    contact.update = updateByPlanck;
  }
}

/** @returns the touching contacts with the features of their points */
function touchingOf(yard: Yard): string[] {
  const touching: string[] = [];
  for (const contact of contactsOf(yard)) {
    if (!contact.m_touchingFlag) continue;
    const { m_manifold: { pointCount, points }, lowKey, highKey } = contact;
    const features = points.slice(0, pointCount).map(({ id }) => id.key).sort();
    touching.push(`${lowKey} ${highKey}: ${features}`);
  }
  return touching;
}

/** @returns the difference of two velocities, m/s */
function differenceOf({ m_linearVelocity: v }: PlanckBody, { m_linearVelocity: w }: PlanckBody): number {
  return Math.abs(v.x - w.x) + Math.abs(v.y - w.y);
}

interface Heap {
  readonly seed: number;
  readonly continuous: boolean;
  readonly joints: boolean;
}

/** Enough for nearly all bodies to converge within one step. A game has eight. */
const ITERATIONS = 400;
/** One step in `SAMPLE_TICKS` is compared, in the first `HEAP_TICKS` of a heap. */
const SAMPLE_TICKS = 21, HEAP_TICKS = 400;

interface Comparison {
  /** Differences of velocity, m/s: one per body and compared step, ascending. */
  readonly differences: number[];
  /** Steps after which the touching contacts or their features differed. */
  touchingMismatches: number;
  contacts: number;
  slept: number;
  /** Contacts with a time of impact in a compared step. */
  impacts: number;
}

function compare({ seed, ...options }: Heap, into: Comparison): void {
  for (let ticks = 5; ticks < HEAP_TICKS; ticks += SAMPLE_TICKS) {
    const ours = new Yard(seed, options), theirs = new Yard(seed, options);
    const ourStep = advanced(ours, ticks);
    advanced(theirs, ticks);
    // All bodies are fast, so the stage skips no time of impact.
    if (options.continuous) { for (const { values, offset } of ours.bodies) values[offset + MAX_SLOW_MOTION] = -1; }
    ours.world.s_step.velocityIterations = ITERATIONS;
    ourStep.step(EARLIER_STEP);
    prepareForPlanck(theirs);
    theirs.stock.step(STEP_S, ITERATIONS, 3);
    for (const contact of contactsOf(ours)) writePlanckManifold(contact);
    const touching = touchingOf(ours);
    into.contacts += touching.length;
    if (touching.join() !== touchingOf(theirs).join()) into.touchingMismatches++;
    ours.bodies.forEach((body, i) => {
      into.differences.push(differenceOf(body, theirs.bodies[i]!));
      if (!body.m_awakeFlag) into.slept++;
    });
    for (const contact of contactsOf(theirs)) {
      if (contact.m_toiCount > 0) into.impacts++;
    }
  }
}

/** Advances the yard by the stage's steps, and disturbs it once more. @returns its world step */
function advanced(yard: Yard, ticks: number): WorldStep {
  const step = new WorldStep(yard.world, yard.contacts, STEP_S);
  for (let tick = 0; tick < ticks; tick++) {
    yard.disturb(tick);
    step.step(EARLIER_STEP);
  }
  yard.disturb(ticks);
  return step;
}

for (const continuous of [false, true]) {
  for (const joints of [false, true]) {
    const what = `${continuous ? "with" : "without"} times of impact, ${joints ? "with" : "without"} joints`;
    Deno.test(`WorldStep.step: has the result of planck's own step, ${what} (SPEC 9.13)`, () => {
      const seen: Comparison = { differences: [], touchingMismatches: 0, contacts: 0, slept: 0, impacts: 0 };
      for (const seed of [1, 2]) compare({ seed, continuous, joints }, seen);
      const { differences, touchingMismatches, contacts, slept, impacts } = seen;
      differences.sort((a, b) => a - b);
      const within = (metresPerS: number) =>
        differences.findLastIndex((each) => each <= metresPerS) / differences.length;
      assert(
        within(1e-12) > 0.85 && within(1e-4) > 0.97,
        `${within(1e-12)} and ${within(1e-4)} are where planck has them`,
      );
      assertLess(differences.at(-1)!, 0.5);
      assertEquals(touchingMismatches, 0);
      assert(contacts > 1_000 && slept > 100, `${contacts} contacts, ${slept} sleeping bodies`);
      if (continuous) assert(impacts > 10, `${impacts} impacts`);
    });
  }
}

Deno.test("normalOf: is planck's own normal for every type of manifold", () => {
  const yard = new Yard(5, { continuous: true, joints: false }),
    step = new WorldStep(yard.world, yard.contacts, STEP_S);
  const seen = [0, 0, 0];
  for (let tick = 0; tick < 300; tick++) {
    yard.disturb(tick);
    step.step(EARLIER_STEP);
    for (const contact of contactsOf(yard)) {
      if (!contact.m_touchingFlag || isSensor(contact)) continue;
      const { x, y } = normalOf(contact), { normal } = worldManifoldOf(contact);
      assertEquals([x, y], [normal.x, normal.y], `tick ${tick}`);
      seen[contact.m_manifold.type]!++;
    }
  }
  assert(seen.every((count) => count > 50), `circles, faces of A, faces of B: ${seen}`);
});
