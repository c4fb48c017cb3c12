/** A game's rules: plain functions that read and change the world. */
import type { Reach } from "../reach.ts";
import type { Input, InputChanges } from "./declaration.ts";
import type { Chosen } from "./fields/kinds.ts";
import type { GameTypes, NpcKind } from "./game_types.ts";
import type { Name, Parted, ReadonlyThing, Thing, Touched } from "./world/thing.ts";
import type { Contact, Placement, World, WorldView } from "./world/world.ts";

/** A rule that runs when a thing begins to touch another one, or in each tick while it does. */
export type OnTouch<G extends GameTypes, A extends Name<G>, B extends Name<G> | "ground"> = (
  world: World<G>,
  a: Thing<G, A>,
  b: Touched<G, B>,
  contact: Contact,
) => void;

/**
 * Rules by the first thing's name, then by the second's, which may be "ground". Between two things
 * with the same name a rule runs once, and `a` is the one with the smaller id. Sensors and
 * projectiles touch, too.
 */
export type TouchRules<G extends GameTypes> = {
  readonly [A in Name<G>]?: { readonly [B in Name<G> | "ground"]?: OnTouch<G, A, B> };
};

/**
 * A rule that runs when a touch ends. Either of the two may be gone: `if (a.isHere)` narrows it to
 * a thing.
 */
export type OnTouchEnd<G extends GameTypes, A extends Name<G>, B extends Name<G> | "ground"> = (
  world: World<G>,
  a: Parted<G, A>,
  b: Parted<G, B>,
) => void;

/**
 * Rules for things that stop touching, by both names as in `TouchRules`, whatever parted them:
 * motion, `teleport`, `despawn`, `become`, a mask or a joint. Each touch ends once; a projectile's
 * hit has no end. Needs the feature `TOUCHES`.
 */
export type TouchEndRules<G extends GameTypes> = {
  readonly [A in Name<G>]?: { readonly [B in Name<G> | "ground"]?: OnTouchEnd<G, A, B> };
};

/** What `think` may know besides the world. */
export interface Foresight<G extends GameTypes> {
  /**
   * The inputs that the seat will apply in the ticks before, from `world.tick + 1` on: `aheadTicks −
   * 1` of them. Valid until `think` returns.
   */
  readonly queued: readonly Input<G>[];
  /**
   * Draws a number, 0 ≤ draw < 1, that the seat and a whole number of your own determine, such as
   * the number of a leg: equal numbers give equal draws. Players cannot know it beforehand.
   */
  draw(key: number): number;
}

/**
 * What an NPC may plan for something that nobody can foresee, such as a blow: commands that are
 * announced long before may say "if struck: rise".
 */
export interface Plan<G extends GameTypes> {
  /**
   * Says whether it is so as a tick begins, before `drive`. It must read only the world and the
   * seat's thing, so that every page sees the same.
   */
  when(world: WorldView<G>, me: ReadonlyThing<G, G["player"]>): boolean;
  /**
   * What an NPC may do then, 1 … 7 by name: these inputs replace those of its command. A press
   * counts once in each tick in which the condition holds.
   */
  readonly answers: Readonly<Record<string, InputChanges<G>>>;
}

/** What `think` returns: inputs, and answers to the game's plans by their names. */
export type Thought<G extends GameTypes> = InputChanges<G> & {
  readonly if?: Readonly<Record<string, string>>;
};

/**
 * Decides the inputs for an NPC, for a bot, and for a lost player's seat. It must be a pure function
 * of its arguments. Parts that it leaves out are neutral; a dial and an aim stay. With `if` it also
 * answers plans, for NPCs alone: of several the first one in the game's order counts.
 * @param aheadTicks how many ticks after `world.tick` the inputs apply
 * @param random 0 ≤ random < 1, drawn for each seat and tick; players cannot know it beforehand
 */
export type Think<G extends GameTypes> = (
  world: WorldView<G>,
  me: ReadonlyThing<G, G["player"]>,
  aheadTicks: number,
  random: number,
  foresight: Foresight<G>,
) => Thought<G>;

/** One value for all NPCs, or one for each kind. */
export type ByNpcKind<G extends GameTypes, Value> = [NpcKind<G>] extends [never] ? Value
  : Value | { readonly [Kind in NpcKind<G>]: Value };

