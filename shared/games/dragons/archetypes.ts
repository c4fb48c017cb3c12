/**
 * The dragon stage: four archetypes with their fields, the match's fields, and the ground made from
 * an arena. All state of the game is declared here. Anything else does not survive a tick.
 */
import type { Clocks } from "../../physics/stage/body_stream.ts";
import type { Entity, Stage } from "../../physics/stage/stage.ts";
import {
  type Archetype,
  archetype,
  type FieldSpec,
  type FixtureDef,
  type StageDef,
  type StagedEntity,
} from "../../physics/core/types.ts";
import { type Arena, CRATE_HALF } from "./arena.ts";
import { PRESS_FIELDS } from "./command.ts";
import * as tuning from "./tuning.ts";

/** 32 dragons with five fireballs each, all crates and all eggs are 222. */
const ENTITIES_MAX = 256;
const DRAGONS = 2;
const FIREBALLS = 4;
const CRATES = 8;
const EGGS = 16;
const EVERYTHING = 0xffff;

export const DRAGON = archetype({
  name: "dragon",
  body: {
    fixtures: [{
      shape: { circle: tuning.DRAGON_RADIUS },
      density: 1,
      friction: 0.15,
      category: DRAGONS,
    }],
    fixedRotation: "upright",
  },
  fields: {
    seat: "u8",
    score: "u32",
    /** -1 or 1. */
    facing: "i32",
    ...PRESS_FIELDS,
    /**
     * Ticks since the last flap, at most 255; ticks that a press may still wait; ticks since the
     * ground, at most 255.
     */
    flapAge: "u8",
    flapBuffer: "u8",
    airborne: "u8",
    /** Presses that wait for a fireball, at most 3; charges left; ticks toward the next charge. */
    firesWaiting: "u8",
    charges: "u8",
    recharge: "u8",
    /** Remaining ticks of each condition. */
    stun: "u8",
    invulnerable: "u8",
    truce: "u8",
    dead: "u8",
    /** 1 if the player requests the next round. */
    ready: "u8",
  },
});

export const FIREBALL = archetype({
  name: "fireball",
  projectile: {
    radius: tuning.FIREBALL_RADIUS,
    gravityScale: tuning.FIREBALL_GRAVITY_SCALE,
    restitution: tuning.FIREBALL_RESTITUTION,
    mass: tuning.FIREBALL_MASS,
    bouncesMax: 255,
    lifeTicks: tuning.FIREBALL_TICKS,
    category: FIREBALLS,
    mask: EVERYTHING & ~EGGS,
    expiresOn: DRAGONS | CRATES,
  },
  fields: {
    /** The id of the dragon that breathed it, and that dragon's seat. */
    owner: "u32",
    seat: "u8",
  },
});

export const CRATE = archetype({
  name: "crate",
  body: {
    fixtures: [{
      shape: { box: [CRATE_HALF, CRATE_HALF] },
      density: 0.6,
      friction: 0.5,
      category: CRATES,
    }],
  },
  fields: {
    /** Ticks since it caught fire; 0 if it does not burn. */
    burning: "u8",
  },
});

export const EGG = archetype({
  name: "egg",
  body: {
    fixtures: [{
      shape: { circle: tuning.EGG_RADIUS },
      density: 0.5,
      friction: 0.5,
      restitution: tuning.EGG_RESTITUTION,
      category: EGGS,
      mask: EVERYTHING & ~FIREBALLS & ~EGGS,
    }],
    angularDamping: tuning.EGG_SPIN_DAMPING,
  },
  fields: {
    /** The seat of the rider in it. */
    seat: "u8",
    /** The NPC tier that would hatch (`npc/seats.ts`). */
    tier: "u8",
    /** Ticks since it was laid, at most `HATCH_TICKS`. */
    age: "u8",
    /** 1 once it has touched the ground or a crate. */
    landed: "u8",
    /** The NPC seat that it hatches into; 0 until it has one. */
    hatchSeat: "u8",
  },
});

/** Every archetype of the game; poses, validation and the start of a round follow this list. */
export const ARCHETYPES: readonly Archetype[] = [DRAGON, FIREBALL, CRATE, EGG];

const MATCH_FIELDS = {
  /** The generator's state (`random.ts`). */
  random: "u32",
  /** NPC seats filled from the start. */
  npcs: "u8",
  /** Bit n for seat 16 + n: requested for an egg; played by a Hunter. */
  hatchlings: "u16",
  hunters: "u16",
  /** PLAYING or RESULT (`rounds.ts`); the phase's remaining ticks; the round's number, from 1. */
  phase: "u8",
  phaseTicksLeft: "u16",
  round: "u32",
} as const satisfies FieldSpec;

