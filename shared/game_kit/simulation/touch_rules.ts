/**
 * Calls the `touch` and `touchEnd` rules for all things that began to touch or parted, in the
 * stage's order: bodies, then projectiles.
 */
import type { Touch } from "../../physics/events/touches.ts";
import type { Entity } from "../../physics/stage/entity.ts";
import type { ContactEvent, Hit, Stage } from "../../physics/stage/stage.ts";
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
  readonly touchEnd?: LooseTouchEndRules;
}

/** One contact, reused: rules read it while they run. */
class ContactView implements Contact {
  nx = 0;
  ny = 0;
  speed = 0;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  swept = false;

  ofBodies(event: ContactEvent, isSwapped: boolean): this {
    const { nx, ny, ax, ay, bx, by, swept } = event;
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
  ofHit({ x, y, nx, ny, target, approachSpeed }: Hit, isSwapped: boolean): this {
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
  readonly #ends: RulesOfPairs<LooseOnTouchEnd>;
  readonly #contact = new ContactView();

  constructor(world: MatchWorld, stage: Stage, { touch = {}, touchEnd = {} }: LooseRulesOfTouches) {
    this.#world = world;
    this.#stage = stage;
    this.#begins = rulesOf(touch);
    this.#ends = rulesOf(touchEnd);
  }

  /**
   * Calls the rules in time order: what ended before physics, what began in it, what ended in it.
   */
  dispatch(): void {
    const parted = this.#ends.size === 0 ? [] : partedOf(this.#stage.touches);
    for (const { a, b, isBefore } of parted) if (isBefore) this.#callEnd(a, b);
    if (this.#begins.size > 0) this.#dispatchBegins();
    for (const { a, b, isBefore } of parted) if (!isBefore) this.#callEnd(a, b);
  }

  #dispatchBegins(): void {
    for (const event of this.#stage.contactEvents) {
      if (!event.began) continue;
      const { a, b } = event;
      const rule = ruleOf(this.#begins, a, b);
      if (rule !== undefined) this.#call(rule, a, b, this.#contact.ofBodies(event, false));
      if (a.archetype === b.archetype) continue;
      const swapped = ruleOf(this.#begins, b, a);
      if (swapped !== undefined) this.#call(swapped, b, a, this.#contact.ofBodies(event, true));
    }

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
