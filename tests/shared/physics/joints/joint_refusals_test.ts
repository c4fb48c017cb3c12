/**
 * Joints that a stage refuses at once. The error names the joint and the part that is wrong (SPEC
 * 9.23).
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  type JointDef,
  jointDef,
  type JointPlacement,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import type { JointForm } from "../../../../shared/physics/joints/joint_form.ts";
import { jointsOf } from "../../../../shared/physics/joints/joints_of.ts";
import { REVOLUTE } from "../../../../shared/physics/joints/solvers/revolute.ts";
import { ROPE as ROPES } from "../../../../shared/physics/joints/solvers/rope.ts";
import {
  BLOCK,
  DOOR,
  DRAG,
  HINGE,
  HOIST,
  LIFT,
  ROD,
  ROPE,
  SPARK,
  STRUT,
  WEIGHT,
  WELD,
  WORKSHOP,
  workshop,
} from "../scenes/workshop.ts";

/** Declares a joint as untyped code may do it. */
const declare = (definition: unknown): Stage =>
  new Stage({
    ...WORKSHOP,
    joints: [{ name: "odd", fields: {}, ...definition as object } as JointDef],
  });

Deno.test("StageDef.joints: refuses every other type; the error lists the supported types (SPEC 9.23)", () => {
  for (const type of ["gears", "spring", "constructor", "", undefined]) {
    const listed =
      "has revolute, prismatic, distance, rope, weld, wheel, mouse, motor, friction, pulley, gear";
    assertThrows(
      () => declare({ type }),
      StageError,
      `joint odd is of type "${type}"; the feature joints ${listed}`,
    );
  }
});

Deno.test("jointsOf: a stage may have the listed types of joints, and refuses all others (SPEC 9.30)", () => {
  const stageWith = (types: readonly JointForm[], type: string) =>
    new Stage({
      ...WORKSHOP,
      features: [
        ...WORKSHOP.features!.filter(({ feature }) => feature !== "joints"),
        jointsOf(...types),
      ],
      joints: [{ name: "odd", fields: {}, type } as unknown as JointDef],
    });
  stageWith([REVOLUTE, ROPES], "rope");
  assertThrows(
    () => stageWith([REVOLUTE, ROPES], "weld"),
    StageError,
    `joint odd is of type "weld"; the feature joints has revolute, rope`,
  );
  assertThrows(() => stageWith([], "rope"), StageError, `the feature joints has no type`);
});

Deno.test("StageDef.joints: refuses numbers that are not finite or absurd, and parts that a type does not have (SPEC 9.23)", () => {
  const cases: [object, string][] = [
    [{ type: "rope", breakForce: NaN }, "odd.breakForce is NaN"],
    [{ type: "rope", breakForce: 0 }, "odd.breakForce is 0"],
    [
      { type: "rope", breakForce: 2e9 },
      "odd.breakForce is 2000000000; at most 1000000000 is allowed",
    ],
    [
      { type: "rope", motor: { speed: 1, forceMax: 1 } },
      "odd has a motor, which no rope joint has",
    ],
    [{ type: "weld", limits: { lower: 0, upper: 1 } }, "odd has a limits, which no weld joint has"],
    [
      { type: "rope", spring: { frequencyHz: 1, dampingRatio: 0 } },
      "odd has a spring, which no rope joint has",
    ],
    [
      { type: "revolute", limits: { lower: -Infinity, upper: 1 } },
      "odd.limits.lower is -Infinity; at most 1024",
    ],
    [{ type: "revolute", limits: { lower: 0, upper: NaN } }, "odd.limits.upper is NaN"],
    [
      { type: "prismatic", limits: { lower: 0, upper: 1e6 } },
      "odd.limits.upper is 1000000; at most 100000",
    ],
    [
      { type: "prismatic", limits: { lower: 2, upper: 1 } },
      "odd.limits.lower is 2, more than upper, which is 1",
    ],
    [
      { type: "revolute", motor: { speed: NaN, torqueMax: 1 } },
      "odd.motor.speed is NaN; at most 10000",
    ],
    [{ type: "revolute", motor: { speed: 1, torqueMax: -1 } }, "odd.motor.torqueMax is -1"],
    [{ type: "revolute", motor: { speed: 1 } }, "odd.motor.torqueMax is undefined"],
    [
      { type: "revolute", motor: { speed: 1, forceMax: 1 } },
      'odd.motor has no "forceMax"; it may have speed, torqueMax',
    ],
    [
      { type: "prismatic", motor: { speed: 1e5, forceMax: 1 } },
      "odd.motor.speed is 100000; at most 10000",
    ],
    [
      { type: "prismatic", motor: { speed: 1, forceMax: Infinity } },
      "odd.motor.forceMax is Infinity",
    ],
    [
      { type: "distance", spring: { frequencyHz: 0, dampingRatio: 0 } },
      "odd.spring.frequencyHz is 0",
    ],
    [
      { type: "distance", spring: { frequencyHz: 21, dampingRatio: 0 } },
      "at most 20, half of the world steps a second",
    ],
    [
      { type: "weld", spring: { frequencyHz: NaN, dampingRatio: 0 } },
      "odd.spring.frequencyHz is NaN",
    ],
    [
      { type: "weld", spring: { frequencyHz: 1, dampingRatio: -1 } },
      "odd.spring.dampingRatio is -1",
    ],
    [
      { type: "weld", spring: { frequencyHz: 1, dampingRatio: 11 } },
      "odd.spring.dampingRatio is 11; at most 10",
    ],
    [
      { type: "wheel", limits: { lower: 0, upper: 1 } },
      "odd has a limits, which no wheel joint has",
    ],
    [{ type: "wheel", motor: { speed: 1 } }, "odd.motor.torqueMax is undefined"],
    [{ type: "mouse" }, "odd.forceMax is undefined; at most 1000000000"],
    [{ type: "mouse", forceMax: -1 }, "odd.forceMax is -1; less than 0"],
    [
      { type: "mouse", forceMax: 1, spring: { frequencyHz: 1e-46, dampingRatio: 0 } },
      "odd.spring.frequencyHz is 1e-46",
    ],
    [{ type: "motor", forceMax: 1 }, "odd.torqueMax is undefined"],
    [
      { type: "motor", forceMax: 1, torqueMax: 1, correctionFactor: 1.1 },
      "odd.correctionFactor is 1.1; 0 to 1 are",
    ],
    [{ type: "friction", forceMax: 1, torqueMax: NaN }, "odd.torqueMax is NaN"],
    [{ type: "pulley", ratio: 0 }, "odd.ratio is 0; 0.001 to 1000 are allowed"],
    [{ type: "pulley", ratio: -1 }, "odd.ratio is -1"],
    [{ type: "gear", ratio: 1001 }, "odd.ratio is 1001"],
    [
      { type: "gear", motor: { speed: 1, torqueMax: 1 } },
      "odd has a motor, which no gear joint has",
    ],
    [{ type: "gear", changeable: true }, "odd is changeable, but nothing of it is"],
    [{ type: "rope", fields: { age: "text" } }, `joint odd.age is declared as "text"`],
  ];
  for (const [definition, message] of cases) {
    assertThrows(() => declare(definition), StageError, message);
  }
  assertThrows(
    () => new Stage({ ...WORKSHOP, joints: [ROPE, ROPE] }),
    StageError,
    "two kinds of joints have one name",
  );
});

