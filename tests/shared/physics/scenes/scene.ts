/**
 * A small world that uses every feature of a stage. It has crates that stack, sleep and tumble,
 * jumpers that push or do not, bouncing bullets, sensors and projectiles. Its rules spawn, despawn,
 * teleport and count all the time.
 *
 * `stepScene` is a pure function of the state, the tick and the seed, so a step with another seed
 * is a misprediction.
 */
import { FEATURES } from "./features.ts";
import { hashOf, nextRandom, randomBits } from "../../../../shared/random.ts";
import { BARREL, BARREL_X, BARREL_Y, CHAIN_GROUND, PEBBLE, startChains } from "./scene_chains.ts";
import { BEAD, joinTouching, JOINTS, PLANK, startJoints, stepJoints } from "./scene_joints.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type StageDef,
  type StagedEntity,
} from "../../../../shared/physics/core/types.ts";
import {
  countHits,
  mayHit,
  PROJECTILE_FIELDS,
  PROJECTILES,
  shootProjectiles,
} from "./scene_projectiles.ts";
import { CART, countReach, SHELF, SLICK, startReach, stepReach } from "./scene_reach.ts";
import {
  countRound,
  CUSHION,
  MARBLE,
  PILL,
  ROUND_GROUND,
  startRound,
  stepRound,
} from "./scene_round.ts";
import { CHANGELING, countChanges, startChanges, stepChanges } from "./scene_changes.ts";
import {
  countMoving,
  HOPPER,
  LIFT,
  MOVING_GROUND,
  RAFT,
  startMoving,
  stepMoving,
} from "./scene_moving.ts";

export const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, category: 3 }] },
  fields: { dents: "u16" },
});

/** Two fixtures of two shapes; the centre of mass is not at the origin. */
export const JUMPER = archetype({
  name: "jumper",
  body: {
    fixtures: [
      { shape: { circle: 0.5, y: -0.1 }, friction: 0.2 },
      { shape: { box: [0.5, 0.2], x: 0.1, y: 0.3 }, friction: 0.2 },
    ],
    fixedRotation: true,
    linearDamping: 0.1,
  },
  fields: { ghostTicks: "u8", hits: "u32", hardest: "f32", grounded: "u8", drift: "i32" },
});

export const BULLET = archetype({
  name: "bullet",
  body: {
    fixtures: [{ shape: { circle: 0.15 }, restitution: 0.4 }],
    bullet: true,
    gravityScale: 0.3,
  },
  fields: { ageTicks: "u8" },
});

/** Floats through everything as a sensor. */
export const CLOUD = archetype({
  name: "cloud",
  body: {
    fixtures: [{ shape: { polygon: [[-1, -0.3], [1, -0.3], [0.5, 0.6]] }, sensor: true, mask: 1 }],
    gravityScale: 0,
  },
  fields: { felt: "u16" },
});

const FIELDS = { random: "u32", impacts: "u32", parted: "u32", ...PROJECTILE_FIELDS } as const;

export const SCENE: StageDef<typeof FIELDS> = {
  gravity: 14,
  mutable: ["gravity"],
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [
    { shape: { box: [20, 0.5], x: 0, y: -0.5 } },
    { shape: { box: [0.5, 10], x: -20, y: 9 } },
    { shape: { box: [0.5, 10], x: 20, y: 9 } },
    { shape: { box: [3, 0.25], x: -6, y: 4 } },
    { shape: { box: [3, 0.25], x: 6, y: 4, angle: 0.3 } },
    { shape: { edge: [-20, 16, 20, 16] } },
    ...MOVING_GROUND,
    ...CHAIN_GROUND,
    ...ROUND_GROUND,
  ],
  archetypes: [
    CRATE,
    JUMPER,
    BULLET,
    CLOUD,
    HOPPER,
    LIFT,
    RAFT,
    ...PROJECTILES,
    PLANK,
    BEAD,
    BARREL,
    PEBBLE,
    SHELF,
    CART,
    SLICK,
    CHANGELING,
    PILL,
    CUSHION,
    MARBLE,
  ],
  joints: JOINTS,
  fields: FIELDS,
  restitutions: [["jumper", "jumper", 0.9], ["ground", "cloud", 0.1]],
  shouldCollide: (a, b) => !isGhost(a) && !isGhost(b) && mayHit(a, b),
  landsOn: (who) => (who.fields["drops"] ?? 0) === 0,
};

function isGhost({ fields }: StagedEntity): boolean {
  return (fields["ghostTicks"] ?? 0) > 0;
}

export type SceneStage = Stage<typeof FIELDS>;

/**
 * The scene at the end of its first tick.
 * @param stage new, of this declaration or of one with more ground
 */
export function startScene(seed: number, stage: SceneStage = new Stage(SCENE)): SceneStage {
  stage.fields.random = hashOf(seed, 1);
  for (let i = 0; i < 4; i++) stage.spawn(CRATE, { x: -15, y: 0.4 + i * 0.8 });
  for (let i = 0; i < 6; i++) {
    stage.spawn(CRATE, { x: 3 + i * 0.3, y: 6 + i, angle: i * 0.7, spin: i });
  }
  for (let i = 0; i < 5; i++) {
    stage.spawn(JUMPER, { x: -10 + i * 4, y: 3, fields: { drift: i - 2 } });
  }
  stage.spawn(CLOUD, { x: 0, y: 2, vx: 1 });
  startMoving(stage);
  startJoints(stage);
  startChains(stage);
  startReach(stage);
  startChanges(stage);
  startRound(stage, { x: BARREL_X, y: BARREL_Y });
  stage.endTick();
  return stage;
}

