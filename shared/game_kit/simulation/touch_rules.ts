/**
 * Calls the rules `touch`, `touching` and `touchEnd` for all things that began to touch, touch or
 * parted, in the stage's order: bodies, then projectiles.
 */
import type { Touch } from "../../physics/events/touches.ts";
import type { Entity } from "../../physics/stage/entity.ts";
import type { ContactEvent, Hit, Stage } from "../../physics/stage/stage.ts";
import { GameError } from "../game_error.ts";
import type { MatchWorld } from "../world/match_world.ts";
import type { ThingHandle } from "../world/thing_table.ts";
import type { Contact } from "../world/world.ts";

type LooseOnTouch = (world: MatchWorld, a: ThingHandle, b: ThingHandle, contact: Contact) => void;
type LooseOnTouchEnd = (world: MatchWorld, a: ThingHandle, b: ThingHandle) => void;
export type LooseTouchRules = Readonly<
  Record<string, Readonly<Record<string, LooseOnTouch | undefined>> | undefined>
>;
export type LooseTouchEndRules = Readonly<
  Record<string, Readonly<Record<string, LooseOnTouchEnd | undefined>> | undefined>
>;

/** The rules that this file calls. */
interface LooseRulesOfTouches {
  readonly touch?: LooseTouchRules;
  readonly touching?: LooseTouchRules;
  readonly touchEnd?: LooseTouchEndRules;
}

/** One contact, reused: rules read it while they run. */
class ContactView implements Contact {
  nx = 0;
  ny = 0;
  speed = 0;
  began = false;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  swept = false;
  readonly #stage: Stage;
  readonly #hasTouches: boolean;
  /** The pair of bodies, or else the hit, whose point is the projectile's place. */
  #pair: ContactEvent | undefined;
  #hit: Hit | undefined;
  /** Sums over the touches of the pair, made when a rule first reads one. */
  #sums: TouchSums | undefined;

  constructor(stage: Stage, hasTouches: boolean) {
    this.#stage = stage;
    this.#hasTouches = hasTouches;
  }

  get x(): number {
    return this.#hit?.x ?? this.#read("x").x;
  }

  get y(): number {
    return this.#hit?.y ?? this.#read("y").y;
  }

  get impulse(): number {
    return this.#hit === undefined ? this.#read("impulse").normal : 0;
  }

  get frictionImpulse(): number {
    return this.#hit === undefined ? this.#read("frictionImpulse").friction : 0;
  }

  /** @throws GameError without the feature */
  #read(name: string): TouchSums {
    if (!this.#hasTouches) {
      throw new GameError(
        `contact.${name} needs the feature touches: add TOUCHES to the game's features`,
      );
    }
    return this.#sums ??= sumsOf(this.#pair!, this.#stage.touches);
  }

  ofBodies(event: ContactEvent, isSwapped: boolean): this {
    const { nx, ny, ax, ay, bx, by, swept, began } = event;
    this.#pair = event;
    this.#hit = this.#sums = undefined;
    this.began = began;
    this.swept = swept;
    this.speed = event.approachSpeed;
    this.nx = isSwapped ? -nx : nx;
    this.ny = isSwapped ? -ny : ny;
    this.ax = isSwapped ? bx : ax;
    this.ay = isSwapped ? by : ay;
    this.bx = isSwapped ? ax : bx;
    this.by = isSwapped ? ay : by;
    return this;
  }

  /** Takes a hit, in which the normal leads from the target to the projectile. */
  ofHit(hit: Hit, isSwapped: boolean): this {
    const { x, y, nx, ny, target, approachSpeed } = hit;
    this.#hit = hit;
    this.began = true;
    this.swept = false;
    this.speed = approachSpeed;
    this.nx = isSwapped ? nx : -nx;
    this.ny = isSwapped ? ny : -ny;
    this.ax = isSwapped ? target.x : x;
    this.ay = isSwapped ? target.y : y;
    this.bx = isSwapped ? x : target.x;
    this.by = isSwapped ? y : target.y;
    return this;
  }
}

/** Calls the rules for one simulation. */
export class TouchDispatcher {
  readonly #world: MatchWorld;
  readonly #stage: Stage;
  /** By both names; for two things with the same name there is one rule. */
  readonly #begins: RulesOfPairs<LooseOnTouch>;
  readonly #goesOn: RulesOfPairs<LooseOnTouch>;
  readonly #ends: RulesOfPairs<LooseOnTouchEnd>;
  readonly #contact: ContactView;

  /** @param rules those of pairs @param hasTouches whether the stage has the feature */
  constructor(
    world: MatchWorld,
    stage: Stage,
    { touch = {}, touching = {}, touchEnd = {}, hasTouches }: LooseRulesOfTouches & {
      readonly hasTouches: boolean;
    },
  ) {
    this.#world = world;
    this.#stage = stage;
    this.#contact = new ContactView(stage, hasTouches);
    this.#begins = rulesOf(touch);
    this.#goesOn = rulesOf(touching);
    this.#ends = rulesOf(touchEnd);
  }

  /** Counts the pairs that began to touch in this tick, and the hits. */
  countBegun(): number {
    const { contactEvents, hits } = this.#stage;
    let count = hits.length;
    for (let i = 0; i < contactEvents.length; i++) if (contactEvents[i]!.began) count++;
    return count;
  }