/** A match's newest round. The server stores its result, and pages show the same one. */
export interface RoundState<G extends GameTypes> {
  /** Counts from 1; 0 before the first round. */
  readonly number: number;
  /** Whether it is over and the next one has not begun. */
  readonly isOver: boolean;
  /**
   * Returns the points of a seat's thing in this round alone; more is better. They are final while
   * `isOver`.
   */
  score(thing: ReadonlyThing<G, G["player"]>): number;
  /**
   * Returns the points of all rounds that count together, this one included. Leave it out if each
   * round stands for itself.
   */
  total?(thing: ReadonlyThing<G, G["player"]>): number;
  /** Rounds that form a set, such as the best of three. Leave it out for rounds without an end. */
  readonly set?: SetState<G>;
}

/** Where the newest round stands in its set. The seat with most rounds won wins the set. */
export interface SetState<G extends GameTypes> {
  /** The round's number in the set, from 1. */
  readonly round: number;
  /** How many rounds the set has at most. */
  readonly of: number;
  /** Whether the round has ended the set. Pages then show a podium instead of a result. */
  readonly isOver: boolean;
  /** Returns how many rounds of the set a seat's thing has won. Between equals `total` decides. */
  wins(thing: ReadonlyThing<G, G["player"]>): number;
}

/**
 * A game's rules. In each tick clocks count down, then follow `start` (in the first tick), `enter`,
 * `entered` and `leave`, `drive`, physics, `afterPhysics`, `touch`, `touching`, `touchEnd` and
 * `tick`.
 */
export interface Rules<G extends GameTypes> {
  /** Builds the world. Runs in the first tick, before everything else. */
  start?(world: World<G>): void;
  /** Says where a player's or NPC's thing begins. @param join what the player chose */
  enter(world: World<G>, seat: number, join: Chosen<G["join"]>): Placement<G, G["player"]>;
  /**
   * Runs as soon as a player's or NPC's thing is in the world, before the next seat enters: for an
   * event at it, or for joints.
   */
  entered?(world: World<G>, me: Thing<G, G["player"]>): void;
  /** Runs before a player's thing is despawned. */
  leave?(world: World<G>, me: Thing<G, G["player"]>): void;
  /** Applies a seat's input. Runs before physics, for each player and NPC in seat order. */
  drive?(world: World<G>, me: Thing<G, G["player"]>, input: Input<G>): void;
  /**
   * Runs after physics and before touches: for what they are to find, such as who stands on the
   * ground now.
   */
  afterPhysics?(world: World<G>): void;
  /** Run after physics, for things that began to touch. */
  readonly touch?: TouchRules<G>;
  /**
   * Run after physics, in each tick in which things touch: from the one in which `touch` runs to the
   * one in which physics parts them. A projectile only hits.
   */
  readonly touching?: TouchRules<G>;
  /**
   * Run after physics, for things that stopped touching. If a rule parts things after physics,
   * their touch ends in the next tick.
   */
  readonly touchEnd?: TouchEndRules<G>;
  /** Runs after physics and touches. */
  tick?(world: World<G>): void;
  /** Plays NPCs, bots and lost players' seats: one function, or one for each kind of NPC. */
  readonly think?: ByNpcKind<G, Think<G>>;
  /** What NPCs may plan for, at most 4 by name: `think` answers them with `if`. */
  readonly plans?: Readonly<Record<string, Plan<G>>>;
  /**
   * Returns the newest round. It must read only the world. Without it a match gives no results, and
   * no table of the best.
   */
  round?(world: WorldView<G>): RoundState<G>;
  /**
   * Says how far a deed reaches in this world, so that pages show what is certain sooner: an event
   * that happens out of reach of everybody whose commands are not known yet. It must read only the
   * world. Return undefined while one deed may have consequences anywhere, such as the end of a
   * round by the next point. Without it, pages wait for the commands of all players.
   */
  reach?(world: WorldView<G>): Reach | undefined;
  /**
   * How far ahead `think` decides, 1 … 40 ticks; the default is 0.2 s. One number, or one for each
   * kind.
   */
  readonly reactionTicks?: ByNpcKind<G, number>;
}
