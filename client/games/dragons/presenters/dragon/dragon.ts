/**
 * The presenter of dragons. Its painter also draws marks and labels, and lets dragons react to
 * events.
 */
import type { Dragon } from "../../../../../shared/games/dragons/archetypes.ts";
import type { DragonSimulation } from "../../../../../shared/games/dragons/simulation.ts";
import type { PresentedEvent } from "../../../../presentation/event_reconciler.ts";
import { DRAGON_RADIUS } from "../../../../../shared/games/dragons/tuning.ts";
import { drawFading } from "../../../../presentation/picture/canvas.ts";
import { lookOf } from "../../render/palette.ts";
import type { Drawing, Painter, Presenter } from "../presenter.ts";
import { DragonAnimations } from "./animation.ts";
import { DragonBitmaps } from "./bitmaps.ts";
import { drawDragon } from "./draw_dragon.ts";
import { DRAGON_EVENTS } from "./events.ts";
import { HitStop } from "./hit_stop.ts";
import { drawEdgeMark, drawLabel } from "./labels.ts";
import { drawCharges, drawLanceMark, drawShield, drawStars, lanceMarksOf } from "./marks.ts";
import { type DragonSprite, isNear, ownOf, writeDragon } from "./sprite.ts";

/** Metres. An NPC shows its name this near to the own dragon. */
const NPC_NAME_DISTANCE = 4;
/** Metres. Dragons show their charges this near to the own dragon. */
const CHARGES_DISTANCE = 6;

export const dragonPresenter: Presenter<Dragon, DragonSprite> = {
  radius: DRAGON_RADIUS,
  entities: ({ simulation, definitive, ownSeat }) =>
    simulation.dragons.filter((dragon) =>
      dragon.fields.seat === ownSeat || hasArrived(dragon, definitive)
    ),
  write: writeDragon,
  painter: () => new DragonPainter(),
  events: DRAGON_EVENTS,
};

/**
 * A rival shows where they entered, hatched or respawned when that is definitive, because the
 * prediction often has another place. Nothing can hurt them meanwhile, nor can they hurt anybody.
 */
function hasArrived({ id, fields: { seat, dead } }: Dragon, definitive: DragonSimulation): boolean {
  const known = definitive.dragonOfSeat(seat);
  return known?.id === id && (dead > 0 || known.fields.dead === 0);
}

class DragonPainter implements Painter<DragonSprite> {
  readonly #animations = new DragonAnimations();
  readonly #hitStop = new HitStop();
  readonly #bitmaps = new DragonBitmaps();

  advance(dragons: DragonSprite[], elapsedMs: number): DragonSprite[] {
    const drawn = this.#hitStop.apply(dragons, elapsedMs);
    this.#animations.advance(drawn, elapsedMs);
    return drawn;
  }

  onEvent(event: PresentedEvent, dragons: readonly DragonSprite[]): void {
    const recipe = DRAGON_EVENTS[event.kind];
    if (recipe?.stops) this.#hitStop.begin(event, dragons);
    const dragon = dragons.find(({ seat }) => seat === event.seat);
    if (recipe?.squeeze !== undefined && dragon !== undefined) {
      this.#animations.of(dragon).squeeze(recipe.squeeze);
    }
  }

  /** NPCs at the back, then players, the own dragon in front of all. */
  draw(dragons: readonly DragonSprite[], drawing: Drawing): void {
    const own = ownOf(dragons);
    this.#bitmaps.beginFrame(drawing.camera.scale);
    for (const dragon of dragons) {
      if (dragon.npc && dragon !== own) this.#draw(dragon, own, drawing);
    }
    for (const dragon of dragons) {
      if (!dragon.npc && dragon !== own) this.#draw(dragon, own, drawing);
    }
    if (own !== undefined) this.#draw(own, own, drawing);
  }

  /** The heights of two lances between the own dragon and each rival near it. */
  drawAbove(dragons: readonly DragonSprite[], { context }: Drawing): void {
    for (const mark of lanceMarksOf(dragons)) drawLanceMark(context, mark);
  }

  drawLabels(dragons: readonly DragonSprite[], drawing: Drawing): void {
    const own = ownOf(dragons);
    const { context } = drawing;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.lineJoin = "round";
    for (const dragon of dragons) {
      // The dragons behind the lobby have no names, and no player to find them.
      if (dragon.name !== "") drawEdgeMark(dragon, drawing);
      if (!dragon.npc || isNear(dragon, own, NPC_NAME_DISTANCE)) {
        drawLabel(dragon, this.#animations.of(dragon), drawing);
      }
    }
  }

  #draw(dragon: DragonSprite, own: DragonSprite | undefined, drawing: Drawing): void {
    const { context } = drawing;
    const animation = this.#animations.of(dragon);
    const look = lookOf(dragon);
    drawFading(context, dragon, (shown) => {
      if (drawing.usesBitmaps && this.#bitmaps.draw(drawing, shown, { animation, look })) return;
      drawDragon(context, shown, { animation, look });
    });
    if (dragon.dead) return;
    if (dragon.invulnerableTicks > 0) drawShield(dragon, drawing);
    if (dragon.stunnedTicks > 0) drawStars(dragon, drawing);
    if (isNear(dragon, own, CHARGES_DISTANCE)) drawCharges(context, dragon);
  }
}