  /**
   * Calls the rules in time order: what ended before physics, what began in it, what touched in it,
   * what ended in it.
   */
  dispatch(): void {
    const parted = this.#ends.size === 0 ? [] : partedOf(this.#stage.touches);
    for (const { a, b, isBefore } of parted) if (isBefore) this.#callEnd(a, b);
    if (this.#begins.size > 0) this.#dispatchPairs(this.#begins, true);
    if (this.#begins.size > 0) this.#dispatchHits();
    if (this.#goesOn.size > 0) this.#dispatchPairs(this.#goesOn, false);
    for (const { a, b, isBefore } of parted) if (!isBefore) this.#callEnd(a, b);
  }

  /** @param onlyBegun whether to leave out pairs that touched before this tick */
  #dispatchPairs(rules: RulesOfPairs<LooseOnTouch>, onlyBegun: boolean): void {
    for (const event of this.#stage.contactEvents) {
      if (onlyBegun && !event.began) continue;
      const { a, b } = event;
      const rule = ruleOf(rules, a, b);
      if (rule !== undefined) this.#call(rule, a, b, this.#contact.ofBodies(event, false));
      if (a.archetype === b.archetype) continue;
      const swapped = ruleOf(rules, b, a);
      if (swapped !== undefined) this.#call(swapped, b, a, this.#contact.ofBodies(event, true));
    }
  }

  #dispatchHits(): void {
    for (const hit of this.#stage.hits) {
      const { projectile, target } = hit;
      const rule = ruleOf(this.#begins, projectile, target);
      if (rule !== undefined) this.#call(rule, projectile, target, this.#contact.ofHit(hit, false));
      const swapped = ruleOf(this.#begins, target, projectile);
      if (swapped !== undefined) {
        this.#call(swapped, target, projectile, this.#contact.ofHit(hit, true));
      }
    }
  }

  /** Calls a rule, unless an earlier rule in this tick removed one of the two. */
  #call(rule: LooseOnTouch, a: Entity, b: Entity, contact: Contact): void {
    const { things } = this.#world;
    if (a.isOnStage && b.isOnStage) rule(this.#world, things.of(a), things.of(b), contact);
  }

  /** Calls the `touchEnd` rules for a pair; one of them may be gone. */
  #callEnd(a: Entity, b: Entity): void {
    const { things } = this.#world;
    ruleOf(this.#ends, a, b)?.(this.#world, things.of(a), things.of(b));
    if (a.archetype !== b.archetype) {
      ruleOf(this.#ends, b, a)?.(this.#world, things.of(b), things.of(a));
    }
  }
}

/** What the touches of a pair's fixtures come to. */
interface TouchSums {
  /** The middle of their points, metres. */
  readonly x: number;
  readonly y: number;
  /** Impulses, N·s. */
  readonly normal: number;
  readonly friction: number;
}

/** @param touches ascending by both ids */
function sumsOf({ a, b, ax, ay, bx, by }: ContactEvent, touches: readonly Touch[]): TouchSums {
  let x = 0;
  let y = 0;
  let points = 0;
  let normal = 0;
  let friction = 0;
  for (let i = firstOf(touches, a.id, b.id); i < touches.length; i++) {
    const touch = touches[i]!;
    if (touch.a.id !== a.id || touch.b.id !== b.id) break;
    normal += touch.normalImpulse;
    friction += touch.frictionImpulse;
    for (const point of touch.points) {
      x += point.x;
      y += point.y;
      points++;
    }
  }
  if (points === 0) return { x: (ax + bx) / 2, y: (ay + by) / 2, normal, friction };
  return { x: x / points, y: y / points, normal, friction };
}

/** The index of the first touch that is not before this pair. */
function firstOf(touches: readonly Touch[], a: number, b: number): number {
  let low = 0;
  let high = touches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const touch = touches[middle]!;
    if (touch.a.id < a || (touch.a.id === a && touch.b.id < b)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two entities that parted, before this tick's physics or in it. */
interface PartedPair {
  readonly a: Entity;
  readonly b: Entity;
  readonly isBefore: boolean;
}

/**
 * Finds the pairs that parted. Two things touch as long as any of their fixtures do, so each
 * `touch` between the two ends once.
 * @param touches ascending by both ids; touches that ended before physics may hold other handles
 *   for the same pair
 */
function partedOf(touches: readonly Touch[]): readonly PartedPair[] {
  const parted: PartedPair[] = [];
  for (let i = 0; i < touches.length;) {
    const { a, b } = touches[i]!;

    // The pair's touches: those that ended before physics, and the others
    let before: Touch | undefined;
    let last: Touch | undefined;
    // Whether they touch as physics begins, during it, and as it ends.
    let begins = false;
    let touchesInside = false;
    let remains = false;
    for (; i < touches.length && touches[i]!.a.id === a.id && touches[i]!.b.id === b.id; i++) {
      const touch = touches[i]!;
      if (touch.endedBefore) {
        before = touch;
        continue;
      }
      last = touch;
      touchesInside = true;
      begins ||= !touch.began;
      remains ||= !touch.ended;
    }

    if (before !== undefined && !begins) parted.push({ a: before.a, b: before.b, isBefore: true });
    if (touchesInside && !remains) parted.push({ a: last!.a, b: last!.b, isBefore: false });
  }

  return parted;
}

type RulesOfPairs<Rule> = ReadonlyMap<string, ReadonlyMap<string, Rule>>;

function ruleOf<Rule>(rules: RulesOfPairs<Rule>, a: Entity, b: Entity): Rule | undefined {
  return rules.get(a.archetype.name)?.get(b.archetype.name);
}

function rulesOf<Rule>(
  rules: Readonly<Record<string, Readonly<Record<string, Rule | undefined>> | undefined>>,
): RulesOfPairs<Rule> {
  return new Map(
    Object.entries(rules).map(([a, ofA = {}]) => {
      return [
        a,
        new Map(Object.entries(ofA).flatMap(([b, rule]) => rule === undefined ? [] : [[b, rule]])),
      ];
    }),
  );
}
