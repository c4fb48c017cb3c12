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
  DISTANCE,
  type FixtureDef,
  flag,
  type GameCommand,
  hold,
  type InputOf,
  jointsOf,
  press,
  PRISMATIC,
  type ReadonlyThingOf,
  reference,
  ROPE,
  stopwatch,
  type ThingOf,
  type TypesOf,
  type WorldOf,
  type WorldViewOf,
} from "../../game_kit/game_kit.ts";
import { type Arena, CRATE_HALF } from "./arena.ts";
import { ARENA_WORDS, type Arenas } from "./arenas/arenas.ts";
import { LOOT_WORDS } from "./loot_words.ts";
import { MODE_WORDS } from "./modes/mode.ts";
import * as tuning from "./tuning.ts";

/**
 * 32 dragons with five fireballs each, all crates and all eggs are 222; arrows, pellets, chests and
 * loot 64 more.
 */
const ENTITIES_MAX = 300;

/** Bits of `category` and `mask`. */
const DRAGONS = 2;
const FIREBALLS = 4;
const CRATES = 8;
const EGGS = 16;
const CHESTS = 32;
const EVERYTHING = 0xffff;

/** What players call each kind of NPC, from the weakest to the strongest. */
export const NPC_WORDS = { drifter: "Drifter", hunter: "Hunter", shadow: "Shadow" } as const;

/**
 * The kinds of a room's NPCs. Among eight equal ones a beginner came last by far; now half of the
 * rivals are as clumsy as they are, and the Shadow keeps the leader busy.
 */
const NPC_MIX = [
  "drifter",
  "drifter",
  "hunter",
  "drifter",
  "shadow",
  "drifter",
  "hunter",
  "drifter",
] as const;

/** The NPCs' own names, by their seats: short, because they stand over dragons. */
// deno-fmt-ignore
export const NPC_NAMES = [
  "Ash", "Briar", "Coal", "Dusk", "Elm", "Fern", "Gale", "Haze",
  "Iris", "Jade", "Kite", "Lark", "Moss", "Nyx", "Onyx", "Pine",
] as const;

/** What a shot knows: the dragon that it comes from, while it is there, and that dragon's seat. */
const SHOT_FIELDS = { owner: reference("dragon"), seat: "u8" } as const;

