/**
 * Every number of the dragon game, with its unit and its reason. A change here changes what the simulation computes: the id
 * in `game.ts` and the golden hashes change with it.
 */

/** Ticks per second: 50 ms is the coarsest step at which flapping still feels immediate when it is predicted. */
export const TICK_HZ = 20;
/** World steps per tick: one 50 ms step lets a stack of crates topple by itself. */
export const SUBSTEPS = 2;
/** m/s², downwards: heavier than the Earth, so that wings are needed all the time. */
export const GRAVITY = 14;

// ── Flight ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres: half a dragon's height, and its lance is at its middle. */
export const DRAGON_RADIUS = 0.55;
/** m/s that one beat of the wings adds upwards: 0.9 m of height from level flight. */
export const FLAP_RISE = 5;
/** m/s that one beat adds toward the direction held. */
export const FLAP_THRUST = 2.2;
/** Ticks from one flap to the earliest next one. */
export const FLAP_COOLDOWN_TICKS = 3;
/** Ticks for which a press that came during the cooldown waits for its end. */
export const FLAP_BUFFER_TICKS = 2;
/** Ticks between the flaps of a held button: slower than tapping can be, so that tapping pays. */
export const FLAP_REPEAT_TICKS = 4;
/** m/s: no flap lifts beyond this, or two dragons under the ceiling would live there. */
export const RISE_MAX = 7.5;
/** m/s: nothing falls faster. At half a step this is 0.3 m, less than a ledge and a dragon's radius. */
export const FALL_MAX = 12;
/** m/s that own effort can reach in the air; faster than running, so that it is worth to take off. */
export const FLY_SPEED_MAX = 8;
/** m/s in any sideways direction, also when thrown: a bounce stays readable. */
export const THROWN_SPEED_MAX = 11;
/** m/s per tick that steering without flapping adds in the air: enough to correct, too little to fly by. */
export const AIR_STEER = 0.3;
/** m/s on the ground. */
export const RUN_SPEED = 6;
/** m/s per tick on the ground, also when braking: full speed after 4 ticks. */
export const RUN_STEER = 1.5;
/** Ticks after the ground was left for which it still counts: the take-off from an edge is forgiven. */
export const COYOTE_TICKS = 2;

// ── Joust ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres by which a lance must be higher to win: half a radius, visible at a glance. */
export const LANCE_LEAD = 0.25;
export const JOUST_SCORE = 2;
/** Share of the closing speed that two dragons bounce off with. */
export const CLASH_RESTITUTION = 0.9;
/** m/s at which two clashing dragons part at least, also when they crept together: a clash is never a slow push. */
export const CLASH_PART_SPEED = 5;
/** m/s upwards at which who stood when clashing is thrown off its feet: 0.4 s in the air. */
export const CLASH_HOP = 3;
/** Ticks from a clash to the earliest next joust of either. */
export const TRUCE_TICKS = 6;
/** Ticks from losing the rider to coming back: 1.5 s, long enough to be felt and short enough not to be left. */
export const DEAD_TICKS = 30;
/** Ticks after coming in for which nothing hurts: 2 s; the first attack ends it. */
export const INVULNERABLE_TICKS = 40;

// ── Fire ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const CHARGES_MAX = 3;
/** Who comes back has no more: when death filled the mouth, random play lost three riders to fire for each one to a lance. */
export const RESPAWN_CHARGES = 1;
/** Ticks until one charge is back: 2 s. */
export const RECHARGE_TICKS = 40;
/** Metres. */
export const FIREBALL_RADIUS = 0.15;
/** kg: half a dragon's density. Its blow is felt, and throws nobody. */
export const FIREBALL_MASS = 0.035;
/** m/s toward where the dragon looks. */
export const FIREBALL_SPEED = 12;
/** Share of the dragon's own velocity that its fireball keeps: all of it feels slippery, none of it lets one outrun it. */
export const FIREBALL_INHERITS = 0.5;
export const FIREBALL_GRAVITY_SCALE = 0.2;
export const FIREBALL_RESTITUTION = 0.8;
/** Ticks: 2.5 s, two or three bounces. */
export const FIREBALL_TICKS = 50;
export const FIRE_SCORE = 1;

// ── Eggs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres: half as high as a dragon, so that it is seen at once and still has to be aimed for. */
export const EGG_RADIUS = 0.3;
export const EGG_RESTITUTION = 0.3;
/** 1/s: a round egg would roll to the wall; this one rolls a metre or two, and sleeps, which is cheap, after 3 s. */
export const EGG_SPIN_DAMPING = 10;
/** Points for an egg; for one that has not touched ground or crate. */
export const EGG_SCORE = 1;
export const EGG_CAUGHT_SCORE = 2;
/** Ticks for which nobody can take it: the lance that laid it must come back for it. It falls 1.7 m meanwhile. */
export const EGG_FRESH_TICKS = 10;
/** Ticks from laying to hatching: 8 s, time to cross the arena twice. */
export const HATCH_TICKS = 160;
/** Hatched dragons and hatching eggs at once: as many as there are NPCs by default, so the arena stays readable. */
export const HATCHLINGS_MAX = 4;
/** Eggs at once; a rider lost beyond that leaves none. All of twenty dragons unseated in one second leave no more. */
export const EGGS_MAX = 20;

// ── Rounds ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks of play: 90 s. */
export const ROUND_TICKS = 1800;
/** Ticks of the result, at most: 8 s. */
export const RESULT_TICKS = 160;
/** Ticks of the result, at least: 1 s. Presses before that were meant for the round that has just ended. */
export const RESULT_TICKS_MIN = 20;

// ── Crates ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** As many as the arena's stack; a burnt one is replaced. */
export const CRATES_MAX = 10;
/** Ticks between two crates falling from the sky while some are missing: 5 s. */
export const CRATE_DROP_TICKS = 100;
/** Ticks from the first flame to nothing: 3 s. */
export const CRATE_BURN_TICKS = 60;
/** m/s: a crate that comes down on a dragon faster than this stuns it. A fall of 0.6 m reaches it. */
export const CRUSH_SPEED = 4;
/** Ticks: 0.6 s without obeying. */
export const STUN_TICKS = 12;

// ── Coming in ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metres: a pad with a crate nearer than this is not free; a dragon and a crate's half diagonal. */
export const SPAWN_POINT_CLEARANCE = 1.15;

// ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ticks for which an assumed command repeats what was held; 150 ms, as Rocket League does it. */
export const ASSUME_HELD_TICKS = 3;
