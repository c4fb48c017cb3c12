/** Calls the rules of `touch` for all that began to touch in a tick, in the stage's order: bodies, then projectiles. */
import type { Entity } from "../../physics/stage/entity.ts";
import type { ContactEvent, Hit, Stage } from "../../physics/stage/stage.ts";
import type { MatchWorld } from "../world/match_world.ts";
import type { ThingHandle } from "../world/thing_table.ts";
import type { Contact } from "../world/world.ts";

type LooseOnTouch = (world: MatchWorld, a: ThingHandle, b: ThingHandle, contact: Contact) => void;
export type LooseTouchRules = Readonly<Record<string, Readonly<Record<string, LooseOnTouch | undefined>> | undefined>>;

/** One contact, reused: rules read it while they run. */
class ContactView implements Contact {
  nx = 0;
  ny = 0;
  speed = 0;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;

  ofBodies(event: ContactEvent, isSwapped: boolean): this {
    const { nx, ny, ax, ay, bx, by } = event;
    this.speed = event.approachSpeed;
    this.nx = isSwapped ? -nx : nx;
    this.ny = isSwapped ? -ny : ny;
    this.ax = isSwapped ? bx : ax;
    this.ay = isSwapped ? by : ay;
    this.bx = isSwapped ? ax : bx;
    this.by = isSwapped ? ay : by;
    return this;
  }

  /** The normal of a hit leads from the target to the projectile. */
  ofHit({ x, y, nx, ny, target, approachSpeed }: Hit, isSwapped: boolean): this {
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

/** Calls the rules of one simulation. */
export class TouchDispatcher {
  readonly #world: MatchWorld;
  readonly #stage: Stage;
  /** By both names; things of one name have one rule. */
  readonly #rules: ReadonlyMap<string, ReadonlyMap<string, LooseOnTouch>>;
  readonly #contact = new ContactView();

  constructor(world: MatchWorld, stage: Stage, rules: LooseTouchRules) {
    this.#world = world;
    this.#stage = stage;
    this.#rules = new Map(Object.entries(rules).map(([a, ofA]) => [a, rulesOf(ofA ?? {})]));
  }

  dispatch(): void {
    if (this.#rules.size === 0) return;
    for (const event of this.#stage.contactEvents) {
      if (!event.began) continue;
      const { a, b } = event, rule = this.#rule(a, b);
      if (rule !== undefined) this.#call(rule, a, b, this.#contact.ofBodies(event, false));
      if (a.archetype === b.archetype) continue;
      const swapped = this.#rule(b, a);
      if (swapped !== undefined) this.#call(swapped, b, a, this.#contact.ofBodies(event, true));
    }
    for (const hit of this.#stage.hits) {
      const { projectile, target } = hit, rule = this.#rule(projectile, target);
      if (rule !== undefined) this.#call(rule, projectile, target, this.#contact.ofHit(hit, false));
      const swapped = this.#rule(target, projectile);
      if (swapped !== undefined) this.#call(swapped, target, projectile, this.#contact.ofHit(hit, true));
    }
  }

  #rule(a: Entity, b: Entity): LooseOnTouch | undefined {
    return this.#rules.get(a.archetype.name)?.get(b.archetype.name);
  }

  /** An earlier rule of the tick may have removed one of them. */
  #call(rule: LooseOnTouch, a: Entity, b: Entity, contact: Contact): void {
    const { things } = this.#world;
    if (a.isOnStage && b.isOnStage) rule(this.#world, things.of(a), things.of(b), contact);
  }
}

function rulesOf(rules: Readonly<Record<string, LooseOnTouch | undefined>>): ReadonlyMap<string, LooseOnTouch> {
  return new Map(Object.entries(rules).flatMap(([b, rule]) => rule === undefined ? [] : [[b, rule]]));
}
