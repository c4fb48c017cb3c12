/** Sensors that see what passes them within a world step. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import {
  archetype,
  type BodyDef,
  type FixtureDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import type { Touch } from "../../../../shared/physics/events/touches.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { hashOf } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";

const line = (halfWidth: number, options: Partial<FixtureDef> = {}, body: Partial<BodyDef> = {}) =>
  archetype({
    name: "line",
    body: {
      type: "static",
      fixtures: [{ shape: { box: [halfWidth, 5] }, sensor: true, ...options }],
      ...body,
    },
    fields: {},
  });
const ball = (options: Partial<BodyDef> = {}, radius = 0.2) =>
  archetype({
    name: "ball",
    body: {
      fixtures: [{ shape: { circle: radius }, restitution: 1, friction: 0 }],
      gravityScale: 0,
      ...options,
    },
    fields: {},
  });
const FIELD: Omit<StageDef, "archetypes"> = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [],
  fields: {},
};

/** What a pair did in so many ticks. */
interface Seen {
  begins: number;
  ends: number;
  swept: number;
  events: number;
}

function watch(stage: Stage, ticks: number, onTouch: (touch: Touch) => void = () => {}): Seen {
  const seen = { begins: 0, ends: 0, swept: 0, events: 0 };
  for (let tick = 0; tick < ticks; tick++) {
    stage.advance();
    for (const touch of stage.touches) {
      if (touch.began) seen.begins++;
      if (touch.ended) seen.ends++;
      if (touch.swept) seen.swept++;
      if (touch.swept) assert(touch.began && touch.ended && !touch.endedBefore);
      onTouch(touch);
    }
    seen.events += stage.contactEvents.filter(({ began }) => began).length;
    stage.endTick();
  }
  return seen;
}

Deno.test("sensor: sees a bullet at every speed, place and rate, once (SPEC 9.72)", () => {
  let swept = 0;
  for (const [tickHz, substeps] of [[20, 2], [60, 1], [20, 1]] as const) {
    for (const speed of [20, 30, 40, 60, 80, 160]) {
      for (let i = 0; i < 50; i++) {
        const archetypes = [line(0.1), ball({ bullet: true })];
        const stage = new Stage({ ...FIELD, tickHz, substeps, archetypes, speedMax: 200 });
        stage.spawn(archetypes[0]!, { x: 0, y: 0 });
        stage.spawn(archetypes[1]!, { x: -5 - 0.0413 * i, y: 0, vx: speed });
        const seen = watch(stage, Math.ceil(tickHz * 20 / speed));
        assertEquals(
          [seen.begins, seen.ends, seen.events],
          [1, 1, 1],
          `${tickHz} x ${substeps}, ${speed} m/s, ${i}`,
        );
        swept += seen.swept;
      }
    }
  }

  assertGreater(swept, 200);
});

Deno.test("sensor: at 200 m/s a swept one of 1 m or 0.1 m sees any body, and another one a bullet alone (SPEC 9.72)", () => {
  for (const [tickHz, substeps] of [[20, 2], [60, 1]] as const) {
    for (const halfWidth of [0.5, 0.05]) {
      for (
        const [swept, bullet, expected] of [[true, false, 1], [false, true, 1], [true, true, 1], [
          false,
          false,
          0,
        ]] as const
      ) {
        const archetypes = [line(halfWidth, { swept }), ball({ bullet })];
        const stage = new Stage({ ...FIELD, tickHz, substeps, archetypes, speedMax: 250 });
        stage.spawn(archetypes[0]!, { x: 0, y: 0 });
        // A world step of 40 Hz ends at -2.5 and at 2.5 m, one of 60 Hz at -1.7 and at 1.7 m.
        const step = 200 / (tickHz * substeps);
        stage.spawn(archetypes[1]!, { x: -2.5 * step, y: 0, vx: 200 });
        const { begins, ends } = watch(stage, 5);
        const name = `${tickHz} Hz, ${halfWidth} m, swept ${swept}, bullet ${bullet}`;
        assertEquals([begins, ends], [expected, expected], name);
      }
    }
  }
});

Deno.test("touches: one in passing tells where and how fast the two met (SPEC 9.72)", () => {
  const archetypes = [line(0.05, { swept: true, tag: "goal" }), ball()];
  const stage = new Stage({ ...FIELD, archetypes, speedMax: 250 });
  const goal = stage.spawn(archetypes[0]!, { x: 0, y: 0 });
  const shot = stage.spawn(archetypes[1]!, { x: -2.5, y: 1, vx: 200 });
  stage.advance();
  const [touch] = stage.touches;
  const [event] = stage.contactEvents;
  assertEquals([stage.touches.length, touch!.a, touch!.b, touch!.tagA], [
    1,
    goal as Entity,
    shot as Entity,
    "goal",
  ]);
  assertEquals([touch!.points, touch!.normalImpulse], [[], 0]);
  assertEquals([event!.began, event!.swept, event!.ax, event!.by], [true, true, 0, 1]);

  // Their shapes overlap by 15 mm there, skins included.
  assertAlmostEquals(event!.bx, -0.05 - 0.2, 0.02);
  const along = Math.sqrt(event!.bx ** 2 + 1);
  assertAlmostEquals(event!.nx, event!.bx / along, 1e-9);
  assertAlmostEquals(event!.approachSpeed, 200 * -event!.nx, 1e-3);
  assertEquals(stage.touchingNow(goal), []);
});

