/** The stage's guarantees about ids, handles, fields and phases, and the values that it refuses. */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  jointDef,
  type Spawn,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { FEATURES } from "../scenes/features.ts";
import { Random } from "../../../../shared/random.ts";
import { NEXT_ID_MAX } from "../../../../shared/physics/snapshot/layout.ts";
import { SCENE, startScene, stepScene } from "../scenes/scene.ts";
import { BALL, CRATE, run, YARD, type Yard, yard } from "../scenes/yard.ts";

const UNKNOWN = archetype({ name: "unknown", body: { fixtures: [] }, fields: {} });

Deno.test("ids: ascending, never used again, the same after a load (SPEC 9.3)", () => {
  const stage = yard();
  const snapshot = new Snapshot();
  const first = stage.spawn(CRATE, { x: 0, y: 5 });
  stage.despawn(first);
  stage.endTick();
  stage.save(snapshot);
  assertEquals(stage.spawn(BALL, { x: 0, y: 5 }).id, 2);
  stage.load(snapshot);
  assertEquals(stage.spawn(CRATE, { x: 0, y: 5 }).id, 2);
  assertEquals(stage.all(CRATE).map((crate) => crate.id), [2]);
  assertEquals(stage.all(BALL).length, 0);
});

Deno.test("ids: a spawn is refused after the last id of 32 bits, and so is a state that is near it (SPEC 9.66)", () => {
  const stage = yard();
  const snapshot = new Snapshot();
  stage.endTick();
  stage.save(snapshot);
  snapshot.words[1] = NEXT_ID_MAX;
  stage.load(snapshot);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  run(stage, 5);
  assertEquals(
    [crate.id, stage.touchingNow(crate).map(({ id }) => id)],
    [NEXT_ID_MAX, [0]],
    "an id of 32 bits is one as any other",
  );
  stage.save(snapshot);
  assertThrows(() => yard().load(snapshot), SnapshotError, "impossible header");
  stage[INTERNALS].nextId = 0xffff_fffe;
  assertEquals(stage.spawn(CRATE, { x: 3, y: 5 }).id, 0xffff_fffe);
  assertThrows(() => stage.spawn(CRATE, { x: 0, y: 5 }), StageError, "every id has been used");
});

Deno.test("handles: a handle survives a load if its entity does", () => {
  const stage = yard();
  const snapshot = new Snapshot();
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  stage.endTick();
  stage.save(snapshot);
  const later = stage.spawn(CRATE, { x: 3, y: 5 });
  stage.load(snapshot);
  assertEquals(stage.get(crate.id), crate);
  assertThrows(() => stage.setSpin(later, 1), StageError, "not on this stage");
});

Deno.test("fields: rounded at endTick, refused if they do not fit", () => {
  const stage = yard();
  const ball = stage.spawn(BALL, {
    x: 0,
    y: 5,
    fields: { score: 65_535, when: 2 ** 32 - 1, debt: -(2 ** 31) },
  });
  ball.fields.heat = 0.1;
  run(stage, 1);
  assertEquals({ ...ball.fields }, {
    heat: Math.fround(0.1),
    debt: -(2 ** 31),
    score: 65_535,
    when: 2 ** 32 - 1,
    ghost: 0,
  });
  ball.fields.debt = -0;
  run(stage, 1);
  assert(Object.is(ball.fields.debt, 0), "no integer's word has a -0");
  const wrong = [["score", 0.5], ["when", NaN], ["debt", 1.5], ["heat", NaN]] as const;

  for (const [name, value] of wrong) {
    const before = ball.fields[name];
    ball.fields[name] = value;
    assertThrows(() => stage.endTick(), StageError, `entity 1 ball.${name} is ${value}`);
    ball.fields[name] = before;
  }

  stage.fields.round = 0.5;
  assertThrows(() => stage.endTick(), StageError, "stage.round is 0.5");
  stage.fields.round = 1;
  stage.endTick();
});