Deno.test("joints.add: refuses missing or absurd values and entities that are not there, and changes nothing (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const before = new Snapshot();
  const after = new Snapshot();
  const block = stage.spawn(BLOCK, { x: 1, y: 5 });
  const gone = stage.spawn(BLOCK, { x: 3, y: 5 });
  stage.despawn(gone);
  stage.endTick();
  stage.save(before);
  const at = { x: 0, y: 5 };
  const both = { ...at, bx: 1, by: 5 };
  const cases: [JointDef, JointPlacement, string][] = [
    [HINGE, { x: NaN, y: 5 }, "joint 3 hinge: x is NaN"],
    [HINGE, { x: 0, y: 1e6 }, "joint 3 hinge: y is 1000000; at most 101024 is allowed"],
    [
      HINGE,
      both,
      "joint 3 hinge: bx, by and length are for distance, rope and pulley joints; this is a revolute one",
    ],
    [
      WELD,
      { ...at, length: 1 },
      "bx, by and length are for distance, rope and pulley joints; this is a weld one",
    ],
    [ROPE, at, "joint 3 rope: bx and by are missing"],
    [ROPE, { ...both, by: -Infinity }, "joint 3 rope, end b: y is -Infinity"],
    [
      ROPE,
      { ...both, length: NaN },
      "joint 3 rope: length is NaN; 0.0078125 to 100000 are allowed",
    ],
    [ROD, { ...both, bx: 0 }, "joint 3 rod: length is 0; 0.0078125 to 100000 are allowed"],
    [ROD, { ...both, length: -1 }, "joint 3 rod: length is -1"],
    [LIFT, at, "joint 3 lift: axis is for prismatic and wheel joints, which need it"],
    [
      HINGE,
      { ...at, axis: { x: 0, y: 1 } },
      "joint 3 hinge: axis is for prismatic and wheel joints",
    ],
    [LIFT, { ...at, axis: { x: NaN, y: 1 } }, "joint 3 lift: axis.x is NaN"],
    [LIFT, { ...at, axis: { x: 0, y: 0 } }, "joint 3 lift: axis has no direction"],
    [
      HINGE,
      { ...at, fields: { ageTicks: -1 } },
      "joint 3 hinge.ageTicks is -1, which no u8 can hold",
    ],
    [HINGE, { ...at, fields: { strain: NaN } }, "joint 3 hinge.strain is NaN"],
    [HINGE, { ...at, fields: { rust: 1 } }, "joint 3 hinge has no field rust"],
    [
      jointDef({ name: "new", type: "rope", fields: {} }),
      at,
      "joint new is not declared on this stage",
    ],
  ];
  for (const [kind, where, message] of cases) {
    assertThrows(() => joints.add(kind, ground, block, where), StageError, message);
  }
  stage.load(before);
  const there = stage.get(block.id)!;
  assertThrows(
    () => joints.add(HINGE, ground, ground, at),
    StageError,
    "joint 3 hinge: both ends hold entity 0 ground",
  );
  assertThrows(
    () => joints.add(HINGE, there, there, at),
    StageError,
    "both ends hold entity 1 block",
  );
  assertThrows(
    () => joints.add(HINGE, gone, there, at),
    StageError,
    "joint 3 hinge: entity 2 block is not on this stage",
  );
  const spark = stage.spawn(SPARK, { x: 0, y: 5 });
  assertThrows(
    () => joints.add(HINGE, there, spark, at),
    StageError,
    "hinge: entity 3 spark is a projectile, which no joint can hold",
  );
  stage.load(before);
  const elsewhere = workshop().spawn(BLOCK, { x: 0, y: 5 });
  assertThrows(
    () => joints.add(HINGE, stage.get(1)!, elsewhere, at),
    StageError,
    "entity 1 block is not on this stage",
  );
  stage.save(after);
  assert(after.equals(before));
});

