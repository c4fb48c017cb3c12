/**
 * Every figure of the dragon game, with its unit and its reason. A change here changes the
 * simulation's results. The id in `game.ts` and the golden hashes must then change, too.
 */

/** Seats below belong to players. */
export const FIRST_NPC_SEAT = 16;
/** Ticks per second. 50 ms is the longest tick at which a predicted flap still feels immediate. */
export const TICK_HZ = 20;
/** World steps per tick. One step of 50 ms lets a stack of crates topple by itself (DESIGN 4). */
export const SUBSTEPS = 2;
/** m/s², downwards. More than on Earth, so that wings are needed all the time. */
export const GRAVITY = 14;

// ── Flight
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres: half a dragon's height. The lance is at the dragon's centre. */
export const DRAGON_RADIUS = 0.55;
/** m/s that one flap adds upwards: 0.9 m of height from level flight. */
export const FLAP_RISE = 5;
/** m/s that one flap adds toward the direction held. */
export const FLAP_THRUST = 2.2;
/** Least ticks from one flap to the next. */
export const FLAP_COOLDOWN_TICKS = 3;
/** Ticks that a press during the cooldown waits for its end. */
export const FLAP_BUFFER_TICKS = 2;
/** Ticks between the flaps of a held button. Tapping can be faster, so tapping pays. */
export const FLAP_REPEAT_TICKS = 4;
/**
 * m/s: no flap makes a dragon rise faster. Otherwise two dragons could stay under the ceiling for
 * good.
 */
export const RISE_MAX = 7.5;
/**
 * m/s: no dragon falls faster. In one world step this is 0.3 m, less than a ledge and a dragon's
 * radius together.
 */
export const FALL_MAX = 12;
/** m/s that wings and steering reach in the air: more than running, so a take-off pays. */
export const FLY_SPEED_MAX = 8;
/** m/s: the largest sideways speed, also after a bounce, so that a bounce stays readable. */
export const THROWN_SPEED_MAX = 11;
/**
 * m/s per tick that steering adds in the air without a flap: enough for corrections, too little for
 * flight.
 */
export const AIR_STEER = 0.3;
/** m/s: the largest running speed. */
export const RUN_SPEED = 6;
/** m/s per tick on the ground, also for braking: full speed after 4 ticks. */
export const RUN_STEER = 1.5;
/**
 * Ticks after leaving the ground in which a dragon still counts as standing: a late take-off at an
 * edge is forgiven.
 */
export const COYOTE_TICKS = 2;

// ── Joust
// ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres by which the winning lance must be higher: about half a radius, visible at a glance. */
export const LANCE_LEAD = 0.25;
export const JOUST_SCORE = 2;
/** Restitution between two dragons. */
export const CLASH_RESTITUTION = 0.9;
/**
 * m/s: two clashing dragons part at least this fast, however slowly they met. A clash is never a
 * slow push.
 */
export const CLASH_PART_SPEED = 5;
/** m/s upwards that a clash gives to a standing dragon: 0.4 s in the air. */
export const CLASH_HOP = 3;
/** Least ticks from a clash to the next joust of either dragon. */
export const TRUCE_TICKS = 6;
/**
 * Ticks without a rider before the respawn: 1.5 s, long enough to hurt, short enough that players
 * stay.
 */
export const DEAD_TICKS = 30;
/**
 * Ticks of invulnerability after entering or respawning: 2 s. The first fireball of one's own ends
 * it.
 */
export const INVULNERABLE_TICKS = 40;

// ── Fire
// ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const CHARGES_MAX = 3;
/**
 * Charges after a respawn. With all three, random play lost three riders to fire for each rider
 * lost to a lance.
 */
export const RESPAWN_CHARGES = 1;
/** Ticks for one charge to return: 2 s. */
export const RECHARGE_TICKS = 40;
/** Metres. */
export const FIREBALL_RADIUS = 0.15;
/** kg: half a dragon's density. A hit is noticeable and throws no dragon. */
export const FIREBALL_MASS = 0.035;
/** m/s in the direction that the dragon faces. */
export const FIREBALL_SPEED = 12;
/**
 * Share of the dragon's velocity that its fireball inherits. With 1 it feels slippery; with 0 a
 * dragon can catch up with it.
 */
