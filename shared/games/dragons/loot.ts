/**
 * Loot. A chest hangs on a rope from each hook of the arena. Whoever rams it, shoots it, or wins a
 * joust beside its rope cuts it down. It opens at what it falls on, and what was in it lies there
 * until a dragon touches it.
 *
 *     hangs → cut → falls → open → loot → held → used
 *
 * What happens to one chest changes nothing far away, so that pages know soon what is settled
 * (`reach`). Therefore each hook has a chest of its own, contents are drawn at fixed ticks, whether
 * a chest is due or not, and pellets spread by a number that lay in their chest.
 */
import type { Contact } from "../../game_kit/game_kit.ts";
import { type Arena, isOutside, type Point } from "./arena.ts";
import type { Chest, Dragon, DragonWorld, Loot, ReadonlyChest, Shot } from "./declaration.ts";
import { facingOf, type Velocity } from "./flight.ts";
import { LOOT_WORDS } from "./loot_words.ts";
import {
  ARROW_RADIUS,
  ARROW_SPEED,
  ARROWS_MAX,
  BOOST_HOP,
  CHEST_SHUT_TICKS,
  CHEST_TICKS,
  DRAGON_RADIUS,
  LOOT_HOP,
  LOOT_TICKS,
  PELLET_RADIUS,
  PELLET_SPEED,
  PELLET_SPREAD,
  PELLETS,
  PELLETS_MAX,
  RAM_SPEED,
  ROPE_CUT_DISTANCE,
  SHIELD_TICKS,
  THROWN_SPEED_MAX,
} from "./tuning.ts";

/** How often each can be used. A shield needs no key. */
const SHOTS = { bow: 3, scatter: 2, shield: 0, boost: 3 } as const;

/** As many numbers as a field of the kind "u32" holds. */
const SEEDS = 4_294_967_296;

/** Whether this room has loot, in an arena that has hooks for it. */
export function hasLoot({ options }: Pick<DragonWorld, "options">): boolean {
  return options.loot === "on";
}

/** Hangs a chest on each free hook. Runs as a round begins, and then every `CHEST_TICKS`. */
export function hangChests(world: DragonWorld, arena: Arena): void {
  if (!hasLoot(world)) return;
  const ground = world.one(world.match.arena)!;
  const hanging = world.all("chest");
  for (const [hook, { x, y, rope }] of arena.hooks.entries()) {
    const holds = LOOT_WORDS[world.random(LOOT_WORDS.length)]!;
    const seed = world.random(SEEDS);
    if (hanging.some(({ fields }) => fields.hook === hook)) continue;
    const at = { x, y: y - rope };
    const chest = world.spawn("chest", { ...at, fields: { hook, holds, seed } });
    world.joints.add("rope", ground, chest, { x, y, bx: at.x, by: at.y, length: rope });
    world.emit("hang", chest);
  }
}

/** Brings new chests, and ends loot that nobody took. Runs after physics while a round is played. */
export function tickLoot(world: DragonWorld, arena: Arena): void {
  if (world.match.phaseTicksLeft % CHEST_TICKS === 0) hangChests(world, arena);
  for (const thing of world.all("chest", "loot", "arrow", "pellet")) {
    const isOver = thing.name === "loot" && thing.fields.ticksLeft === 0;
    if (isOver || isOutside(arena, thing) || thing.y < arena.lava) world.despawn(thing);
  }
}

/** Whether the chest still hangs on its rope. */
function doesHang(
  { joints }: Pick<DragonWorld, "joints">,
  chest: ReadonlyChest,
): boolean {
  return joints.of(chest, "rope").length > 0;
}

/**
 * A dragon touches a chest: it rams one that hangs, and opens one that has fallen, or that it lifts by
 * half of its rope.
 */
export function ramChest(
  world: DragonWorld,
  chest: Chest,
  dragon: Dragon,
  { began, speed }: Contact,
): void {
  const [rope] = world.joints.of(chest, "rope");
  if (rope === undefined) {
    if (began || chest.fields.shutTicks === 0) openChest(world, chest);
    return;
  }

  const isLifted = rope.ay - chest.y < rope.length / 2;
  if (isLifted) openChest(world, chest);
  else if (speed > RAM_SPEED) cutRope(world, chest, dragon);
}

/** A shot hits a chest. */
export function shootChest(world: DragonWorld, shot: Shot, chest: Chest): void {
  if (doesHang(world, chest)) cutRope(world, chest, shot.fields.owner);
  else openChest(world, chest);
}

/** A chest lies on something, and opens unless it still hangs. */
export function landChest(world: DragonWorld, chest: Chest): void {
  if (!doesHang(world, chest)) openChest(world, chest);
}