/** Declares the game. @param arenas their grounds are things, of which each round has one */
export function declareDragons(arenas: Arenas) {
  return declareGame({
    id: "dragons-10",
    title: "Dragons",
    tickHz: tuning.TICK_HZ,
    substeps: tuning.SUBSTEPS,
    gravity: tuning.GRAVITY,
    features: [jointsOf(DISTANCE, PRISMATIC, ROPE)],
    // Each round has a ground of its own, which is a thing.
    ground: [],
    restitutions: [["dragon", "dragon", tuning.CLASH_RESTITUTION]],
    limits: { entities: ENTITIES_MAX },
    npcs: NPC_WORDS,
    npcMix: NPC_MIX,
    npcNames: NPC_NAMES,

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

    options: {
      arena: choice("rotation", ...ARENA_WORDS),
      mode: choice("rotation", ...MODE_WORDS),
      /** How many rounds a set has at most: who wins more than half of them has won it. */
      rounds: choice("3", "1", "5"),
      loot: choice("on", "off"),
    },
    teams: { blue: "#3fa7ff", orange: "#ff8a3c" },

    match: {
      arena: choice(...ARENA_WORDS),
      mode: choice(...MODE_WORDS),
      /** Captures of each team, and the dragon that carries the golden egg. */
      blue: "u8",
      orange: "u8",
      carrier: reference("dragon"),
      phase: choice("playing", "result"),
      /** Ticks until the phase ends. */
      phaseTicksLeft: clock(),
      /** The round's number in the match, and in its set; both from 1. */
      round: "u32",
      roundOfSet: "u8",
      /** The round's turn in the rotation of arenas and modes, from 1. */
      turn: "u8",
      /** The turns for which players can vote beside the next one; 0 while they cannot. */
      left: "u8",
      right: "u8",
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
          /** In a Capture. */
          team: choice("none", "blue", "orange"),
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
          /** Ticks until it sinks in the troll's hand, and flaps since that gripped it. */
          grip: clock(),
          struggles: "u8",
          /** What it holds, how often that can be used, and by what its pellets spread. */
          holds: choice("none", ...LOOT_WORDS),
          shots: "u8",
          spread: "u32",
          /** Whether the player requests the next round. */
          ready: flag(),
          /** What the player votes for. */
          vote: choice("none", "left", "middle", "right"),
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
          expiresOn: DRAGONS | CRATES | CHESTS,
        },
        fields: SHOT_FIELDS,
      },

      // A bow's and a scatter's. The first hit ends them.
      arrow: {
        projectile: {
          radius: tuning.ARROW_RADIUS,
          gravityScale: tuning.ARROW_GRAVITY_SCALE,
          mass: tuning.FIREBALL_MASS,
          lifeTicks: tuning.ARROW_TICKS,
          category: FIREBALLS,
          mask: EVERYTHING & ~EGGS,
        },
        fields: SHOT_FIELDS,
      },
      pellet: {
        projectile: {
          radius: tuning.PELLET_RADIUS,
          gravityScale: tuning.FIREBALL_GRAVITY_SCALE,
          lifeTicks: tuning.PELLET_TICKS,
          category: FIREBALLS,
          mask: EVERYTHING & ~EGGS,
        },
        fields: SHOT_FIELDS,
      },

      /** It hangs from a hook of the arena, by its number, until its rope is cut. */
      chest: {
        body: {
          fixtures: [{
            shape: { box: [tuning.CHEST_HALF, tuning.CHEST_HALF] },
            density: tuning.CHEST_DENSITY,
            friction: 0.5,
            category: CHESTS,
          }],
        },
        fields: {
          hook: "u8",
          holds: choice(...LOOT_WORDS),
          /** For what its contents need of chance. */
          seed: "u32",
          shutTicks: clock(),
        },
      },

      /** What was in a chest. */
      loot: {
        body: bodyOfEgg(tuning.LOOT_RADIUS),
        fields: {
          holds: choice(...LOOT_WORDS),
          seed: "u32",
          ticksLeft: clock(),
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
        body: bodyOfEgg(tuning.EGG_RADIUS),
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

      /** The golden egg of a Capture, while nobody carries it. */
      relic: {
        body: bodyOfEgg(tuning.RELIC_RADIUS),
      },

      /** It flies through everything: `wyrm.ts` moves it. */
      wyrm: {
        body: {
          type: "kinematic",
          fixtures: [{ shape: { circle: tuning.WYRM_RADIUS }, sensor: true, mask: DRAGONS }],
        },
        fields: {
          /** The points of its way. Metres. */
          ax: "f32",
          ay: "f32",
          bx: "f32",
          by: "f32",
          cx: "f32",
          cy: "f32",
          dx: "f32",
          dy: "f32",
          ex: "f32",
          ey: "f32",
          /** How many points it has had; ticks until it is between the next two. */
          legs: "u16",
          legTicksLeft: clock(),
        },
      },

      // The arenas' grounds
      ledges: groundOf(arenas.ledges),
      foundry: groundOf(arenas.foundry),
      sky_wells: groundOf(arenas.sky_wells),
      cavern: groundOf(arenas.cavern),

      bridge: {
        body: { type: "static", fixtures: [{ shape: { box: tuning.BRIDGE_HALF }, friction: 0.6 }] },
      },

      lift: {
        body: {
          fixtures: [{
            shape: { box: tuning.LIFT_HALF },
            density: tuning.LIFT_DENSITY,
            friction: 0.6,
          }],
          gravityScale: 0,
          fixedRotation: "upright",
          allowSleep: false,
        },
      },
    },
    player: "dragon",

    joints: {
      /** The lift's rail and motor. */
      rail: {
        type: "prismatic",
        motor: { speed: tuning.LIFT_SPEED, forceMax: tuning.LIFT_FORCE_MAX },
        limits: { lower: 0, upper: liftTravel(arenas) },
      },
      /** The troll's hand. */
      hand: { type: "distance", spring: tuning.HAND_SPRING, collide: true },
      /** On which a chest hangs. */
      rope: { type: "rope", collide: true },
    },

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
      /** The troll's hand gripped the dragon; its flaps freed it; its rider sank. */
      grip: "likely",
      free: "likely",
      /** A chest was hung up; the dragon `other` cut it down; it opened. */
      hang: "likely",
      cut: "likely",
      open: "likely",
      /** The dragon shot, or dashed, with what it holds. */
      loose: "at once",
      dash: "at once",
      /** The bridge has burnt down. */
      collapse: "certain",
      /** The dragon found loot, whose number in `LOOT_WORDS`, from 1, is the amount. */
      grab: "certain",
      /** The dragon's shield took a blow. */
      block: "certain",
      sink: "certain",
      /** The dragon lost its rider: to the lance of `other`, or to the fire of `other`. */
      joust: "certain",
      burn: "certain",
      /** The dragon lost its rider to a shot of `other`. */
      shoot: "certain",
      /** The egg was laid by the dragon `other`; the dragon `other` took it; no seat was free for it. */
      egg: "certain",
      take: "certain",
      wither: "certain",
      /** The dragon hatched from the egg `other`. */
      hatch: "certain",
      /** The Wyrm comes; the dragon killed it; it took the dragon's rider. */
      wyrm: "certain",
      slay: "certain",
      devour: "certain",
      /** The dragon took the golden egg, dropped it, brought it home. */
      carry: "certain",
      drop: "certain",
      capture: "certain",
      /** The round is over, and the dragon won; after a draw it happens in the middle of the arena. */
      round: "certain",
      /** Nobody is ahead at the end of the round, which goes on, in the middle of the arena. */
      suddenDeath: "certain",
      /** The next round begins, in the middle of the arena. */
      start: "certain",
    },

    // A riderless dragon passes through dragons and shots. A shot passes through the dragon that it
    // comes from. Eggs and dragons touch without a push: the dragon takes the egg.
    shouldCollide(a, b) {
      if (a.name === "dragon" && (isTaken(b.name) || a.fields.dead > 0 && isFlying(b.name))) {
        return false;
      }
      if (b.name === "dragon" && (isTaken(a.name) || b.fields.dead > 0 && isFlying(a.name))) {
        return false;
      }
      return !isShotOf(a, b) && !isShotOf(b, a);
    },
  });
}

