/**
 * The presenter of dragons. Its painter also draws marks and labels, and lets dragons react to
 * events.
 */
import { drawFading } from "../../../../presentation/picture/canvas.ts";
import type { DragonEvent, Drawing, Painter, Presenter, ShownAs } from "../presenter.ts";
import { DragonAnimations } from "./animation.ts";
import { DragonBitmaps } from "./bitmaps.ts";
import { drawDragon } from "./draw_dragon.ts";
import { HitStop } from "./hit_stop.ts";
import { drawEdgeMark, drawLabel } from "./labels.ts";
import {
  drawCharges,
  drawHeld,
  drawLanceMark,
  drawShield,
  drawStars,
  lanceMarksOf,
} from "./marks.ts";
import { REACTIONS } from "./reactions.ts";
import { type DragonSprite, dragonSpriteOf, isNear, ownOf } from "./sprite.ts";

/** Metres. An NPC shows its name this near to the own dragon. */
const NPC_NAME_DISTANCE = 4;
/** Metres. Dragons show their charges this near to the own dragon. */
const CHARGES_DISTANCE = 6;

export const dragonPresenter: Presenter<DragonSprite> = {
  sprites: (frame) =>
    frame.things.filter((thing) => thing.name === "dragon").filter(hasArrived)
      .map((dragon) => dragonSpriteOf(dragon, frame)),
  painter: () => new DragonPainter(),
};

/**
 * A rival shows where they entered, hatched or respawned when that is definitive, because the
 * prediction often has another place. Nothing can hurt them meanwhile, nor can they hurt anybody.
 */
function hasArrived({ own, fields, definitive }: ShownAs<"dragon">): boolean {
  return own || definitive !== undefined && (fields.dead > 0 || definitive.fields.dead === 0);
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

  onEvent(event: DragonEvent, dragons: readonly DragonSprite[]): void {
    const reaction = REACTIONS[event.kind];
    if (reaction === undefined) return;
    if (reaction.stops) this.#hitStop.begin(event, dragons);
    const dragon = dragons.find(({ seat }) => seat === event.seat);
    if (dragon !== undefined) this.#animations.of(dragon).squeeze(reaction.squeeze);
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
      drawEdgeMark(dragon, drawing);
      // A spectator is near to all.
      if (!dragon.npc || own === undefined || isNear(dragon, own, NPC_NAME_DISTANCE)) {
        drawLabel(dragon, this.#animations.of(dragon), drawing);
      }
    }
  }

  #draw(dragon: DragonSprite, own: DragonSprite | undefined, drawing: Drawing): void {
    const { context } = drawing;
    const animation = this.#animations.of(dragon);
    const { look } = dragon;
    drawFading(context, dragon, (shown) => {
      if (drawing.isSlow && this.#bitmaps.draw(drawing, shown, { animation, look })) return;
      drawDragon(context, shown, { animation, look });
    });
    if (dragon.dead) return;
    if (dragon.invulnerableTicks > 0) drawShield(dragon, drawing);
    if (dragon.stunnedTicks > 0) drawStars(dragon, drawing);
    // What a rival holds is seen from afar: it says whom to avoid
    if (dragon.holds !== "none") drawHeld(context, dragon);
    else if (isNear(dragon, own, CHARGES_DISTANCE)) drawCharges(context, dragon);
  }
}