export type Dragon = Entity<typeof DRAGON.fields>;
export type Fireball = Entity<typeof FIREBALL.fields>;
export type Crate = Entity<typeof CRATE.fields>;
export type Egg = Entity<typeof EGG.fields>;
export type DragonStage = Stage<typeof MATCH_FIELDS>;
export type MatchFields = DragonStage["fields"];

/** Narrows an entity to a dragon with its fields. */
export function isDragon(entity: Entity): entity is Dragon {
  return entity.archetype.name === DRAGON.name;
}

/** The seat whose commands fly an entity; −1 for all but dragons. */
export function seatOf(entity: Entity): number {
  return isDragon(entity) ? entity.fields.seat : -1;
}

/** Narrows an entity to a fireball with its fields. */
export function isFireball(entity: Entity): entity is Fireball {
  return entity.archetype.name === FIREBALL.name;
}

/** Narrows an entity to a crate with its fields. */
export function isCrate(entity: Entity): entity is Crate {
  return entity.archetype.name === CRATE.name;
}

/** Narrows an entity to an egg with its fields. */
export function isEgg(entity: Entity): entity is Egg {
  return entity.archetype.name === EGG.name;
}

/** One definition per arena: all matches of a server share what a stage compiles from it. */
const stageDefs = new WeakMap<Arena, StageDef<typeof MATCH_FIELDS>>();

/**
 * Fields that change by themselves, per tick. The body stream predicts them and does not send each
 * tick's value.
 */
export const FIELD_TIMERS: Clocks = {
  stage: { phaseTicksLeft: -1 },
  dragon: {
    flapAge: 1,
    flapBuffer: -1,
    airborne: 1,
    recharge: 1,
    stun: -1,
    invulnerable: -1,
    truce: -1,
    dead: -1,
  },
  crate: { burning: 1 },
  egg: { age: 1 },
};

/** The stage's definition for one arena. */
export function dragonStageDef(arena: Arena): StageDef<typeof MATCH_FIELDS> {
  let def = stageDefs.get(arena);
  // deno-lint-ignore wyvern/module-state -- an arena always has the same definition
  if (def === undefined) stageDefs.set(arena, def = stageDefOf(arena));
  return def;
}

function stageDefOf(arena: Arena): StageDef<typeof MATCH_FIELDS> {
  return {
    gravity: tuning.GRAVITY,
    tickHz: tuning.TICK_HZ,
    substeps: tuning.SUBSTEPS,
    ground: groundOf(arena),
    archetypes: ARCHETYPES,
    fields: MATCH_FIELDS,
    restitutions: [[DRAGON.name, DRAGON.name, tuning.CLASH_RESTITUTION]],
    shouldCollide,
    limits: { entities: ENTITIES_MAX },
  };
}

/**
 * Platforms as boxes, and three walls just outside of the arena, thick enough that nothing squeezes
 * through.
 */
function groundOf({ width, height, platforms }: Arena): FixtureDef[] {
  const box = (x: number, y: number, halfWidth: number, halfHeight: number): FixtureDef => ({
    shape: { box: [halfWidth, halfHeight], x, y },
    friction: 0.6,
  });
  return [
    ...platforms.map((platform) =>
      box(platform.x, platform.y, platform.width / 2, platform.height / 2)
    ),
    box(-1, height / 2, 1, height / 2 + 2),
    box(width + 1, height / 2, 1, height / 2 + 2),
    box(width / 2, height + 1, width / 2 + 2, 1),
  ];
}

/**
 * A riderless dragon collides only with crates and the ground. A fireball passes through the dragon
 * that breathed it. Eggs and dragons touch without a push: the dragon takes the egg.
 */
function shouldCollide(a: StagedEntity, b: StagedEntity): boolean {
  return !passesThrough(a, b) && !passesThrough(b, a);
}

function passesThrough(a: StagedEntity, b: StagedEntity): boolean {
  if (a.archetype.name === EGG.name) return b.archetype.name === DRAGON.name;
  if (a.archetype.name === DRAGON.name) {
    return a.fields["dead"]! > 0 && b.archetype.name !== CRATE.name;
  }
  return a.archetype.name === FIREBALL.name && a.fields["owner"] === b.id;
}