Deno.test("sensor: sees no body behind the wall that stops it, and sees it come and go in one step (SPEC 9.72)", () => {
  const seenAt = (x: number) => {
    const archetypes = [line(0.02, { swept: true }), ball({ bullet: true })];
    const ground = [{ shape: { box: [0.5, 5] as const, x: 3 }, restitution: 1 }];
    const stage = new Stage({ ...FIELD, archetypes, speedMax: 250, ground });
    stage.spawn(archetypes[0]!, { x, y: 0 });
    // It flies 5 m in a world step, and meets the wall after 2.3 m.
    const shot = stage.spawn(archetypes[1]!, { x: 0, y: 0, vx: 200 });
    const flags: boolean[] = [];
    stage.advance();
    flags.push(...stage.touches.filter(({ b }) => b === shot).map(({ swept }) => swept));
    assert(shot.vx < 0, "it has come back");
    stage.endTick();
    return flags.filter((swept) => swept).length;
  };
  // Within the first 2.3 m, on the way back alone, within the wall, and behind it.
  assertEquals([1, 2, -1, -4, 3, 4].map(seenAt), [1, 1, 1, 1, 0, 0]);
});

Deno.test("sensor: a swept one that moves itself sees what it passes, and what passes it (SPEC 9.72)", () => {
  const archetypes = [line(0.02, { swept: true }, { type: "kinematic" }), ball()];
  for (const [lineSpeed, ballSpeed] of [[60, 0], [40, -40], [70, 20]] as const) {
    const stage = new Stage({ ...FIELD, archetypes });
    stage.spawn(archetypes[0]!, { x: -2, y: 0, vx: lineSpeed });
    stage.spawn(archetypes[1]!, { x: 1, y: 0, vx: ballSpeed });
    const { begins, ends } = watch(stage, 6);
    assertEquals([begins, ends], [1, 1], `${lineSpeed} and ${ballSpeed} m/s`);
  }
  const stage = new Stage({ ...FIELD, archetypes });
  stage.spawn(archetypes[0]!, { x: -2, y: 0, vx: 60 });
  stage.spawn(archetypes[1]!, { x: -1, y: 0, vx: 60 });
  assertEquals(watch(stage, 6).begins, 0, "they fly side by side");
});

Deno.test("sensor: what passes beside it, or what a mask excludes, is not seen (SPEC 9.72)", () => {
  const archetypes = [line(0.02, { swept: true, mask: 2 }), ball(), line(0.02, { swept: true })]
    .map((each, i) => ({
      ...each,
      name: `${each.name} ${i}`,
    }));
  const stage = new Stage({ ...FIELD, archetypes });
  stage.spawn(archetypes[0]!, { x: 0, y: 0 });
  stage.spawn(archetypes[2]!, { x: 0, y: 10.3 });
  stage.spawn(archetypes[1]!, { x: -3, y: 0, vx: 75 });
  assertEquals(watch(stage, 4).begins, 0);
});

/** Balls that fly about in a room with lines across it. */
function room(isSwept: boolean): { stage: Stage; step: (tick: number) => string[] } {
  const swept = isSwept ? { swept: true } : {};
  const archetypes = [
    line(0.05, swept),
    line(0.1, swept, { type: "kinematic", fixedRotation: true }),
    ball(),
  ].map((
    each,
    i,
  ) => ({
    ...each,
    name: `${each.name} ${i}`,
  }));
  const walls = [[-12, 0, 1, 12], [12, 0, 1, 12], [0, -12, 12, 1], [0, 12, 12, 1]] as const;
  const ground = walls.map(([x, y, w, h]) => ({
    shape: { box: [w, h] as const, x, y },
    restitution: 1,
  }));
  const stage = new Stage({ ...FIELD, gravity: 3, ground, archetypes });
  for (const x of [-6, 0, 6]) stage.spawn(archetypes[0]!, { x, y: 0, angle: x });
  stage.spawn(archetypes[1]!, { x: 0, y: 0, vx: 9, spin: 12 });
  for (let i = 0; i < 12; i++) {
    stage.spawn(archetypes[2]!, { x: i * 1.5 - 8, y: 0, vx: 70 - 9 * i, vy: 9 * i - 50 });
  }
  stage.endTick();
  const step = (tick: number) => {
    const draw = hashOf(5, tick);
    for (const each of stage.all(archetypes[2]!)) {
      if (hashOf(draw, each.id) % 9 === 0) {
        stage.setVelocity(each, draw % 140 - 70, (draw >>> 8) % 140 - 70);
      }
    }
    const [sweeper] = stage.all(archetypes[1]!);
    if (Math.abs(sweeper!.x) > 8) stage.setVelocity(sweeper!, -9 * Math.sign(sweeper!.x), 0);
    stage.advance();
    const touches = stage.touches.map(({ a, b, began, ended, swept, nx, approachSpeed }) =>
      `${a.id}-${b.id} ${began} ${ended} ${swept} ${nx} ${approachSpeed}`
    );
    const events = stage.contactEvents.map(({ a, b, began, swept, bx }) =>
      `${a.id}-${b.id} ${began} ${swept} ${bx}`
    );
    stage.endTick();
    return [...touches, ...events];
  };
  return { stage, step };
}