export const FIREBALL_INHERITS = 0.5;
/**
 * How far a deed reaches. A fireball has 12 m/s and half of its dragon's speed, and an egg that two
 * dragons squeezed out had 20. In one tick a dragon touches another one, and that one a third.
 */
export const DEED_REACH = { metres: 2.5, metresPerSecond: 24 } as const;
/**
 * With loot a joust also lets a chest fall: 0.6 m from a dragon to where they met, 1.1 m to the
 * rope, and at most 1.6 m along it.
 */
export const LOOT_REACH = { ...DEED_REACH, metres: 3.3 } as const;
export const FIREBALL_GRAVITY_SCALE = 0.2;
export const FIREBALL_RESTITUTION = 0.8;
/** Ticks: 2.5 s, two or three bounces. */
export const FIREBALL_TICKS = 50;
export const FIRE_SCORE = 1;

// ── Eggs
// ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres: about half of a dragon's radius, easy to see and still a target that needs aim. */
export const EGG_RADIUS = 0.3;
export const EGG_RESTITUTION = 0.3;
/**
 * 1/s. Without damping an egg would roll to the wall; this one rolls a metre or two and sleeps
 * after 3 s, which is cheap.
 */
export const EGG_SPIN_DAMPING = 10;
/** Points for an egg from the ground or a crate, and for an egg caught before it landed. */
export const EGG_SCORE = 1;
export const EGG_CAUGHT_SCORE = 2;
/**
 * Ticks in which nobody can take a new egg, so the winner must come back for it. It falls 1.7 m
 * meanwhile.
 */
export const EGG_FRESH_TICKS = 10;
/** Ticks from laying to the request for a seat: 8 s, enough to cross the arena twice. */
export const HATCH_TICKS = 160;
/**
 * Most hatched dragons and hatching eggs at once: the default number of NPCs, so that the arena
 * stays readable.
 */
export const HATCHLINGS_MAX = 4;
/**
 * Most eggs at once; a rider lost beyond that leaves none. Twenty dragons unseated within a second
 * leave no more.
 */
export const EGGS_MAX = 20;

// ── Loot
// ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Half a chest's side, metres: smaller than a crate. */
export const CHEST_HALF = 0.35;
/** kg/m²: a third of a dragon's, so that a chest swings when somebody brushes it. */
export const CHEST_DENSITY = 0.3;
/** Ticks between two times at which free hooks get a chest: 20 s. */
export const CHEST_TICKS = 400;
/**
 * Ticks in which a chest that was cut down does not open at whoever still touches it: it falls
 * first, and does not ride on a dragon's back for good.
 */
export const CHEST_SHUT_TICKS = 8;
/** m/s: who touches a hanging chest faster than this rams it down. */
export const RAM_SPEED = 2;
/** Metres from a rope within which a joust cuts it: two dragons' radii. */
export const ROPE_CUT_DISTANCE = 1.1;
/** m/s upwards of what comes out of a chest: it is seen before it is taken. */
export const LOOT_HOP = 4;
/** Metres: as large as an egg. */
export const LOOT_RADIUS = 0.3;
/** Ticks that loot lies there: 12 s. */
export const LOOT_TICKS = 240;
/** m/s: faster than a fireball, and with gravity's share still below what a deed may reach. */
export const ARROW_SPEED = 20;
export const ARROW_RADIUS = 0.1;
export const ARROW_GRAVITY_SCALE = 0.15;
/** Ticks: 1.2 s, most of the arena's width. */
export const ARROW_TICKS = 24;
/** Most arrows at once. One more stays on the bow. */
export const ARROWS_MAX = 16;
/** Pellets of one shot; m/s of each; m/s by which the way of the next one goes higher. */
export const PELLETS = 5;
export const PELLET_SPEED = 15;
export const PELLET_SPREAD = 1.6;
export const PELLET_RADIUS = 0.08;
/** Ticks: 0.5 s, so a scatter is for near rivals. */
export const PELLET_TICKS = 10;
/** Most pellets at once: eight shots. One more stays loaded. */
export const PELLETS_MAX = 40;
/** Ticks in which a shield that took a blow protects: half a second, to part. */
export const SHIELD_TICKS = 10;
/** m/s: a boost gives at least this rise, and the greatest sideways speed. */
export const BOOST_HOP = 2;

// ── Rounds
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks of play: 90 s. */
export const ROUND_TICKS = 1800;
/**
 * Most ticks of sudden death, which follows a round without a single best dragon: 20 s. The first
 * lead ends it.
 */
