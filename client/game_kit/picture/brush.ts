/**
 * Draws shapes in metres, y upwards. A view's functions get a brush, and use its `context` for what
 * it does not offer.
 */
import { type Context, HALO, traceDisc } from "../../presentation/picture/canvas.ts";
import type { Pattern } from "../../presentation/picture/hues.ts";
import { FONT } from "../../presentation/picture/words.ts";
import { type FontFile, gameFiles, type ImageFile } from "../files/game_files.ts";
import { drawFrame, type Sheet } from "../files/sheet.ts";
import { hueOf } from "./colours.ts";
import { type Corner, cornersOfBox, pathOf } from "./outlines.ts";
import { patternFill } from "./team_pattern.ts";

/** Where a shape goes in the drawing's frame, and its edge. Metres, radians. */
export interface ShapeOptions {
  /** Metres from the drawing's origin. */
  readonly x?: number;
  readonly y?: number;
  /** Radians, counter-clockwise. */
  readonly angle?: number;
  /**
   * A CSS colour; true for a darker shade of the fill. Default: true when you draw a thing, false
   * elsewhere.
   */
  readonly outline?: string | boolean;
  /** The outline's width, metres; default 0.07. */
  readonly width?: number;
  /** Marks on the fill, such as those of the thing's team; default plain. */
  readonly pattern?: Pattern;
}

/** Options of `Brush.box`. */
export interface BoxOptions extends ShapeOptions {
  /** Corner radius, metres. */
  readonly round?: number;
}

/** Options of `Brush.line`. */
export interface LineOptions {
  /** Metres; default 0.1. */
  readonly width?: number;
  /** Whether a last stroke leads back to the first point. */
  readonly closed?: boolean;
  /** Lengths of strokes and gaps, metres. */
  readonly dash?: readonly number[];
}

/** Options of `Brush.text`. */
export interface TextOptions {
  /** The middle of the text; its baseline lies a third of the size below. */
  readonly x?: number;
  readonly y?: number;
  /** Letter height, metres; default 0.6. */
  readonly size?: number;
  /** CSS; default a warm white. */
  readonly colour?: string;
  /** Default false. */
  readonly bold?: boolean;
  /** Whether the letters stay upright although the thing turns. Default: they turn with it. */
  readonly upright?: boolean;
  /** A font that the view imports; default the page's. */
  readonly font?: FontFile;
}

/** Where an image goes in the drawing's frame. Metres, radians. */
export interface ImageOptions {
  /** Metres from the drawing's origin to the image's middle. */
  readonly x?: number;
  readonly y?: number;
  /** Radians, counter-clockwise. */
  readonly angle?: number;
  /** Metres; default by the height, as the image's pixels have it. Without both 1. */
  readonly width?: number;
  /** Metres; default by the width. */
  readonly height?: number;
  /** Which frame of a sheet, from 0. Greater numbers begin anew, and fractions count down. */
  readonly frame?: number;
  /** Whether to mirror it, left to right. */
  readonly flip?: boolean;
  /** 0 … 1; default 1. */
  readonly opacity?: number;
  /** Whether its pixels stay squares, for pixel art. Default false. */
  readonly pixelated?: boolean;
}

/** A part of the world, metres. */
export interface Area {
  /** The middle. */
  readonly x: number;
  readonly y: number;
  /** From side to side. */
  readonly width: number;
  /** From the bottom to the top. */
  readonly height: number;
}

/** All lengths are metres. Angles are radians, counter-clockwise; y points up. Colours are CSS. */
export interface Brush {
  /** Measures metres, y upwards, in the drawing's frame. Restore what you change. */
  readonly context: CanvasRenderingContext2D;
  /** Metres per CSS pixel. */
  readonly pixel: number;
  /** What the picture shows of the world. */
  readonly visible: Area;
  /** The page's clock, for looks that move by themselves. */
  readonly nowMs: number;
  /** Whether the player asked their system for less motion: then let nothing pulse or rock. */
  readonly isCalm: boolean;
  /**
   * Draws the thing's own fixtures, as a thing without a drawing shows them.
   * @param colour default: the thing's own
   */
  body(colour?: string): void;
  /** A filled circle. */
  disc(radius: number, fill: string, options?: ShapeOptions): void;
  /** @param halfWidth half the width, then half the height, as for a fixture's box */
  box(halfWidth: number, halfHeight: number, fill: string, options?: BoxOptions): void;
  /** A filled polygon, convex or not. */
  polygon(corners: readonly Corner[], fill: string, options?: ShapeOptions): void;
  /** A smooth stroke through these points. */
  line(points: readonly Corner[], colour: string, options?: LineOptions): void;
  /** Any path, in metres. */
  path(path: Path2D, fill: string, options?: ShapeOptions): void;
  /** One line of letters. */
  text(words: string, options?: TextOptions): void;
  /**
   * An image that the view imports. Until it is loaded, and if it cannot be, a thing shows its
   * fixtures instead, and elsewhere nothing shows.
   */
  image(image: ImageFile | Sheet, options?: ImageOptions): void;
}