/**
 * Steps one tick. The seed replaces the commands of all players.
 * @param read called while the lists of the tick are there
 */
export function stepScene(
  stage: SceneStage,
  seed: number,
  read: (stage: SceneStage) => void = () => {},
): void {
  const random = (salt: number): number => hashOf(seed, stage.tick, salt);
  actBefore(stage, random);
  stage.advance();
  actAfter(stage, random);
  read(stage);
  stage.endTick();
}

/** The places at which `stepPartly` may leave a step. */
export const PARTS_OF_STEP = ["before physics", "after physics", "after rules"] as const;

/** Begins a tick and leaves it before `advance`, after it, or before `endTick`. */
export function stepPartly(
  stage: SceneStage,
  seed: number,
  part: typeof PARTS_OF_STEP[number],
): void {
  const random = (salt: number): number => hashOf(seed, stage.tick, salt);
  actBefore(stage, random);
  if (part === "before physics") return;
  stage.advance();
  if (part === "after rules") actAfter(stage, random);
}

function actBefore(stage: SceneStage, random: Draw): void {
  moveJumpers(stage, random);
  spawnAndDespawn(stage, random);
  shootProjectiles(stage, stage.all(JUMPER), random);
  stepMoving(stage, random);
  stepReach(stage, random);
  stepChanges(stage, random);
  stepRound(stage, random);
  stepJoints(stage, random, stage.all(JUMPER), [
    ...stage.all(CRATE),
    ...stage.all(BULLET),
    ...stage.all(BEAD),
  ]);
}

function actAfter(stage: SceneStage, random: Draw): void {
  countContacts(stage);
  countEnds(stage);
  countMoving(stage);
  countReach(stage);
  countChanges(stage);
  countRound(stage);
  countHits(stage);
  joinTouching(stage, random);
  updateFields(stage);
  stage.fields.random = nextRandom(stage.fields.random);
}

type Draw = (salt: number) => number;

function moveJumpers(stage: SceneStage, random: Draw): void {
  for (const jumper of stage.all(JUMPER)) {
    const draw = random(jumper.id);
    if (draw % 11 === 0) stage.setVelocity(jumper, jumper.vx + (draw >>> 8) % 9 - 4, 7);
    if (draw % 23 === 1) jumper.fields.ghostTicks = 30;
    if (draw % 67 === 2) stage.teleport(jumper, (draw >>> 8) % 30 - 15, 8);
    if (draw % 401 === 3) stage.teleport(jumper, -15, 6); // wakes the sleeping stack
  }
}

function spawnAndDespawn(stage: SceneStage, random: Draw): void {
  const draw = random(0);
  const jumpers = stage.all(JUMPER);
  const crates = stage.all(CRATE);
  if (draw % 3 === 0) {
    const jumper = jumpers[(draw >>> 8) % jumpers.length]!;
    const side = (draw >>> 4) % 2 === 0 ? 1 : -1;
    const at = { x: jumper.x + side * 0.9, y: jumper.y + 0.2 };
    if (draw % 9 === 0) stage.spawn(CRATE, { ...at, y: at.y + 1, vx: side * 4, spin: 3 });
    else stage.spawn(BULLET, { ...at, vx: side * 18, vy: jumper.vy });
  }
  if (crates.length > 16) stage.despawn(crates[4 + (draw >>> 6) % (crates.length - 4)]!);
  const cloud = stage.all(CLOUD)[0]!;
  if (Math.abs(cloud.x) > 12) stage.setVelocity(cloud, cloud.x > 0 ? -1 : 1, 0);
}

function countContacts(stage: SceneStage): void {
  for (const { a, b, began, approachSpeed } of stage.contactEvents) {
    if (began) stage.fields.impacts++;
    for (const one of [a, b]) {
      if (one.archetype === CLOUD) one.fields["felt"] = one.fields["felt"]! + 1 & 0xffff;
      if (one.archetype === CRATE && approachSpeed > 3) one.fields["dents"]!++;
      if (one.archetype !== JUMPER || !began) continue;
      one.fields["hits"]!++;
      if (approachSpeed > one.fields["hardest"]!) one.fields["hardest"] = approachSpeed;
    }
  }
}

/** All that is known of an ended touch counts. */
function countEnds(stage: SceneStage): void {
  for (const { a, b, fixtureA, fixtureB, segmentA, segmentB, ended } of stage.touches) {
    if (!ended) continue;
    const names = a.archetype.name.length * 31 + b.archetype.name.length;
    const parts = hashOf(fixtureA, fixtureB, hashOf(segmentA, segmentB));
    stage.fields.parted = hashOf(stage.fields.parted, a.id, hashOf(b.id, names, parts));
  }
}

function updateFields(stage: SceneStage): void {
  for (const jumper of stage.all(JUMPER)) {
    if (jumper.fields.ghostTicks > 0) jumper.fields.ghostTicks--;
    jumper.fields.grounded = stage.isSupported(jumper) ? 1 : 0;
    jumper.fields.drift = Math.floor(jumper.x * 100) + stage.touchingNow(jumper).length;
    if (randomBits(stage.fields.random) % 97 === jumper.id) stage.teleport(jumper, 0, 10);
  }
  const old = stage.all(BULLET).filter((bullet) => bullet.fields.ageTicks++ >= 40);
  for (const bullet of old) stage.despawn(bullet);
}
