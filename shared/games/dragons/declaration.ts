/**
 * The dragon game's declaration: what a player controls, the things with their fields, the match's
 * fields, events, and the ground made from the arena. All state of the game is declared here.
 */
import {
  axis,
  choice,
  clock,
  type DeclaredSimulation,
  declareGame,
  type FixtureDef,
  flag,
  type GameCommand,
  hold,
  type InputOf,
  press,
  type ReadonlyThingOf,
  reference,
  stopwatch,
  type ThingOf,
  type TypesOf,
  type WorldOf,
  type WorldViewOf,
} from "../../game_kit/game_kit.ts";
import { type Arena, CRATE_HALF } from "./arena.ts";
import * as tuning from "./tuning.ts";

/** 32 dragons with five fireballs each, all crates and all eggs are 222. */
const ENTITIES_MAX = 256;

/** Bits of `category` and `mask`. */
const DRAGONS = 2;
const FIREBALLS = 4;
const CRATES = 8;
const EGGS = 16;
const EVERYTHING = 0xffff;

/** What players call each kind of NPC. */
export const NPC_WORDS = { drifter: "Drifter", hunter: "Hunter" } as const;

/** Declares the game in one arena. */
export function declareDragons(arena: Arena) {
  return declareGame({
    id: "dragons-9",
    title: "Dragons",
    tickHz: tuning.TICK_HZ,
    substeps: tuning.SUBSTEPS,
    gravity: tuning.GRAVITY,
    ground: groundOf(arena),
    restitutions: [["dragon", "dragon", tuning.CLASH_RESTITUTION]],
    limits: { entities: ENTITIES_MAX },
    npcs: NPC_WORDS,

    // Either hand can do everything. Shift is no key here: five presses of it open a system dialog on
    // Windows.
    command: {
      dir: axis({
        keys: { less: ["ArrowLeft", "KeyA"], more: ["ArrowRight", "KeyD"] },
        label: "Fly",
      }),
      flapHeld: hold({ of: "flaps" }),
      flaps: press({
        keys: ["ArrowUp", "KeyW", "Space"],
        // Lower face button, right shoulder, up
        gamepad: [0, 5, 12],
        label: "Flap",
      }),
      fires: press({
        keys: ["KeyF", "KeyX", "KeyJ"],
        // Left face button, right trigger
        gamepad: [2, 7],
        label: "Breathe fire",
        touchLabel: "Fire",
      }),
    },

    /** How many rounds a set has at most: who wins more than half of them has won it. */
    options: { rounds: choice("3", "1", "5") },

    match: {
      phase: choice("playing", "result"),
      /** Ticks until the phase ends. */
      phaseTicksLeft: clock(),
      /** The round's number in the match, and in its set; both from 1. */
      round: "u32",
      roundOfSet: "u8",
      /** Whether the round goes on because nobody was ahead at its end. */
      suddenDeath: flag(),
      /** Whether the round whose result shows was the set's last one. */
      setOver: flag(),
    },

    things: {
      dragon: {
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
          /** Points in this round, and in the rounds of the set before it. */
          score: "u32",
          earlierScore: "u16",
          /** Rounds of the set that it has won. */
          wins: "u8",
          facing: choice("right", "left"),
          /** All presses of each button since it entered. */
          flapPresses: "u32",
          firePresses: "u32",
          /** Ticks since the last flap; ticks that a press may still wait for one. */
          flapAge: stopwatch(),
          flapBuffer: clock(),
          /** Ticks since it stood on the ground. */
          airborne: stopwatch(),
          /** Presses that wait for a fireball, at most 3; charges left; ticks until the next one. */
          firesWaiting: "u8",
          charges: "u8",
          recharge: clock(),
          /** Remaining ticks of each condition. */
          stun: clock(),
          invulnerable: clock(),
          truce: clock(),
          dead: clock(),
          /** Whether the player requests the next round. */
          ready: flag(),
        },
      },

      fireball: {
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
          /** The dragon that breathed it, while it is there, and that dragon's seat. */
          owner: reference("dragon"),
          seat: "u8",
        },
      },

      crate: {
        body: {
          fixtures: [{
            shape: { box: [CRATE_HALF, CRATE_HALF] },
            density: 0.6,
            friction: 0.5,
            category: CRATES,
          }],
        },
        fields: {
          /** Ticks until it has burnt down; 0 if it does not burn. */
          burning: clock(),
        },
      },

      egg: {
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
          /** Ticks since it was laid. */
          age: stopwatch(),
          /** Whether it has touched the ground or a crate. */
          landed: flag(),
          /** The NPC seat that it hatches into; 0 until it has one. */
          hatchSeat: "u8",
        },
      },
    },
    player: "dragon",

    events: {
      /** The dragon beat its wings; it breathed the fireball `other`. */
      flap: "at once",
      fire: "at once",
      /** The dragon landed after a flight. */
      land: "likely",
      /** The dragon and `other` met at the same height. */
      clash: "likely",
      /** The crate `other` stunned the dragon. */
      crush: "likely",
      /** The dragon entered for a new seat; it is back at a spawn point. */
      enter: "likely",
      respawn: "likely",
      /** Fire from the dragon `other` hit the crate. */
      ignite: "likely",
      /** The dragon lost its rider: to the lance of `other`, or to the fire of `other`. */
      joust: "certain",
      burn: "certain",
      /** The egg was laid by the dragon `other`; the dragon `other` took it; no seat was free for it. */
      egg: "certain",
      take: "certain",
      wither: "certain",
      /** The dragon hatched from the egg `other`. */
      hatch: "certain",
      /** The round is over, and the dragon won; after a draw it happens in the middle of the arena. */
      round: "certain",
      /** Nobody is ahead at the end of the round, which goes on, in the middle of the arena. */
      suddenDeath: "certain",
      /** The next round begins, in the middle of the arena. */
      start: "certain",
    },

    // A riderless dragon collides only with crates and the ground. A fireball passes through the
    // dragon that breathed it. Eggs and dragons touch without a push: the dragon takes the egg.
    shouldCollide(a, b) {
      if (a.name === "dragon" && (b.name === "egg" || a.fields.dead > 0 && b.name !== "crate")) {
        return false;
      }
      if (b.name === "dragon" && (a.name === "egg" || b.fields.dead > 0 && a.name !== "crate")) {
        return false;
      }
      if (a.name === "fireball" && a.fields.owner === b) return false;
      return !(b.name === "fireball" && b.fields.owner === a);
    },
  });
}

type DragonDeclaration = ReturnType<typeof declareDragons>;

/** The dragon game's types. */
export type DragonTypes = TypesOf<DragonDeclaration>;
/** One match, as rules see and change it. */
export type DragonWorld = WorldOf<DragonDeclaration>;
/** One match, as views, bots and NPCs see it. */
export type DragonWorldView = WorldViewOf<DragonDeclaration>;
/** What a player does in one tick. */
export type DragonInput = InputOf<DragonDeclaration>;
/** A command as it travels. */
export type DragonCommand = GameCommand<DragonTypes>;
/** The simulation that netcode steps. */
export type DragonSimulation = DeclaredSimulation<DragonTypes>;
/** A dragon, as rules see and change it. */
export type Dragon = ThingOf<DragonDeclaration, "dragon">;
/** A dragon, as views, bots and NPCs see it. */
export type ReadonlyDragon = ReadonlyThingOf<DragonDeclaration, "dragon">;
export type Fireball = ThingOf<DragonDeclaration, "fireball">;
export type Crate = ThingOf<DragonDeclaration, "crate">;
export type Egg = ThingOf<DragonDeclaration, "egg">;
export type ReadonlyEgg = ReadonlyThingOf<DragonDeclaration, "egg">;

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
