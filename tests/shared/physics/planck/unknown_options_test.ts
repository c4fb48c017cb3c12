/**
 * Options that a stage does not have, as untyped code and spreads may give them: refused with part
 * and name.
 */
import {
  assert,
  assertEquals,
  assertGreater,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { archetype, jointDef, StageError } from "../../../../shared/physics/core/types.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";
import { allMembers, declarationsIn } from "./declarations.ts";

const FIXTURE = { shape: { circle: 0.5 } };
const BODY = { fixtures: [FIXTURE] };
const VECTOR = { x: 0, y: -1 };
const CRATE = archetype({ name: "crate", body: BODY, fields: {} });
const SHOT = archetype({ name: "shot", projectile: { radius: 0, lifeTicks: 9 }, fields: {} });
const HINGE = jointDef({
  name: "hinge",
  type: "revolute",
  limits: { lower: -1, upper: 1 },
  motor: { speed: 1, torqueMax: 1 },
  changeable: true,
  fields: {},
});
const ROD = jointDef({
  name: "rod",
  type: "distance",
  spring: { frequencyHz: 5, dampingRatio: 0.5 },
  changeable: true,
  fields: {},
});
const DRIVE = jointDef({
  name: "drive",
  type: "motor",
  forceMax: 1,
  torqueMax: 1,
  changeable: true,
  fields: {},
});
const GEAR = jointDef({ name: "gear", type: "gear", fields: {} });
const DEF = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [FIXTURE],
  archetypes: [CRATE, SHOT],
  joints: [HINGE, ROD, DRIVE, GEAR],
  fields: {},
};

/** An option as untyped code gives it. */
type Extra = Readonly<Record<string, unknown>>;

function declare(changed: Extra): Stage {
  return new Stage({ ...DEF, ...changed } as typeof DEF);
}

const declareArchetype = (one: Extra) => declare({ archetypes: [{ ...CRATE, ...one }] });
const declareBody = (body: Extra) => declareArchetype({ body: { ...BODY, ...body } });
const declareJoint = (one: Extra) => declare({ joints: [{ ...HINGE, ...one }] });

/** Each part of a declaration, by its name in errors: it declares a stage with one option more. */
const PARTS: Readonly<Record<string, (extra: Extra) => unknown>> = {
  "the stage": declare,
  gravity: (extra) => declare({ gravity: { ...VECTOR, ...extra } }),
  "ground's fixture 0": (extra) => declare({ ground: [{ ...FIXTURE, ...extra }] }),
  "archetype crate": declareArchetype,
  "crate's body": declareBody,
  "crate's fixture 1": (extra) => declareBody({ fixtures: [FIXTURE, { ...FIXTURE, ...extra }] }),
  "crate's circle": (extra) =>
    declareBody({ fixtures: [{ shape: { ...FIXTURE.shape, ...extra } }] }),
  "crate.oneWay": (extra) =>
    declareBody({ fixtures: [{ ...FIXTURE, oneWay: { ...VECTOR, ...extra } }] }),
  "shot's projectile": (extra) =>
    declare({ archetypes: [{ ...SHOT, projectile: { ...SHOT.projectile, ...extra } }] }),
  "joint hinge": declareJoint,
  "joint hinge.limits": (extra) => declareJoint({ limits: { lower: 0, upper: 1, ...extra } }),
  "joint hinge.motor": (extra) => declareJoint({ motor: { speed: 0, torqueMax: 1, ...extra } }),
  "joint rod.spring": (extra) =>
    declare({
      joints: [{ ...ROD, spring: { ...(ROD as typeof ROD & Extra).spring as Extra, ...extra } }],
    }),
  "the options of a stage": (extra) => new Stage(DEF, extra),
};