function isTaken(name: string): boolean {
  return name === "egg" || name === "relic" || name === "loot";
}

function isFlying(name: string): boolean {
  return name === "dragon" || isShot(name);
}

/** Whether the first thing is a shot that comes from the second one. */
function isShotOf(
  { name, fields }: { readonly name: string; readonly fields: object },
  dragon: object,
): boolean {
  return isShot(name) && (fields as { readonly owner?: object }).owner === dragon;
}

function isShot(name: string): boolean {
  return name === "fireball" || name === "arrow" || name === "pellet";
}

/** The body of an egg, and of what rolls like one. @param radius metres */
function bodyOfEgg(radius: number) {
  return {
    fixtures: [{
      shape: { circle: radius },
      density: 0.5,
      friction: 0.5,
      restitution: tuning.EGG_RESTITUTION,
      category: EGGS,
      mask: EVERYTHING & ~FIREBALLS & ~EGGS,
    }],
    angularDamping: tuning.EGG_SPIN_DAMPING,
  } as const;
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
/** What dragons shoot. */
export type Shot = ThingOf<DragonDeclaration, "fireball" | "arrow" | "pellet">;
export type Chest = ThingOf<DragonDeclaration, "chest">;
export type ReadonlyChest = ReadonlyThingOf<DragonDeclaration, "chest">;
export type Loot = ThingOf<DragonDeclaration, "loot">;
export type Crate = ThingOf<DragonDeclaration, "crate">;
export type Egg = ThingOf<DragonDeclaration, "egg">;
export type Wyrm = ThingOf<DragonDeclaration, "wyrm">;
export type ReadonlyWyrm = ReadonlyThingOf<DragonDeclaration, "wyrm">;
export type ReadonlyEgg = ReadonlyThingOf<DragonDeclaration, "egg">;

/** How far the lift goes up, metres. All lifts go equally far. */
function liftTravel(arenas: Arenas): number {
  const lift = Object.values(arenas).find(({ lift }) => lift !== undefined)?.lift;
  return lift === undefined ? 0 : lift.high - lift.low;
}

/**
 * Platforms as boxes, the ceiling, and unless the edges are one two walls, all just outside of the
 * arena and thick enough that nothing squeezes through.
 */
function groundOf({ width, height, platforms, wraps }: Arena) {
  const box = (x: number, y: number, halfWidth: number, halfHeight: number): FixtureDef => ({
    shape: { box: [halfWidth, halfHeight], x, y },
    friction: 0.6,
  });
  const walls = [
    box(-1, height / 2, 1, height / 2 + 2),
    box(width + 1, height / 2, 1, height / 2 + 2),
  ];
  const fixtures = [
    ...platforms.map(({ belt = 0, ...platform }) => ({
      ...box(platform.x, platform.y, platform.width / 2, platform.height / 2),
      surfaceSpeed: belt,
    })),
    ...(wraps ? [] : walls),
    box(width / 2, height + 1, width / 2 + 4, 1),
  ];
  return { body: { type: "static", fixtures } } as const;
}