/** A joust cuts every rope beside it. @param at where the two met */
export function cutRopesAt(world: DragonWorld, at: Point, winner: Dragon): void {
  for (const rope of world.joints.all("rope")) {
    const chest = world.get(rope.b.id) as Chest;
    const hook = { x: rope.ax, y: rope.ay };
    if (distanceToLine(at, hook, chest) < ROPE_CUT_DISTANCE) cutRope(world, chest, winner);
  }
}

function cutRope(world: DragonWorld, chest: Chest, by: Dragon | undefined): void {
  for (const rope of world.joints.of(chest, "rope")) world.joints.remove(rope);
  chest.fields.shutTicks = CHEST_SHUT_TICKS;
  world.emit("cut", chest, by);
}

function openChest(world: DragonWorld, chest: Chest): void {
  const { x, y, fields: { holds, seed } } = chest;
  world.emit("open", chest);
  world.despawn(chest);
  world.spawn("loot", { x, y, vy: LOOT_HOP, fields: { holds, seed, ticksLeft: LOOT_TICKS } });
}

/** A dragon with a rider touches loot, and holds it from now on, in place of what it held. */
export function takeLoot(world: DragonWorld, dragon: Dragon, loot: Loot): void {
  const { fields } = dragon;
  if (fields.dead > 0) return;
  const { holds, seed } = loot.fields;
  fields.holds = holds;
  fields.shots = SHOTS[holds];
  fields.spread = seed;
  world.emit("grab", dragon, undefined, 1 + LOOT_WORDS.indexOf(holds));
  world.despawn(loot);
}

/** A dragon holds nothing any more. */
export function dropLoot({ fields }: Dragon): void {
  fields.holds = "none";
  fields.shots = 0;
}

/** Takes a blow with the shield. @returns false if the dragon holds none */
export function takesBlow(world: DragonWorld, dragon: Dragon): boolean {
  if (dragon.fields.holds !== "shield") return false;
  dropLoot(dragon);
  dragon.fields.invulnerable = SHIELD_TICKS;
  world.emit("block", dragon);
  return true;
}

/**
 * Uses what a dragon holds, instead of its fire. Runs before physics.
 * @param velocity of the dragon, which a boost changes
 * @returns false if it holds nothing that a key uses
 */
export function useLoot(world: DragonWorld, dragon: Dragon, velocity: Velocity): boolean {
  const { fields } = dragon;
  if (fields.shots === 0) return false;
  switch (fields.holds) {
    case "bow":
      if (world.all("arrow").length >= ARROWS_MAX) return true;
      shoot(world, dragon, "arrow", { radius: ARROW_RADIUS, speed: ARROW_SPEED, rise: 0 });
      world.emit("loose", dragon);
      break;
    case "scatter":
      if (world.all("pellet").length + PELLETS > PELLETS_MAX) return true;
      shootPellets(world, dragon);
      world.emit("loose", dragon);
      break;
    case "boost":
      velocity.vx = facingOf(dragon) * THROWN_SPEED_MAX;
      velocity.vy = Math.max(velocity.vy, BOOST_HOP);
      world.emit("dash", dragon);
  }

  fields.invulnerable = 0;
  fields.shots--;
  if (fields.shots === 0) dropLoot(dragon);
  return true;
}

/** Pellets fan out evenly, each one off by a bit of chance that came with the scatter. */
function shootPellets(world: DragonWorld, dragon: Dragon): void {
  const { fields } = dragon;
  for (let pellet = 0; pellet < PELLETS; pellet++) {
    // A congruential generator: the high bits, which count here, are good
    fields.spread = (Math.imul(fields.spread, 1_664_525) + 1_013_904_223) >>> 0;
    const off = fields.spread / SEEDS - 0.5;
    const rise = (pellet - (PELLETS - 1) / 2 + off) * PELLET_SPREAD;
    shoot(world, dragon, "pellet", { radius: PELLET_RADIUS, speed: PELLET_SPEED, rise });
  }
}

/** @param rise m/s upwards */
function shoot(
  world: DragonWorld,
  dragon: Dragon,
  name: "arrow" | "pellet",
  { radius, speed, rise }: {
    readonly radius: number;
    readonly speed: number;
    readonly rise: number;
  },
): void {
  const facing = facingOf(dragon);
  world.spawn(name, {
    // It begins wholly inside of the dragon, which is never inside of a wall.
    x: dragon.x + facing * (DRAGON_RADIUS - radius),
    y: dragon.y,
    vx: facing * speed,
    vy: rise,
    fields: { owner: dragon, seat: dragon.seat },
  });
}

/** How far a point is from the line between two others, metres. */
function distanceToLine(at: Point, from: Point, to: Point): number {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const along = ((at.x - from.x) * dx + (at.y - from.y) * dy) / (dx * dx + dy * dy);
  const share = Math.max(0, Math.min(1, along));
  const x = at.x - from.x - share * dx;
  const y = at.y - from.y - share * dy;
  return Math.sqrt(x * x + y * y);
}
