/**
 * Physics that authors may rely on: stacks stand, sleeping bodies wake, and rules decide about
 * pushes.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { solverScratch } from "../../../../shared/physics/dynamics/solver_scratch.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import { BALL, CRATE, run, SHOT, YARD, type Yard, yard } from "../scenes/yard.ts";

Deno.test("stage: a stack of eight crates stands and falls asleep (SPEC 9.31)", () => {
  const stage = yard();
  const crates = Array.from(
    { length: 8 },
    (_, i) => stage.spawn(CRATE, { x: 0, y: 0.4 + i * 0.8 }),
  );
  run(stage, 400);
  for (const [i, crate] of crates.entries()) {
    assertAlmostEquals(crate.x, 0, 0.02, `crate ${i}`);
    // Their skins keep polygons 8 to 10 mm apart.
    assertAlmostEquals(crate.y, 0.41 + i * 0.809, 0.01, `crate ${i}`);
    assert(!crate.awake, `crate ${i} is awake`);
  }
});

Deno.test("stage: a sleeping body wakes when it is touched, not when a body passes by (SPEC 9.31)", () => {
  const stage = yard();
  const sleeper = stage.spawn(CRATE, { x: 0, y: 0.4 });
  run(stage, 60);
  assert(!sleeper.awake);
  const shot = stage.spawn(SHOT, { x: -3, y: 0.96, vx: 8 }); // 6 cm above it: their AABBs overlap
  for (let i = 0; i < 20; i++) {
    run(stage, 1);
    assert(!sleeper.awake, "woken by a near miss");
  }
  assert(shot.x > 2);
  stage.spawn(SHOT, { x: -2, y: 0.5, vx: 10 });
  run(stage, 6);
  assert(sleeper.awake, "slept through a hit");
});

Deno.test("stage: values that a broken stage has left in the solver's scratch change nothing", () => {
  const places = () => {
    const stage = yard();
    const balls = [0, 0.9].map((x) => stage.spawn(BALL, { x, y: 0.6 }));
    stage.spawn(CRATE, { x: 4, y: 0.41 });
    return Array.from({ length: 20 }, () => {
      run(stage, 1);
      assert(stage.contactCount > 0);
      return balls.map(({ x, y, spin }) => [x, y, spin]);
    });
  };
  solverScratch.contacts.fill(0);
  const clean = places();
  solverScratch.contacts.fill(NaN);
  assertEquals(places(), clean);
});

Deno.test("stage: the row of a contact that is gone is as good as new for a sensor", () => {
  const stage = new Stage({
    ...YARD,
    ground: [...YARD.ground, { shape: { box: [50, 0.5], y: 9 }, sensor: true }],
  });
  const { contacts } = stage[INTERNALS].world;
  for (let x = 0; x < 8; x++) stage.spawn(BALL, { x, y: 0.5 });
  run(stage, 1);
  assert(contacts.count >= 8);
  for (const ball of [...stage.all(BALL)]) stage.despawn(ball);
  assertEquals(contacts.count, 0);
  contacts.values.fill(NaN);
  contacts.ints.fill(-1);
  for (let x = 0; x < 8; x++) stage.spawn(BALL, { x: 2 * x, y: 9 });
  run(stage, 1);
  stage.advance();
  assertEquals(stage.contactEvents.length, 8);
});

Deno.test("stage: the handle of a despawned entity keeps the last values, whatever is spawned afterwards", () => {
  const stage = yard();
  const gone = stage.spawn(BALL, { x: 3, y: 5, vx: 2, spin: 1 });
  const last = () => [gone.x, gone.y, gone.angle, gone.vx, gone.vy, gone.spin];
  const before = last();
  stage.despawn(gone);
  for (let i = 0; i < 100; i++) stage.spawn(BALL, { x: i - 50, y: 9, vx: i });
  run(stage, 2);
  assertEquals(last(), before);
});

Deno.test("stage: a bullet does not pass through a wall thinner than its step", () => {
  const stage = yard();
  const shot = stage.spawn(SHOT, { x: 8, y: 3, vx: 75 });
  let hits = 0;
  for (let i = 0; i < 10; i++) {
    stage.advance();
    hits += stage.contactEvents.filter((touch) => touch.b === shot && touch.began).length;
    stage.endTick();
  }
  assert(shot.x < 10);
  assertEquals(hits, 1);
});

Deno.test("restitutions: a pair's own value counts, in either order of names", () => {
  for (
    const pair of [["crate", "ball", 0.9], ["ball", "crate", 0.9], [
      "ground",
      "crate",
      0.9,
    ]] as const
  ) {
    const stage = new Stage({ ...YARD, gravity: 0, restitutions: [pair] });
    const crate = stage.spawn(CRATE, { x: 0, y: 3 });
    const ball = stage.spawn(BALL, { x: -3, y: 3, vx: 10 });
    run(stage, 12);
    const bounced = crate.vx - ball.vx;
    if (pair[0] === "ground") assertAlmostEquals(bounced, 0, 0.5);
    else assertAlmostEquals(bounced, 9, 0.5);
  }
});

Deno.test("shouldCollide: bodies that do not push pass each other, and their touch is reported", () => {
  const stage = new Stage({ ...YARD, gravity: 0 });
  const ball = stage.spawn(BALL, { x: 0, y: 3 });
  const ghost = stage.spawn(BALL, { x: -3, y: 3, vx: 8, fields: { ghost: 1 } });
  let began = 0;
  let touched = 0;
  for (let i = 0; i < 20; i++) {
    stage.advance();
    for (const touch of stage.contactEvents) {
      touched++;
      if (touch.began) began++;
    }
    stage.endTick();
  }
  assertEquals([ball.vx, ghost.vx, began], [0, 8, 1]);
  assert(touched >= 4);
});

Deno.test("shouldCollide: what a sleeping pair did before the rule's result changed does not matter", () => {
  // Two ghosts sleep in the same place. One of them stops being a ghost before a crate falls on it.
  // The stage that ran on has their contact as not solid. The stage that loaded the snapshot does
  // not.
  const stage = yard();
  const snapshot = new Snapshot();
  const fresh = yard();
  const ghosts = [0, 0.3].map((x) => stage.spawn(BALL, { x, y: 0.5, fields: { ghost: 1 } }));
  run(stage, 80);
  assert(ghosts.every((ghost) => !ghost.awake));
  stage.save(snapshot);
  fresh.load(snapshot);
  const words = [stage, fresh].map((each) => {
    for (const ghost of each.all(BALL)) ghost.fields.ghost = ghost.id === 1 ? 1 : 0;
    each.spawn(CRATE, { x: 0.9, y: 1.5, vx: -1 });
    run(each, 15);
    each.save(snapshot);
    return snapshot.words.slice(0, snapshot.length);
  });
  assertEquals(words[0], words[1]);
});

Deno.test("teleport: moves the origin, counts, wakes, keeps velocity, and touches in the same world step (SPEC 9.5)", () => {
  const stage = new Stage({ ...YARD, substeps: 1 });
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  const other = stage.spawn(CRATE, { x: 5, y: 0.4 });
  run(stage, 60);
  assert(!crate.awake);
  stage.setVelocity(crate, 0, 0);
  assert(!crate.awake, "standing still wakes nobody");
  stage.teleport(crate, 5, 1.2);
  assertEquals([crate.x, crate.y, crate.teleports, crate.awake], [5, 1.2, 1, true]);
  stage.advance();
  assertEquals(stage.touchingNow(crate).map(({ id }) => id), [other.id]);
  for (let i = 0; i < 255; i++) stage.teleport(crate, 5, 1.2);
  assertEquals(crate.teleports, 0);
});

Deno.test("despawn: a body that lay on the entity wakes and falls (SPEC 9.31)", () => {
  const stage = yard();
  const below = stage.spawn(CRATE, { x: 0, y: 0.4 });
  const above = stage.spawn(CRATE, { x: 0, y: 1.2 });
  run(stage, 80);
  assert(!above.awake);
  stage.despawn(below);
  assert(above.awake);
  run(stage, 30);
  assertAlmostEquals(above.y, 0.4, 0.05);
  assertThrows(
    () => stage.teleport(below, 0, 0),
    StageError,
    "entity 1 crate is not on this stage",
  );
  assertEquals(stage.get(below.id), undefined);
});

Deno.test("angle: whole turns are taken off beyond 1,024 rad, the pose stays", () => {
  const stage = new Stage({ ...YARD, gravity: 0, ground: [] });
  const crate = stage.spawn(CRATE, { x: 0, y: 5, angle: 1020, spin: 40 });
  run(stage, 1);
  assertAlmostEquals(crate.angle, 1022, 1e-3);
  run(stage, 2);
  assertAlmostEquals(crate.angle, 1026 - Math.round(1026 / (2 * Math.PI)) * 2 * Math.PI, 1e-3);
});

Deno.test("stage: two interleaved stages do not disturb each other", () => {
  const end = (between: () => void): Uint32Array => {
    const stage = yard();
    const snapshot = new Snapshot();
    for (let i = 0; i < 6; i++) stage.spawn(CRATE, { x: i * 0.3, y: 1 + i, angle: i });
    for (let i = 0; i < 60; i++) {
      run(stage, 1);
      between();
    }
    stage.save(snapshot);
    return snapshot.words.slice(0, snapshot.length);
  };
  const other = yard();
  for (let i = 0; i < 9; i++) other.spawn(YARD.archetypes[i % 2]!, { x: i * 0.4, y: 2 + i });
  assertEquals(end(() => {}), end(() => run(other, 1)));
});

Deno.test("stage: an author's rule that reads the stage in the middle of a step changes nothing", () => {
  const played = (asks: boolean) => {
    let asked = 0;
    let before = 0;
    let falls = 0;
    const stage: Yard = new Stage({
      ...YARD,
      shouldCollide: () => {
        if (asks) asked += stage.contactCount;
        return true;
      },
    });
    for (let i = 0; i < 24; i++) {
      stage.spawn(BALL, { x: i % 4 * 0.9, y: 1 + Math.floor(i / 4), vx: i % 5 - 2, vy: i % 3 });
    }
    const snapshots = Array.from({ length: 80 }, () => {
      run(stage, 1);
      if (stage.contactCount < before) falls++;
      before = stage.contactCount;
      const snapshot = new Snapshot();
      stage.save(snapshot);
      return snapshot.words.slice(0, snapshot.length);
    });
    return { snapshots, asked, falls };
  };
  const { snapshots, asked, falls } = played(true);
  assert(asked > 1000 && falls > 10, `${asked} contacts counted, fewer of them ${falls} times`);
  assertEquals(snapshots, played(false).snapshots);
});