Deno.test("fields: a value beyond its type is held at the type's end (SPEC 9.65)", () => {
  const stage = yard();
  const ball = stage.spawn(BALL, { x: 0, y: 5 });
  const cases = [
    ["score", 65_536, 65_535],
    ["score", -1, 0],
    ["when", 2 ** 40, 2 ** 32 - 1],
    ["when", -Infinity, 0],
    ["debt", 2 ** 31, 2 ** 31 - 1],
    ["debt", -(2 ** 31) - 1, -(2 ** 31)],
    ["heat", 1e39, 3.4028234663852886e38],
    ["heat", -Infinity, -3.4028234663852886e38],
  ] as const;

  for (const [name, value, held] of cases) {
    ball.fields[name] = value;
    run(stage, 1);
    assertEquals(ball.fields[name], held, `${name} = ${value}`);
    assert(stage.limited.join().startsWith(`entity 1 ball.${name} is ${value}; a `));
  }
});

Deno.test("fields: sealed; a value assigned after endTick is saved or refused, never changed", () => {
  const stage = yard();
  const snapshot = new Snapshot();
  const ball = stage.spawn(BALL, { x: 0, y: 5 });
  assertThrows(() => Object.assign(ball.fields, { secret: 1 }), TypeError);
  stage.endTick();
  ball.fields.score = 3;
  stage.save(snapshot);
  ball.fields.heat = 0.1;
  assertThrows(
    () => stage.save(snapshot),
    StageError,
    "entity 1 ball.heat was set to 0.1 after endTick()",
  );
});

Deno.test("spawn, setVelocity, setSpin, teleport: the error names a value that is no position or motion (SPEC 9.11)", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  const spawns: [Partial<Spawn<{ burning: "u8" }>>, string][] = [
    [{ x: NaN }, "entity 2 crate: x is NaN"],
    [{ x: null as unknown as number }, "entity 2 crate: x is null"],
    [{ y: "3" as unknown as number }, "entity 2 crate: y is 3"],
    [{ y: 2e5 }, "entity 2 crate: y is 200000"],
    [{ vx: Infinity }, "entity 2 crate: vx is Infinity"],
    [{ vy: -2e4 }, "entity 2 crate: vy is -20000"],
    [{ angle: 2000 }, "entity 2 crate: angle is 2000"],
    [{ spin: NaN }, "entity 2 crate: spin is NaN"],
    [{ fields: { burning: 256 } }, "entity 2 crate.burning is 256"],
    [{ fields: { burnt: 1 } as Record<string, number> }, "entity 2 crate has no field burnt"],
  ];
  for (const [wrong, message] of spawns) {
    assertThrows(() => stage.spawn(CRATE, { x: 0, y: 5, ...wrong }), StageError, message);
  }
  assertThrows(() => stage.setVelocity(crate, NaN, 0), StageError, "entity 1 crate: vx is NaN");
  assertThrows(() => stage.setVelocity(crate, 0, 1e5), StageError, "vy is 100000");
  assertThrows(() => stage.setSpin(crate, -Infinity), StageError, "spin is -Infinity");
  assertThrows(() => stage.teleport(crate, 0, NaN), StageError, "y is NaN");
  assertThrows(() => stage.teleport(stage.ground, 0, 0), StageError, "ground");
  assertThrows(
    () => stage.teleport(yard().spawn(CRATE, { x: 0, y: 0 }), 0, 0),
    StageError,
    "not on this stage",
  );
  assertThrows(
    () => stage.spawn(UNKNOWN, { x: 0, y: 0 }),
    StageError,
    "archetype unknown is not declared",
  );
  assertThrows(() => stage.all(UNKNOWN), StageError, "not declared");
  assertEquals(stage.spawn(CRATE, { x: 0, y: 8 }).id, 2, "a refused spawn takes no id");
});

Deno.test("phases: advance once, endTick, then save; no change within advance", () => {
  const stage: Yard = new Stage({
    ...YARD,
    shouldCollide: (): boolean => stage.spawn(CRATE, { x: 0, y: 9 }).awake,
  });
  const snapshot = new Snapshot();
  stage.save(snapshot);
  stage.spawn(CRATE, { x: 0, y: 0.4 });
  assertThrows(() => stage.save(snapshot), StageError, "edited");
  stage.advance();
  assertThrows(() => stage.advance(), StageError, "advanced");
  assertThrows(() => stage.save(snapshot), StageError, "advanced");
  stage.endTick();
  assertEquals(stage.tick, 1);
  stage.spawn(CRATE, { x: 0.5, y: 0.4 });
  assertThrows(() => stage.advance(), StageError, "within advance()");
  assertThrows(() => stage.advance(), StageError, "broken");
  stage.load(snapshot);
  run(stage, 2);
  assertEquals([stage.tick, stage.entityCount], [2, 0]);
});

