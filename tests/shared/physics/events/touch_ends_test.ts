/** Each touch that begins ends once, whatever ends it, and the same after a rollback. */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import type { Touch } from "../../../../shared/physics/events/touches.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { hashOf } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";
import { startScene, stepPartly, stepScene } from "../scenes/scene.ts";

const ZONE = archetype({
  name: "zone",
  body: { type: "static", fixtures: [{ shape: { circle: 2 }, sensor: true, tag: "goal" }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: {
    fixtures: [{ shape: { circle: 0.2 }, tag: "leather" }],
    gravityScale: 0,
    mutable: ["mask"],
  },
  fields: { kicks: "u8" },
});
const GHOST = archetype({
  name: "ghost",
  body: { fixtures: [{ shape: { circle: 0.3 } }], gravityScale: 0 },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const TIE = jointDef({ name: "tie", type: "weld", fields: {} });

const FIELD: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -5 } }],
  archetypes: [ZONE, BALL, GHOST, CRATE],
  joints: [TIE],
  fields: {},
};

/** A zone with a ball in it. */
interface Match {
  readonly stage: Stage;
  readonly zone: Entity;
  readonly ball: Entity;
}

/** By name: what parts the ball from the zone, and the archetypes of both in the end. */
const ACTS: Readonly<Record<string, (match: Match) => void>> = {
  "it flies out": ({ stage, ball }) => stage.setVelocity(ball, 30, 0),
  "it crawls out": ({ stage, ball }) => stage.setVelocity(ball, 0, 8),
  "the ball leaves the stage": ({ stage, ball }) => stage.despawn(ball),
  "the zone leaves the stage": ({ stage, zone }) => stage.despawn(zone),
  "the ball teleports": ({ stage, ball }) => stage.teleport(ball, 40, 0),
  "the zone teleports": ({ stage, zone }) => stage.teleport(zone, -40, 0),
  "the ball becomes a ghost": ({ stage, ball }) => void stage.become(ball, GHOST),
  "its mask changes": ({ stage, ball }) => stage.properties.set(ball, { mask: 0 }),
  "a joint ties both": ({ stage, zone, ball }) =>
    void stage.joints.add(TIE, zone, ball, { x: 0, y: 0 }),
};

type When = "before physics" | "after physics";

/**
 * Runs a match of which a rule parts the two in its sixth tick.
 * @returns the begins and ends of each tick
 */
function play(
  act: (match: Match) => void,
  when: When,
  reload: (stage: Stage, tick: number) => Stage = (stage) => stage,
) {
  let stage = new Stage(FIELD);
  const zone = stage.spawn(ZONE, { x: 0, y: 0 }).id;
  const ball = stage.spawn(BALL, { x: 0, y: 0 }).id;
  stage.endTick();
  const log: string[] = [];

  for (let tick = 0; tick < 24; tick++) {
    stage = reload(stage, tick);
    const apply = () => act({ stage, zone: stage.get(zone)!, ball: stage.get(ball)! });
    if (tick === 5 && when === "before physics") apply();
    stage.advance();
    log.push(
      ...stage.touches.filter(({ began, ended }) => began || ended).map((touch) =>
        `${tick} ${textOf(touch)}`
      ),
    );
    if (tick === 5 && when === "after physics") apply();
    stage.endTick();
  }

  return log;
}

function textOf(
  { a, b, tagA, tagB, fixtureA, fixtureB, began, ended, endedBefore, swept }: Touch,
): string {
  const names = [a, b].map(({ id, archetype: { name }, isOnStage }) =>
    `${name} ${id}${isOnStage ? "" : " gone"}`
  );
  const flags = { began, ended, endedBefore, swept };
  const words = Object.entries(flags).filter(([, isSet]) => isSet).map(([name]) => name);
  return `${names.join("/")} ${fixtureA}${tagA}/${fixtureB}${tagB} ${words.join(" ")}`;
}

Deno.test("touches: a touch of a sensor ends once for all that parts the two, before physics or after it (SPEC 9.69)", () => {
  for (const when of ["before physics", "after physics"] as const) {
    for (const [name, act] of Object.entries(ACTS)) {
      const log = play(act, when);
      const becomes = name.includes("ghost");
      const begins = log.filter((line) => line.includes("began"));
      const ends = log.filter((line) => line.includes("ended"));
      assertEquals(
        [begins.length, ends.length],
        [becomes ? 2 : 1, 1],
        `${name}, ${when}: ${log.join("; ")}`,
      );
      assert(
        ends[0]!.includes("zone 1") && ends[0]!.includes("ball 2") &&
          ends[0]!.includes("0goal/0leather"),
        ends[0],
      );
      const isGone = name.includes("leaves") || becomes;
      assertEquals(ends[0]!.includes("gone"), isGone, `${name}, ${when}: ${ends[0]}`);
      // An end by rules is in the list of the very next physics.
      if (!/flies|crawls/.test(name)) {
        assert(ends[0]!.startsWith(when === "before physics" ? "5 " : "6 "), ends[0]);
      }
    }
  }
});

