/** The rules of a game: plain functions that read and change the world. */
import type { Input, InputChanges } from "./declaration.ts";
import type { Chosen } from "./fields/kinds.ts";
import type { GameTypes } from "./game_types.ts";
import type { Name, Parted, ReadonlyThing, Thing, Touched } from "./world/thing.ts";
import type { Contact, Placement, World, WorldView } from "./world/world.ts";

/** A rule for the moment in which a thing begins to touch another one. */
export type OnTouch<G extends GameTypes, A extends Name<G>, B extends Name<G> | "ground"> = (
  world: World<G>,
  a: Thing<G, A>,
  b: Touched<G, B>,
  contact: Contact,
) => void;

/**
 * By name of the first thing, then of the second, which may be "ground". Things of one name touch
 * once: `a` has the smaller id. Sensors and projectiles touch, too.
 */
export type TouchRules<G extends GameTypes> = {
  readonly [A in Name<G>]?: { readonly [B in Name<G> | "ground"]?: OnTouch<G, A, B> };
};

/**
 * A rule for the end of a touch. Either of the two may be gone: `if (a.isHere)` narrows it to a
 * thing.
 */
export type OnTouchEnd<G extends GameTypes, A extends Name<G>, B extends Name<G> | "ground"> = (
  world: World<G>,
  a: Parted<G, A>,
  b: Parted<G, B>,
) => void;

/**
 * The same for things that do not touch any more, whatever has parted them: motion, `teleport`,
 * `despawn`, `become`, a mask or a joint. Each touch ends once. Projectiles hit, and have no ends.
 * Needs the feature `TOUCHES`.
 */
export type TouchEndRules<G extends GameTypes> = {
  readonly [A in Name<G>]?: { readonly [B in Name<G> | "ground"]?: OnTouchEnd<G, A, B> };
};

/** The newest round of a match. */
export interface RoundState<G extends GameTypes> {
  /** From 1; 0 before the first one. */
  readonly number: number;
  /** Whether it is over and the next one has not begun. */
  readonly isOver: boolean;
  /** The score of a seat's thing; more is better. Scores are final while `isOver`. */
  score(thing: ReadonlyThing<G, G["player"]>): number;
}

/**
 * A tick: clocks count down, `start` in the first tick, `enter`, `leave`, `drive`, physics,
 * `touch`, `touchEnd`, `tick`.
 */
export interface Rules<G extends GameTypes> {
  /** In the first tick, before all else: builds the world. */
  start?(world: World<G>): void;
  /** The place where the thing of a player or NPC begins. @param join what the player chose */
  enter(world: World<G>, seat: number, join: Chosen<G["join"]>): Placement<G, G["player"]>;
  /** Before a player's thing is despawned. */
  leave?(world: World<G>, me: Thing<G, G["player"]>): void;
  /** Before physics, for each player and NPC in the order of their seats. */
  drive?(world: World<G>, me: Thing<G, G["player"]>, input: Input<G>): void;
  /** After physics: what has begun to touch what. */
  readonly touch?: TouchRules<G>;
  /**
   * After physics: what does not touch any more. What rules part after physics has ended in the
   * next tick.
   */
  readonly touchEnd?: TouchEndRules<G>;
  /** After physics and touches. */
  tick?(world: World<G>): void;
  /**
   * The wish of an NPC, of a bot, and of a lost player's seat. A pure function of its arguments.
   * Parts that it leaves out are neutral; a dial and an aim stay.
   * @param aheadTicks the command is for so many ticks after `world.tick`
   * @param random 0 ≤ random < 1, another one for each seat and tick; no player knows it before
   */
  think?(
    world: WorldView<G>,
    me: ReadonlyThing<G, G["player"]>,
    aheadTicks: number,
    random: number,
  ): InputChanges<G>;
  /**
   * The newest round. It reads the world and nothing else. Without it there are no results, and no
   * table of the best.
   */
  round?(world: WorldView<G>): RoundState<G>;
  /** `think` decides so far ahead, 1 … 40 ticks; default 4. */
  readonly reactionTicks?: number;
}