export const SUDDEN_DEATH_TICKS = 400;
/** Most ticks of a round's result: 8 s. */
export const RESULT_TICKS = 160;
/** Least ticks of a round's result: 6.5 s, however many flap. It takes that long to read. */
export const RESULT_TICKS_MIN = 130;
/** Most and least ticks of the podium at a set's end: 15 s and 8.5 s. */
export const PODIUM_TICKS = 300;
export const PODIUM_TICKS_MIN = 170;
/**
 * Ticks of a result in which no press means "ready": 1 s. They were meant for the round that has
 * just ended.
 */
export const DELIBERATE_TICKS = 20;

// ── Crates
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks between two replacements: 5 s. */
export const CRATE_DROP_TICKS = 100;
/** Ticks that a crate burns before it is gone: 3 s. */
export const CRATE_BURN_TICKS = 60;
/**
 * m/s: a crate that hits a dragon from above faster than this stuns it. A fall of 0.6 m is enough.
 */
export const CRUSH_SPEED = 4;
/** Ticks without control after a stun: 0.6 s. */
export const STUN_TICKS = 12;

// ── Arenas
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** m/s of the lift: slower than a dragon climbs, so that it is a place and no shortcut. */
export const LIFT_SPEED = 1.5;
/** Ticks between two turns of the lift's motor: 7.5 s. It waits a second at each end. */
export const LIFT_TURN_TICKS = 150;
/** N: ten crates and two dragons are 100 N. More would press dragons through the floor. */
export const LIFT_FORCE_MAX = 160;
/** Half the width and half the height of the lift, metres. */
export const LIFT_HALF = [1.8, 0.2] as const;
/** kg/m²: so heavy that a dragon who lands on it hardly moves it. */
export const LIFT_DENSITY = 8;
/** Ticks that the troll's hand holds a rider before they sink: 2 s. */
export const GRIP_TICKS = 40;
/** Flaps that free a rider from the hand. */
export const GRIP_FLAPS = 5;
/** m/s upwards of a rider who got free: 2.9 m, out of the hand's reach. */
export const GRIP_FREE_SPEED = 9;
/** The hand's spring: so stiff that a flap lifts a gripped dragon by a quarter of a metre. */
export const HAND_SPRING = { frequencyHz: 2.5, dampingRatio: 0.4 } as const;

/** Half the width and half the height of a bridge, metres. */
export const BRIDGE_HALF = [3.4, 0.18] as const;
/** Ticks of a round after which a bridge falls: 45 s. */
export const BRIDGE_TICK = 900;
/** Ticks for which it burns before: 5 s, time enough to leave it. */
export const BRIDGE_FLAME_TICKS = 100;

// ── Modes
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks between two eggs of an Egg Rush: 2 s. */
export const RUSH_EGG_TICKS = 40;
/** Most eggs of an Egg Rush before none falls any more. */
export const RUSH_EGGS_MAX = 12;
/** The seat of an egg that nobody laid. */
export const WILD_SEAT = 32;
/** Points for bringing the golden egg home: more than two jousts, because it takes longer. */
export const CAPTURE_SCORE = 5;
/** Metres from its edge at which a team is at home. */
export const HOME_DEPTH = 2.5;
/** Metres: larger than an egg. */
export const RELIC_RADIUS = 0.4;
/** Ticks before the storms begin to come in: 10 s. */
export const STORM_CALM_TICKS = 200;
/** How much of the arena's width each storm covers at the end. */
export const STORM_DEPTH_SHARE = 0.32;
/** m/s at which a storm blows: faster than a dragon runs, slower than it flies. */
export const STORM_WIND = 7;

// ── The Wyrm
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks of a round after which it comes: 60 s. */
export const WYRM_TICK = 1200;
/** Ticks of a leg of its way, for which its way is known ahead at least. */
export const WYRM_LEG_TICKS = 40;
/** Metres: twice a dragon. */
export const WYRM_RADIUS = 1.1;
export const WYRM_SCORE = 3;
/** The cosine of the widest angle off its way at which a dragon is before its jaws: 45 degrees. */
export const WYRM_FRONT = 0.7;

// ── Spawning
// ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Metres: a spawn point with a crate nearer than this is not free. A dragon's radius and a crate's
 * half diagonal.
 */
export const SPAWN_POINT_CLEARANCE = 1.15;