const OUTLINE_METRES = 0.07;
const TEXT_COLOUR = "#f1eee6";

/** The drawing under way. */
interface Frame {
  /** How far its frame is turned, radians. */
  angle: number;
  /** Whether shapes get outlines by default. */
  isOutlined: boolean;
  drawBody: (colour: string | undefined) => void;
}

export class CanvasBrush implements Brush {
  readonly context: Context;
  pixel = 0.02;
  visible: Area = { x: 0, y: 0, width: 1, height: 1 };
  nowMs = 0;
  isCalm = false;
  readonly frame: Frame = { angle: 0, isOutlined: false, drawBody: () => {} };

  constructor(context: Context) {
    this.context = context;
  }

  body(colour?: string): void {
    this.frame.drawBody(colour);
  }

  disc(radius: number, fill: string, options: ShapeOptions = {}): void {
    traceDisc(this.context, options.x ?? 0, options.y ?? 0, radius);
    this.#paint(fill, options);
  }

  box(halfWidth: number, halfHeight: number, fill: string, options: BoxOptions = {}): void {
    const { x = 0, y = 0, angle = 0, round = 0 } = options;
    const { context } = this;
    if (round === 0) {
      return this.polygon(cornersOfBox({ box: [halfWidth, halfHeight], x, y, angle }), fill, {
        ...options,
        x: 0,
        y: 0,
        angle: 0,
      });
    }
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.beginPath();
    context.roundRect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight, round);
    context.restore();
    this.#paint(fill, options);
  }

  polygon(corners: readonly Corner[], fill: string, options: ShapeOptions = {}): void {
    this.path(pathOf(corners, true), fill, options);
  }

  line(
    points: readonly Corner[],
    colour: string,
    { width = 0.1, closed = false, dash }: LineOptions = {},
  ): void {
    const { context } = this;
    context.lineCap = context.lineJoin = "round";
    context.lineWidth = width;
    context.strokeStyle = colour;
    if (dash !== undefined) context.setLineDash([...dash]);
    context.stroke(pathOf(points, closed));
    if (dash !== undefined) context.setLineDash([]);
  }

  path(path: Path2D, fill: string, options: ShapeOptions = {}): void {
    const { context } = this;
    const { x = 0, y = 0, angle = 0 } = options;
    if (x === 0 && y === 0 && angle === 0) return this.#paint(fill, options, path);
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    this.#paint(fill, options, path);
    context.restore();
  }

  text(words: string, options: TextOptions = {}): void {
    const { x = 0, y = 0, size = 0.6, colour = TEXT_COLOUR, bold = false, upright = false, font } =
      options;
    const { context } = this;
    const family = font === undefined ? undefined : gameFiles.fonts.get(font);
    context.save();
    context.translate(x, y);
    if (upright) context.rotate(-this.frame.angle);
    // In metres, letters would be upside down. Canvases draw letters of a pixel badly, so the font
    // is 100 high.
    context.scale(size / 100, -size / 100);
    context.font = `${bold ? 800 : 600} 100px ${
      family === undefined ? FONT : `${family}, ${FONT}`
    }`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 16;
    context.strokeStyle = HALO;
    context.strokeText(words, 0, 0);
    context.fillStyle = colour;
    context.fillText(words, 0, 0);
    context.restore();
  }

  image(image: ImageFile | Sheet, options: ImageOptions = {}): void {
    const { file, columns, rows } = typeof image === "string"
      ? { file: image, columns: 1, rows: 1 }
      : image;
    const loaded = gameFiles.images.get(file);
    if (loaded === undefined) return this.frame.drawBody(undefined);

    // Which frame, and its size in metres
    const { x = 0, y = 0, angle = 0, frame = 0, flip = false, opacity = 1 } = options;
    const count = columns * rows;
    const index = ((Math.floor(frame) % count) + count) % count;
    const ratio = loaded.width / columns / (loaded.height / rows);
    const width = options.width ?? (options.height ?? 1 / ratio) * ratio;
    const height = options.height ?? width / ratio;

    const { context } = this;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    // In metres y points up, and images begin at the top.
    context.scale(flip ? -1 : 1, -1);
    context.globalAlpha *= opacity;
    context.imageSmoothingEnabled = !options.pixelated;
    drawFrame(context, loaded, { columns, rows, frame: index, width, height });
    context.restore();
  }

  /** @param path default: the context's own */
  #paint(
    fill: string,
    { outline = this.frame.isOutlined, width = OUTLINE_METRES, pattern = "plain" }: ShapeOptions,
    path?: Path2D,
  ): void {
    const { context } = this;
    for (const style of [fill, patternFill(context, pattern, hueOf(fill).mark)]) {
      if (style === undefined) continue;
      context.fillStyle = style;
      if (path === undefined) context.fill();
      else context.fill(path);
    }
    if (outline === false) return;
    context.strokeStyle = outline === true ? hueOf(fill).shade : outline;
    context.lineWidth = width;
    context.lineJoin = "round";
    if (path === undefined) context.stroke();
    else context.stroke(path);
  }
}