Deno.test("load: repairs a stage with numbers that are not finite, or with an error in the middle of a step", () => {
  // It is so small that 1/inertia is infinite and that its first contact is not a number.
  const speck = archetype({
    name: "speck",
    body: { fixtures: [{ shape: { circle: 1e-80 } }] },
    fields: {},
  });
  let throws = false;
  const def: StageDef<{ round: "u8" }> = {
    ...YARD,
    archetypes: [CRATE, BALL, speck],
    shouldCollide: () => {
      if (throws) throw new RangeError("in the middle of a step");
      return true;
    },
  };
  const stage = new Stage(def);
  const fresh = new Stage(def);
  const start = new Snapshot();
  for (let i = 0; i < 6; i++) {
    stage.spawn(def.archetypes[i % 2]!, { x: i * 0.3, y: 1 + i, vx: i - 3 });
  }
  run(stage, 20);
  stage.save(start);
  stage.spawn(speck, { x: -5, y: 0.05, spin: 1 });
  assertThrows(() => run(stage, 20)); // endTick() finds what is not finite
  assertSameContinuation(stage, fresh, start);
  throws = true;
  assertThrows(() => run(stage, 20), RangeError);
  throws = false;
  assertSameContinuation(stage, fresh, start);
  const { values, offset } = stage[INTERNALS].entities.ground;
  for (const at of [Body.VX, Body.VY, Body.SPIN, Body.CENTER_X, Body.CENTER_Y, Body.ANGLE]) {
    values[offset + at] = NaN;
  }
  assertSameContinuation(stage, fresh, start);
});

Deno.test("load: repairs a stage whose rule threw at one of its contacts after others had ended in the same step", () => {
  let callsLeft = Infinity;
  const def: StageDef<{ round: "u8" }> = {
    ...YARD,
    shouldCollide: () => {
      if (--callsLeft === 0) throw new RangeError("between two contacts");
      return true;
    },
  };
  const stage = new Stage(def);
  const fresh = new Stage(def);
  const start = new Snapshot();
  for (let i = 0; i < 24; i++) {
    stage.spawn(CRATE, { x: i % 12 - 6, y: 0.4 + Math.floor(i / 12) * 0.81 });
  }
  run(stage, 9);
  stage.save(start);
  const throwsAt = (call: number): boolean => {
    stage.load(start);
    // Every third crate leaves the ground and its neighbours.
    for (const { id } of [...stage.all(CRATE)]) {
      if (id % 3 === 0) stage.teleport(stage.get(id)!, id - 12, 20);
    }
    callsLeft = call;
    try {
      stage.advance();
    } catch (error) {
      assert(error instanceof RangeError, `${error}`);
    }
    const threw = callsLeft <= 0;
    callsLeft = Infinity;
    assertSameContinuation(stage, fresh, start);
    return threw;
  };
  let calls = 0;
  while (throwsAt(calls + 1)) calls++;
  assertGreater(calls, 12);
});

Deno.test("load: repairs a stage whose rules threw anywhere in a tick, impacts and one-way fixtures included", () => {
  let calls = 0;
  let throwsAt = Infinity;
  const count = () => {
    if (++calls === throwsAt) throw new RangeError("in the middle of a step");
  };
  const def: typeof SCENE = {
    ...SCENE,
    shouldCollide: (a, b) => {
      count();
      return SCENE.shouldCollide!(a, b);
    },
    landsOn: (side, platform) => {
      count();
      return SCENE.landsOn!(side, platform);
    },
  };
  const straight = startScene(1, new Stage(def));
  const victim = new Stage(def);
  const random = new Random(1);
  const start = new Snapshot();
  const expected = new Snapshot();
  const end = new Snapshot();

  for (let tick = 0; tick < 200; tick++) {
    straight.save(start);
    calls = 0;
    stepScene(straight, 1);
    straight.save(expected);
    const all = calls;
    victim.load(start);
    calls = 0;
    throwsAt = 1 + random.below(all);
    assertThrows(() => stepScene(victim, 1), RangeError);
    throwsAt = Infinity;
    victim.load(start);
    stepScene(victim, 1);
    victim.save(end);
    assert(end.equals(expected), `tick ${tick}`);
  }
});