Deno.test("touches: ends are the same if each tick is a load, into the same stage or a fresh one (SPEC 9.56, 9.69)", () => {
  const state = new Snapshot();
  const ways: readonly ((stage: Stage) => Stage)[] = [(stage) => stage, () => new Stage(FIELD)];

  for (const when of ["before physics", "after physics"] as const) {
    for (const [name, act] of Object.entries(ACTS)) {
      const expected = play(act, when);
      for (const way of ways) {
        let loads = 0;
        const log = play(act, when, (stage) => {
          stage.save(state);
          const next = way(stage);
          next.load(state);
          loads++;
          return next;
        });
        assertEquals([loads, log], [24, expected], `${name}, ${when}`);
      }
    }
  }
});

Deno.test("touches: one who is gone has an id and an archetype, and nothing that a loaded stage would not know (SPEC 9.69)", () => {
  const stage = new Stage(FIELD);
  const zones = [0, 1].map((x) => stage.spawn(ZONE, { x, y: 0 }));
  const ball = stage.spawn(BALL, { x: 0, y: 0, fields: { kicks: 3 } });
  stage.advance();
  stage.despawn(ball);
  stage.endTick();
  stage.advance();
  const ends = stage.touches;
  const [{ b: gone }] = ends as [Touch];
  assertEquals(ends.map(({ a, b, ended, endedBefore }) => [a, b === gone, ended, endedBefore]), [
    [zones[0] as Entity, true, true, true],
    [zones[1] as Entity, true, true, true],
  ]);
  assertEquals([gone.id, gone.archetype, gone.isOnStage, stage.get(gone.id)], [
    3,
    BALL,
    false,
    undefined,
  ]);
  const { nx, ny, approachSpeed, normalImpulse, frictionImpulse, points } = ends[0]!;
  assertEquals([nx, ny, approachSpeed, normalImpulse, frictionImpulse, points], [
    0,
    0,
    0,
    0,
    0,
    [],
  ]);
  const reads = [
    "x",
    "y",
    "angle",
    "vx",
    "vy",
    "spin",
    "centerX",
    "centerY",
    "mass",
    "inertia",
    "awake",
    "expired",
  ] as const;

  for (const name of [...reads, "kicks"]) {
    const message =
      `entity 3 ball has left the stage: its ended touch has its id and archetype, and no ${name}`;
    assertThrows(
      () => name === "kicks" ? gone.fields["kicks"] : gone[name as "x"],
      StageError,
      message,
    );
  }

  assertThrows(() => stage.despawn(gone), StageError, "is not on this stage");
  assertThrows(() => stage.touchingNow(gone), StageError, "is not on this stage");
});

Deno.test("touches: an entity that becomes another ends under its old archetype, and one that becomes itself again is there", () => {
  const stage = new Stage(FIELD);
  const zone = stage.spawn(ZONE, { x: 0, y: 0 });
  let ball: Entity = stage.spawn(BALL, { x: 0, y: 0 });
  stage.advance();
  ball = stage.become(ball, GHOST);
  stage.endTick();
  stage.advance();
  assertEquals(
    stage.touches.map(({ b, began, ended }) => [b.archetype.name, b.isOnStage, began, ended]),
    [
      ["ball", false, false, true],
      ["ghost", true, true, false],
    ],
  );
  stage.endTick();
  ball = stage.become(stage.become(ball, BALL), GHOST);
  stage.advance();
  assertEquals(
    stage.touches.map(({ a, b, began, ended }) => [a === zone, b === ball, began, ended]),
    [
      [true, true, false, true],
      [true, true, true, false],
    ],
  );
});

