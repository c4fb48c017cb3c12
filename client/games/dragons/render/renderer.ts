/**
 * Draws a match onto the page's canvas, from the back to the front. State between frames (wing beats
 * and hit stops) follows from the frames alone, and only changes how things look.
 *
 *     backdrop → scenery → sprites → scenery before them → particles → marks above them → labels
 */
import type { DragonTypes } from "../../../../shared/games/dragons/declaration.ts";
import { ARENAS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import type { Layer, LayerMoment } from "../../../game_kit/client_kit.ts";
import { contextOf } from "../../../presentation/picture/canvas.ts";
import type { DragonFrame, Drawing, Sprite } from "../presenters/presenter.ts";
import { newPainters, type SpriteName, spritesOf } from "../presenters/presenters.ts";
import { Backdrop } from "./backdrop.ts";
import { drawLoot, drawShots } from "./loot.ts";
import { drawSceneryBehind, drawSceneryInFront } from "./scenery.ts";

export class DragonRenderer implements Layer<DragonTypes> {
  readonly #context: CanvasRenderingContext2D;
  readonly #backdrop = new Backdrop();
  #painters = newPainters();

  /** @throws Error if the browser cannot draw on it */
  constructor(canvas: HTMLCanvasElement) {
    this.#context = contextOf(canvas);
  }

  reset(): void {
    this.#painters = newPainters();
  }

  draw(frame: DragonFrame, moment: LayerMoment): void {
    const context = this.#context;
    const drawing: Drawing = { ...moment, context };
    const sprites: Record<SpriteName, Sprite[]> = spritesOf(frame);

    // Let what moves by itself follow the frame
    for (const { name, painter } of this.#painters) {
      sprites[name] = painter.advance?.(sprites[name], moment.elapsedMs) ?? sprites[name];
    }
    for (const event of frame.events) {
      for (const { name, painter } of this.#painters) painter.onEvent?.(event, sprites[name]);
    }

    // Draw from the back to the front
    context.setTransform(1, 0, 0, 1, 0, 0);
    const word = frame.world.match.arena;
    const arena = ARENAS[word];
    this.#backdrop.draw(context, word, moment);
    moment.useMetres(context);
    drawSceneryBehind(frame, arena, drawing);
    drawLoot(frame, drawing);
    for (const { name, painter } of this.#painters) painter.draw(sprites[name], drawing);
    drawShots(frame, drawing);
    drawSceneryInFront(frame, arena, drawing);
    moment.drawParticles(context);

    // The match behind the lobby has no names, and no player to find their dragon
    if (frame.isTitle) return;
    for (const { name, painter } of this.#painters) painter.drawAbove?.(sprites[name], drawing);
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const { name, painter } of this.#painters) painter.drawLabels?.(sprites[name], drawing);
  }
}
