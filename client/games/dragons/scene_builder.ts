/** Turns the predicted present into a scene: placed between ticks, eased by the smoother, sprites used again by place. */
import type { Crate, Dragon, Egg, Fireball } from "../../../shared/games/dragons/archetypes.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { DRAGON_RADIUS, HATCH_TICKS } from "../../../shared/games/dragons/tuning.ts";
import { PLAYER_SEATS, type SeatId } from "../../../shared/netcode/game.ts";
import type { EventChanges } from "../../presentation/event_reconciler.ts";
import type { CrateSprite, DragonSprite, EggSprite, FireballSprite, RenderScene } from "./scene.ts";
import type { ErrorSmoother, PosePair } from "../../presentation/error_smoother.ts";

export interface SceneSources {
  /** The moment that the fraction is of, ms. */
  readonly atMs: number;
  readonly simulation: DragonSimulation;
  readonly poses: PosePair;
  readonly smoother: ErrorSmoother;
  readonly names: ReadonlyMap<SeatId, string>;
  /** Whose screen it is. */
  readonly ownSeat: SeatId;
  /** 0 … 1 between the two. */
  readonly fraction: number;
  readonly effects: EventChanges;
  /** What our own hand has already moved: our dragon, and the fire that it breathes. */
  readonly extrapolated: DragonSimulation | undefined;
}

/** What the rider on a seat is called: a player as he says, an NPC after its mind. */
export function nameOf(
  seat: SeatId,
  { names, simulation }: { names: ReadonlyMap<SeatId, string>; simulation: DragonSimulation },
): string {
  return names.get(seat) || (seat >= PLAYER_SEATS ? simulation.npcName(seat) : "Rider");
}

export class SceneBuilder {
  readonly #scene: RenderScene;
  readonly #dragons: DragonSprite[] = [];
  readonly #crates: CrateSprite[] = [];
  readonly #fireballs: FireballSprite[] = [];
  readonly #eggs: EggSprite[] = [];
  readonly #visibleList: Fireball[] = [];
  readonly #place = { x: 0, y: 0, angle: 0 };

  constructor(simulation: DragonSimulation) {
    this.#scene = {
      atMs: 0,
      arena: simulation.arena,
      dragonRadius: DRAGON_RADIUS,
      dragons: [],
      crates: [],
      fireballs: [],
      eggs: [],
      effects: [],
      retractedEffects: [],
    };
  }

  /** The scene for one picture; the same object every time. */
  compose(sources: SceneSources): RenderScene {
    const { dragons, crates, eggs } = sources.simulation;
    const scene = this.#scene;
    scene.atMs = sources.atMs;
    scene.effects = sources.effects.begun;
    scene.retractedEffects = sources.effects.retracted;
    scene.dragons = fillSprites(
      this.#dragons,
      scene.dragons,
      dragons,
      (dragon, sprite) => this.#writeDragon(dragon, sprite, sources),
    );
    scene.crates = fillSprites(
      this.#crates,
      scene.crates,
      crates,
      (crate, sprite) => this.#writeCrate(crate, sprite, sources),
    );
    scene.fireballs = fillSprites(
      this.#fireballs,
      scene.fireballs,
      this.#visibleFireballs(sources),
      (fireball, sprite) => this.#writeFireball(fireball, sprite, sources),
    );
    scene.eggs = fillSprites(this.#eggs, scene.eggs, eggs, (egg, sprite) => this.#writeEgg(egg, sprite, sources));
    return scene;
  }

  #writeDragon(dragon: Dragon, sprite: DragonSprite, sources: SceneSources): void {
    const { fields } = dragon;
    Object.assign(sprite, this.#placeOf(dragon.id, sources));
    sprite.id = dragon.id;
    sprite.seat = fields.seat;
    sprite.name = nameOf(fields.seat, sources);
    sprite.own = fields.seat === sources.ownSeat;
    sprite.npc = fields.seat >= PLAYER_SEATS;
    const moved = sprite.own ? sources.extrapolated?.dragonOfSeat(fields.seat) ?? dragon : dragon;
    sprite.vx = moved.vx;
    sprite.vy = moved.vy;
    sprite.facing = moved.fields.facing;
    sprite.onGround = moved.fields.airborne === 0;
    sprite.flapAge = moved.fields.flapAge;
    sprite.charges = moved.fields.charges;
    sprite.dead = fields.dead > 0;
    sprite.invulnerableTicks = fields.invulnerable;
    sprite.stunnedTicks = fields.stun;
    sprite.score = fields.score;
  }

  #writeCrate(crate: Crate, sprite: CrateSprite, sources: SceneSources): void {
    Object.assign(sprite, this.#placeOf(crate.id, sources));
    sprite.id = crate.id;
    sprite.burning = crate.fields.burning;
  }

  #writeFireball(fireball: Fireball, sprite: FireballSprite, sources: SceneSources): void {
    Object.assign(sprite, this.#placeOf(fireball.id, sources));
    sprite.id = fireball.id;
    sprite.vx = fireball.vx;
    sprite.vy = fireball.vy;
    sprite.seat = fireball.fields.seat;
  }

  #writeEgg(egg: Egg, sprite: EggSprite, sources: SceneSources): void {
    Object.assign(sprite, this.#placeOf(egg.id, sources));
    sprite.id = egg.id;
    sprite.seat = egg.fields.seat;
    sprite.ripeness = egg.fields.age / HATCH_TICKS;
  }

  /** All that fly, and those that our own dragon will have breathed by the next tick. */
  #visibleFireballs({ simulation, extrapolated, ownSeat }: SceneSources): readonly Fireball[] {
    const visible = this.#visibleList;
    visible.length = 0;
    visible.push(...simulation.fireballs);
    const newest = visible.at(-1)?.id ?? -1;
    for (const fireball of extrapolated?.fireballs ?? []) {
      if (fireball.id > newest && fireball.fields.seat === ownSeat) visible.push(fireball);
    }
    return visible;
  }

  #placeOf(entity: number, { poses, smoother, fraction }: SceneSources): { x: number; y: number; angle: number } {
    const pose = poses.head.find(entity);
    if (pose !== undefined) smoother.place(poses, pose, { fraction, out: this.#place });
    return this.#place;
  }
}

/** Fills one sprite per entity, making a new one only where there was never so many. */
function fillSprites<Of, Sprite>(
  pool: Sprite[],
  shown: Sprite[],
  entities: readonly Of[],
  write: (entity: Of, sprite: Sprite) => void,
): Sprite[] {
  shown.length = 0;
  for (let i = 0; i < entities.length; i++) {
    const sprite = pool[i] ??= {} as Sprite;
    write(entities[i]!, sprite);
    shown.push(sprite);
  }
  return shown;
}