Deno.test("swept: the lists are the same after rollbacks, and no bit of the state depends on the option (SPEC 9.56, 9.72)", () => {
  const straight = room(true);
  const plain = room(false);
  const rolledBack = room(true);
  const state = new Snapshot();
  const other = new Snapshot();
  let swept = 0;
  let loads = 0;

  for (let tick = 0; tick < 400; tick++) {
    straight.stage.save(state);
    const fresh = room(true);
    const events = straight.step(tick);
    swept += events.filter((event) => event.includes("true true true")).length;
    plain.step(tick);
    if (tick % 3 === 0) {
      // Goes astray first.
      rolledBack.step(tick + 1000);
      rolledBack.stage.load(state);
      loads++;
    }
    assertEquals(rolledBack.step(tick), events, `tick ${tick}, rolled back`);
    fresh.stage.load(state);
    assertEquals(fresh.step(tick), events, `tick ${tick}, fresh`);
    straight.stage.save(state);
    for (const { stage } of [rolledBack, fresh]) {
      stage.save(other);
      assert(state.equals(other), `tick ${tick}`);
    }
    for (const entity of straight.stage.entities()) {
      const twin = plain.stage.get(entity.id)!;
      assertEquals([twin.x, twin.y, twin.angle, twin.vx, twin.vy], [
        entity.x,
        entity.y,
        entity.angle,
        entity.vx,
        entity.vy,
      ]);
    }
  }

  assertGreater(Math.min(swept, loads), 100);
});

Deno.test("swept: an error in the middle of a step leaves nothing to the state that is loaded next (SPEC 9.72)", () => {
  const archetypes = [line(0.05, { swept: true }), ball({ bullet: true })];
  const rule = { callsLeft: Infinity };
  const ground = [-8, 8].map((x) => ({ shape: { box: [0.5, 9] as const, x }, restitution: 1 }));
  const shouldCollide = () => {
    if (rule.callsLeft-- <= 0) throw new RangeError("in the middle of a step");
    return true;
  };
  const stage = new Stage({ ...FIELD, gravity: 0, ground, archetypes, shouldCollide });
  stage.spawn(archetypes[0]!, { x: 0, y: 0 });
  for (const x of [-5, 5]) stage.spawn(archetypes[1]!, { x, y: 0, vx: 79 });
  stage.endTick();
  const state = new Snapshot();
  let failed = 0;

  for (let tick = 0; tick < 30; tick++) {
    const read = () => {
      stage.load(state);
      stage.advance();
      const events = stage.contactEvents.map(({ a, b, began, swept, bx }) =>
        `${a.id}-${b.id} ${began} ${swept} ${bx}`
      );
      stage.endTick();
      return events;
    };
    stage.save(state);
    const expected = read();
    for (let calls = 0; calls < 6; calls++) {
      stage.load(state);
      rule.callsLeft = calls;
      try {
        stage.advance();
      } catch (error) {
        assert(error instanceof RangeError);
        failed++;
      }
      rule.callsLeft = Infinity;
      assertEquals(read(), expected, `tick ${tick}, failed after ${calls} calls`);
    }
  }

  assertGreater(failed, 10);
});

Deno.test("swept: the work of a world step is bounded, and what goes unseen is a sentence (SPEC 9.67, 9.72)", () => {
  const archetypes = [line(0.01), ball({ bullet: true }, 0.05)];

  // Channels in which bullets bounce up and down many times in a step, and cross 100 lines.
  const walls = Array.from(
    { length: 21 },
    (_, i) => ({ shape: { box: [20, 0.1] as const, y: 0.5 * i }, restitution: 1 }),
  );
  const stage = new Stage({
    ...FIELD,
    gravity: 0,
    archetypes,
    ground: walls,
    speedMax: 200,
    limits: { entities: 150, contacts: 2100 },
  });
  for (let i = 0; i < 20; i++) {
    stage.spawn(archetypes[1]!, { x: -1, y: 0.25 + 0.5 * i, vx: 80, vy: 180 });
  }
  for (let i = 0; i < 100; i++) stage.spawn(archetypes[0]!, { x: 0.01 * i, y: 5 });
  stage.advance();
  assert(stage.limited.some((sentence) => sentence.includes("passed sensors")), `${stage.limited}`);
  assertGreater(stage.touches.filter(({ swept }) => swept).length, 50);
});

Deno.test("swept: is an option of sensors (SPEC 9.59)", () => {
  assertThrows(
    () => new Stage({ ...FIELD, archetypes: [line(1, { sensor: false, swept: true })] }),
    StageError,
    "line: swept is an option of sensors, and this fixture is none",
  );
});