/** Asserts that both stages load the state and are in the same one 20 ticks later. */
function assertSameContinuation(stage: Yard, fresh: Yard, start: Snapshot): void {
  const ends = [stage, fresh].map((each) => {
    const end = new Snapshot();
    each.load(start);
    run(each, 20);
    each.save(end);
    return end.words.slice(0, end.length);
  });
  assertEquals(ends[0], ends[1]);
}

Deno.test("stage: refuses a declaration that makes no sense", () => {
  const wrong: [Partial<StageDef<{ round: "u8" }>>, string][] = [
    [{ gravity: NaN }, "gravity is NaN"],
    [{ tickHz: 0 }, "tickHz is 0"],
    [{ tickHz: 1e9 }, "tickHz is 1000000000"],
    [{ ground: [{ shape: { edge: [1, 2, 1, 2] } }] }, "no size"],
    [{ ground: [{ shape: {} as { circle: number } }] }, "ground has no shape"],
    [{ ground: [{ shape: { circle: "1" as unknown as number } }] }, "ground's shape is 1"],
    [{ ground: [{ shape: { circle: 1 }, friction: NaN }] }, "ground.friction is NaN"],
    [{ ground: [{ shape: { circle: 1 }, density: -1 }] }, "ground.density is -1"],
    [{ ground: [{ shape: { circle: 1 }, restitution: 1.5 }] }, "ground.restitution is 1.5"],
    [
      {
        archetypes: [{ name: "crate", fields: {}, body: { fixtures: [], gravityScale: Infinity } }],
      },
      "crate.gravityScale is Infinity",
    ],
    [
      { archetypes: [{ name: "crate", fields: {}, body: { fixtures: [], linearDamping: -1 } }] },
      "crate.linearDamping is -1",
    ],
    [{ substeps: 1.5 }, "substeps is 1.5"],
    [{ archetypes: [CRATE, CRATE] }, "one name"],
    [{ archetypes: [{ ...CRATE, name: "ground" }] }, "ground"],
    [{ ground: [{ shape: { circle: 0 } }] }, "no size"],
    [{ ground: [{ shape: { box: [1, NaN] } }] }, "ground's shape is NaN"],
    [{ ground: [{ shape: { circle: 1 }, mask: 0x10000 }] }, "16 bits"],
    [{ ground: Array(257).fill({ shape: { circle: 1 } }) }, "ground has more than 256 fixtures"],
    [{ restitutions: [["crate", "nobody", 0.5]] }, "nobody"],
    [{ restitutions: [["crate", "ball", 2]] }, "restitution 2"],
  ];
  for (const [part, message] of wrong) {
    assertThrows(() => new Stage({ ...YARD, ...part }), StageError, message);
  }
});

Deno.test("features: a stage refuses what needs a feature that its declaration does not list; the error names both (SPEC 9.30)", () => {
  const path = () => ({ x: 0, y: 0, angle: 0 });
  const box = { shape: { box: [1, 1] } } as const;
  const pin = jointDef({ name: "pin", type: "revolute", fields: {} });
  const cases: [Partial<StageDef<{ round: "u8" }>>, string][] = [
    [{ joints: [pin] }, "a joint needs the feature joints"],
    [
      { archetypes: [archetype({ name: "mill", body: { fixtures: [box], path }, fields: {} })] },
      "mill.path needs the feature paths",
    ],
  ];
  for (const [part, message] of cases) {
    assertThrows(() => new Stage({ ...YARD, ...part, features: [] }), StageError, message);
    new Stage({ ...YARD, ...part, features: FEATURES });
  }
  assertThrows(
    () => new Stage({ ...YARD, features: [] }).joints,
    StageError,
    "a joint needs the feature joints",
  );
});

Deno.test("features: a stage that uses none has the same bits without them (SPEC 9.30)", () => {
  const words = [FEATURES, []].map((features) => {
    const stage = new Stage({ ...YARD, features });
    const end = new Snapshot();
    for (let i = 0; i < 8; i++) {
      stage.spawn(YARD.archetypes[i % 2]!, { x: i * 0.3, y: 1 + i, vx: i - 3 });
    }
    run(stage, 40);
    stage.save(end);
    return end.words.slice(0, end.length);
  });
  assertEquals(words[0], words[1]);
});