/** Calls of a stage with two crates and all joints, by the name of the call's owner in errors. */
function callsOf(stage: Stage): Readonly<Record<string, (extra: Extra) => unknown>> {
  const { queries, joints } = stage;
  const at = (x: number) => stage.spawn(CRATE, { x, y: 5 });
  const [a, b, c] = [at(0), at(2), at(4)] as [Entity, Entity, Entity];
  const place = { x: 1, y: 5 };
  const hinge = joints.add(HINGE, stage.ground, a, place);
  const second = joints.add(HINGE, stage.ground, b, place);
  const rod = joints.add(ROD, b, c, { ...place, bx: 4, by: 5 });
  const drive = joints.add(DRIVE, a, c, place);
  return {
    "entity 8 crate": (extra) => stage.spawn(CRATE, { x: 9, y: 5, ...extra }),
    "joint 8 hinge": (extra) => joints.add(HINGE, a, b, { ...place, ...extra }),
    "joint 8 gear": (extra) => joints.addGear(GEAR, hinge, second, extra),
    [`joint ${hinge.id} hinge`]: (extra) => joints.setMotor(hinge, { on: true, ...extra }),
    [`joint ${second.id} hinge`]: (extra) => joints.setLimits(second, { on: true, ...extra }),
    [`joint ${rod.id} rod`]: (extra) => joints.setSpring(rod, { dampingRatio: 1, ...extra }),
    [`joint ${drive.id} drive`]: (extra) => joints.setStrength(drive, { forceMax: 2, ...extra }),
    "joint 7 drive": (extra) => joints.setOffset(drive, { x: 1, ...extra }),
    "the filter of a query": (extra) => queries.rayCast(place, VECTOR, { mask: 1, ...extra }),
    "the shape of a query": (extra) => queries.overlap({ circle: 1, ...extra }, place),
  };
}

Deno.test("declaration: an option that a part does not have is refused with both names (SPEC 9.59)", () => {
  declare({});
  for (const [part, plant] of Object.entries(PARTS)) {
    plant({});
    for (
      const name of [
        "restituton",
        "isSensor",
        "fixedRotations",
        "userData",
        "constructor",
        "toString",
        "",
      ]
    ) {
      assertThrows(() => plant({ [name]: undefined }), StageError, `${part} has no "${name}"`);
    }
  }
});

Deno.test("declaration: the error lists the options that the part has (SPEC 9.59)", () => {
  const { message } = assertThrows(
    () => declareBody({ fixtures: [{ ...FIXTURE, isSensor: true }] }),
    StageError,
  );
  assertStringIncludes(
    message,
    "it may have shape, density, friction, restitution, surfaceSpeed, rollingResistance, sensor, swept, enabled, oneWay, tag",
  );
  const joint = assertThrows(() => declareJoint({ lowerAngle: 0 }), StageError).message;
  assertStringIncludes(
    joint,
    "it may have name, type, fields, collide, breakForce, changeable, limits, motor, spring, breakTorque;",
  );
});

Deno.test("calls: an option that they do not have is refused with both names (SPEC 9.59)", () => {
  const stage = declare({});
  const calls = callsOf(stage);
  const { entityCount, joints: { count } } = stage;
  for (const [owner, call] of Object.entries(calls)) {
    for (const name of ["Speed", "angularVelocity", "constructor"]) {
      assertThrows(
        () => call({ [name]: 1 }),
        StageError,
        `${owner} has no "${name}"; it may have `,
      );
    }
  }
  assertEquals([stage.entityCount, stage.joints.count], [entityCount, count]);
  for (const call of Object.values(calls)) call({});
  assert(stage.entityCount > entityCount);
});

Deno.test("declaration: every option of planck that has another name here is refused (SPEC 9.59)", async () => {
  const planck = declarationsIn(
    await Deno.readTextFile(
      new URL(import.meta.resolve("../../../../node_modules/planck/dist/planck.d.ts")),
    ),
  );
  const own = declarationsIn(
    await Deno.readTextFile(new URL("../../../../shared/physics/core/types.ts", import.meta.url)),
  );
  const parts = [["WorldDef", "StageDef", "the stage"], [
    "BodyDef",
    "BodyDef",
    "crate's body",
  ]] as const;
  let refused = 0;

  for (
    const [theirs, ours, part] of [
      ...parts,
      ["FixtureDef", "FixtureDef", "crate's fixture 1"] as const,
    ]
  ) {
    const known = allMembers(own, ours);
    for (const name of allMembers(planck, theirs).difference(known)) {
      assertThrows(() => PARTS[part]!({ [name]: 1 }), StageError, `${part} has no "${name}"`);
      refused++;
    }
  }

  for (const joint of [...planck.keys()].filter((name) => /JointDef$/.test(name))) {
    for (const name of allMembers(planck, joint)) {
      if (name === "ratio" || name === "correctionFactor") continue;
      assertThrows(() => declareJoint({ [name]: 1 }), StageError, `joint hinge has no "${name}"`);
      refused++;
    }
  }

  assertGreater(refused, 80);
});
