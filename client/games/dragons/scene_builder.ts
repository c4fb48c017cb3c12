/** Composes a scene of the predicted state: sprites placed between ticks and eased. Sprites are reused by index. */
import type { Crate, Dragon, Egg, Fireball } from "../../../shared/games/dragons/archetypes.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { DRAGON_RADIUS, HATCH_TICKS } from "../../../shared/games/dragons/tuning.ts";
import { PLAYER_SEATS, type SeatId } from "../../../shared/netcode/game.ts";
import type { CrateSprite, DragonSprite, EggSprite, FireballSprite, RenderScene } from "./scene.ts";
import { displayName } from "../../presentation/match_presenter.ts";
import type { FrameComposer, FrameParts } from "../../presentation/view.ts";

type SceneParts = FrameParts<DragonSimulation>;

/** A player's own name; an NPC is named after its behaviour. */
export function nameOf(
  seat: SeatId,
  { names, simulation }: { names: ReadonlyMap<SeatId, string>; simulation: DragonSimulation },
): string {
  return displayName(seat, names, { npc: () => simulation.npcName(seat), player: "Rider" });
}

export class SceneBuilder implements FrameComposer<DragonSimulation, RenderScene> {
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

  /** @returns the same object every time */
  compose(parts: SceneParts): RenderScene {
    const { dragons, crates, eggs } = parts.simulation;
    const scene = this.#scene;
    scene.atMs = parts.atMs;
    scene.effects = parts.events.begun;
    scene.retractedEffects = parts.events.retracted;
    scene.dragons = fillSprites(
      this.#dragons,
      scene.dragons,
      dragons,
      (dragon, sprite) => this.#writeDragon(dragon, sprite, parts),
    );
    scene.crates = fillSprites(
      this.#crates,
      scene.crates,
      crates,
      (crate, sprite) => this.#writeCrate(crate, sprite, parts),
    );
    scene.fireballs = fillSprites(
      this.#fireballs,
      scene.fireballs,
      this.#visibleFireballs(parts),
      (fireball, sprite) => this.#writeFireball(fireball, sprite, parts),
    );
    scene.eggs = fillSprites(this.#eggs, scene.eggs, eggs, (egg, sprite) => this.#writeEgg(egg, sprite, parts));
    return scene;
  }

  #writeDragon(dragon: Dragon, sprite: DragonSprite, parts: SceneParts): void {
    const { fields } = dragon;
    Object.assign(sprite, this.#placeOf(dragon.id, parts));
    sprite.id = dragon.id;
    sprite.seat = fields.seat;
    sprite.name = nameOf(fields.seat, parts);
    sprite.own = fields.seat === parts.ownSeat;
    sprite.npc = fields.seat >= PLAYER_SEATS;
    const moved = sprite.own ? parts.extrapolated?.dragonOfSeat(fields.seat) ?? dragon : dragon;
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

  #writeCrate(crate: Crate, sprite: CrateSprite, parts: SceneParts): void {
    Object.assign(sprite, this.#placeOf(crate.id, parts));
    sprite.id = crate.id;
    sprite.burning = crate.fields.burning;
  }

  #writeFireball(fireball: Fireball, sprite: FireballSprite, parts: SceneParts): void {
    Object.assign(sprite, this.#placeOf(fireball.id, parts));
    sprite.id = fireball.id;
    sprite.vx = fireball.vx;
    sprite.vy = fireball.vy;
    sprite.seat = fireball.fields.seat;
  }

  #writeEgg(egg: Egg, sprite: EggSprite, parts: SceneParts): void {
    Object.assign(sprite, this.#placeOf(egg.id, parts));
    sprite.id = egg.id;
    sprite.seat = egg.fields.seat;
    sprite.ripeness = egg.fields.age / HATCH_TICKS;
  }

  /** All that fly, and those that our own dragon will have breathed by the next tick. */
  #visibleFireballs({ simulation, extrapolated, ownSeat }: SceneParts): readonly Fireball[] {
    const visible = this.#visibleList;
    visible.length = 0;
    visible.push(...simulation.fireballs);
    const newest = visible.at(-1)?.id ?? -1;
    for (const fireball of extrapolated?.fireballs ?? []) {
      if (fireball.id > newest && fireball.fields.seat === ownSeat) visible.push(fireball);
    }
    return visible;
  }

  #placeOf(entity: number, { poses, smoother, fraction }: SceneParts): { x: number; y: number; angle: number } {
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