Deno.test("touches: a pair that slept is in the list of its tick, though a joint parts it before the first read (SPEC 9.55, 9.69)", () => {
  const stage = new Stage({ ...FIELD, ground: [{ shape: { box: [50, 0.5], y: -0.5 } }] });
  const low = stage.spawn(CRATE, { x: 0, y: 0.5 });
  const high = stage.spawn(CRATE, { x: 0, y: 1.5 });
  for (let tick = 0; tick < 60; tick++) {
    stage.advance();
    stage.endTick();
  }
  assertEquals([low.awake, high.awake], [false, false]);
  const ofPair = () =>
    stage.touches.filter(({ a, b }) => a === low && b === high).map((
      { began, ended },
    ) => [began, ended]);
  stage.advance();
  stage.joints.add(TIE, low, high, { x: 0, y: 1 });
  assertEquals([ofPair(), stage.touchingNow(low).map(({ id }) => id)], [[[false, false]], [0]]);
  stage.endTick();
  stage.advance();
  assertEquals(ofPair(), [[false, true]]);
});

/** The touches that have begun and not ended, from the lists alone. */
class Ledger {
  readonly #open = new Set<string>();
  #isFirst = true;
  begins = 0;
  endsBefore = 0;
  endsWithin = 0;

  read(touches: readonly Touch[]): void {
    for (
      const { a, b, fixtureA, fixtureB, segmentA, segmentB, began, ended, endedBefore } of touches
    ) {
      const key = `${a.id} ${fixtureA}.${segmentA}/${b.id} ${fixtureB}.${segmentB}`;
      // Before the first list nobody has read the begins.
      if (this.#isFirst && !began) this.#open.add(key);
      assertEquals(
        this.#open.has(key),
        !began,
        `${key}: ${began ? "begins twice" : "goes on without a begin"}`,
      );
      if (began) this.begins++;
      if (endedBefore) this.endsBefore++;
      else if (ended) this.endsWithin++;
      if (ended) this.#open.delete(key);
      else this.#open.add(key);
    }

    this.#isFirst = false;
  }

  /** The pairs that touch, as text. */
  get pairs(): string[] {
    return [...new Set([...this.#open].map((key) => key.replaceAll(/ \d+\.\d+/g, "")))].sort();
  }
}

function pairsOf(stage: Pick<Stage, "entities" | "touchingNow">): string[] {
  const pairs = stage.entities().flatMap((entity) => {
    const touching = entity.archetype.projectile === undefined ? stage.touchingNow(entity) : [];
    const ids = touching.map(({ id }) => id);
    assertEquals(ids, ids.toSorted((a, b) => a - b));
    return touching.map(({ id }) => `${Math.min(id, entity.id)}/${Math.max(id, entity.id)}`);
  });
  return [...new Set(pairs)].sort();
}

Deno.test("touchingNow: who has begun to touch and not ended, in a scene in which all happens (SPEC 9.69, 9.71)", () => {
  for (const seed of [4, 5]) {
    const stage = startScene(seed);
    const ledger = new Ledger();
    for (let tick = 0; tick < 300; tick++) {
      stepPartly(stage, seed, "after physics");
      ledger.read(stage.touches);
      assertEquals(pairsOf(stage), ledger.pairs, `seed ${seed}, tick ${tick}`);
      stage.endTick();
    }
    assertGreater(
      Math.min(ledger.begins, ledger.endsBefore, ledger.endsWithin),
      30,
      JSON.stringify(ledger),
    );
  }
});

Deno.test("touches: each that begins ends once, also where rules part, spawn and join after physics (SPEC 9.69)", () => {
  for (const seed of [4, 8]) {
    const stage = startScene(seed);
    const ledger = new Ledger();
    for (let tick = 0; tick < 900; tick++) {
      stepScene(stage, seed, ({ touches }) => ledger.read(touches));
    }
    assertGreater(
      Math.min(ledger.begins, ledger.endsBefore, ledger.endsWithin),
      30,
      JSON.stringify(ledger),
    );
  }
});

Deno.test("touches: they end where a crowd has too many pairs, and where the newest entities leave a full stage (SPEC 9.69)", () => {
  const stage = new Stage({ ...FIELD, gravity: 0, limits: { entities: 12, contacts: 24 } });
  const ledger = new Ledger();
  let limited = 0;
  for (let tick = 0; tick < 200; tick++) {
    const draw = hashOf(3, tick);
    if (draw % 5 === 0) stage.spawn(CRATE, { x: draw % 3, y: draw % 7, vx: draw % 11 - 5 });
    for (const crate of stage.all(CRATE)) stage.setVelocity(crate, -2 * crate.x, -2 * crate.y);
    stage.advance();
    ledger.read(stage.touches);
    assertEquals(pairsOf(stage), ledger.pairs, `tick ${tick}`);
    if (draw % 3 === 0) stage.spawn(CRATE, { x: 0, y: 0 });
    stage.endTick();
    if (stage.limited.length > 0) limited++;
  }
  assertGreater(Math.min(limited, ledger.begins, ledger.endsBefore), 10, JSON.stringify(ledger));
});