Deno.test("joints.add: refuses placements that a type needs or does not have (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const block = stage.spawn(BLOCK, { x: 1, y: 5 });
  stage.despawn(stage.spawn(BLOCK, { x: 3, y: 5 }));
  const at = { x: 0, y: 5 };
  const both = { ...at, bx: 1, by: 5 };
  const cases: [JointDef, JointPlacement, string][] = [
    [STRUT, at, "joint 3 strut: axis is for prismatic and wheel joints, which need it"],
    [DRAG, both, "bx, by and length are for distance, rope and pulley joints; this is a mouse one"],
    [HOIST, both, "joint 3 hoist: groundA is for pulleys, which need it"],
    [
      HOIST,
      { ...both, groundA: at, groundB: { x: 0, y: NaN } },
      "joint 3 hoist, groundB: y is NaN",
    ],
    [HOIST, { ...at, groundA: at, groundB: at }, "joint 3 hoist: bx and by are missing"],
    [ROPE, { ...both, groundB: at }, "joint 3 rope: groundB is for pulleys"],
  ];
  for (const [kind, where, message] of cases) {
    assertThrows(() => joints.add(kind, ground, block, where), StageError, message);
  }
});

Deno.test("joints: setters refuse parts that a definition does not have, absurd values, and removed joints (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 5 });
  const at = { x: 0, y: 5 };
  const hinge = joints.add(HINGE, ground, block, at);
  const door = joints.add(DOOR, ground, block, at);
  const rope = joints.add(ROPE, ground, block, { ...at, bx: 0, by: 4 });
  const cases: [() => void, string][] = [
    [() => joints.setMotor(hinge, { speed: 1 }), "joint 2 hinge has no motor"],
    [() => joints.setMotor(rope, { on: true }), "joint 4 rope has no motor"],
    [() => joints.setLimits(hinge, { on: true }), "joint 2 hinge has no limits"],
    [() => joints.setLength(hinge, 1), "joint 2 hinge has no length"],
    [
      () => joints.setMotor(door, { speed: NaN }),
      "joint 3 door: motorSpeed is NaN; at most 10000 is allowed",
    ],
    [() => joints.setMotor(door, { speed: 1e5 }), "joint 3 door: motorSpeed is 100000"],
    [
      () => joints.setMotor(door, { on: 1 as unknown as boolean }),
      "joint 3 door: motor is 1; true and false",
    ],
    [
      () => joints.setLimits(door, { on: "no" as unknown as boolean }),
      "joint 3 door: limit is no; true and false",
    ],
    [() => joints.setLength(rope, Infinity), "joint 4 rope: length is Infinity"],
    [() => joints.setLength(rope, 0.001), "joint 4 rope: length is 0.001"],
  ];
  for (const [call, message] of cases) assertThrows(call, StageError, message);
  assertEquals([door.motorSpeed, door.isMotorEnabled, door.isLimitEnabled, rope.length], [
    2,
    true,
    true,
    1,
  ]);
  joints.remove(hinge);
  assertThrows(() => joints.remove(hinge), StageError, "joint 2 hinge is not on this stage");
  assertThrows(() => joints.setLength(hinge, 1), StageError, "joint 2 hinge is not on this stage");
});

Deno.test("joints.add: the newest beyond 1,024 end when the tick ends; a loop without an end is refused (SPEC 9.64)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const weight = stage.spawn(WEIGHT, { x: 0, y: 5 });
  const add = (): Joint => joints.add(ROPE, ground, weight, { x: 0, y: 8, bx: 0, by: 5 });
  for (let i = 0; i < 1030; i++) add();
  stage.advance();
  stage.endTick();
  assertEquals([joints.count, joints.get(1025)?.id, joints.get(1026)], [1024, 1025, undefined]);
  assertEquals(stage.limited, ["1030 joints are on the stage; the newest 6 have ended"]);
  const endless = () => {
    for (;;) add();
  };
  assertThrows(endless, StageError, "joint 2056 rope: 2048 joints are on the stage");
});
