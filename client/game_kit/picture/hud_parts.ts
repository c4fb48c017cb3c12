/**
 * Ready-made parts for a view's `hud`: a bar, a timer and a small map. A page has only those that
 * its view imports.
 */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { FONT, LABEL_COLOUR } from "../../presentation/picture/words.ts";
import { clockText } from "../../ui/match/hud.ts";
import type { Area } from "./brush.ts";
import type { HudBrush, HudTextOptions } from "./hud_brush.ts";
import type { Corner } from "./outlines.ts";
import type { HudCorner } from "./page_parts.ts";

/** Behind a bar or a map, so that both are seen on every picture. */
const PANEL = "rgb(10 12 26 / 72%)";
const EDGE = "#7a80a3";
/** Below this many seconds a timer shows tenths. */
const TENTHS_BELOW = 10;
/** A mark on a map, CSS pixels. */
const MARK_RADIUS = 3;

/** Options of `bar`. */
export interface BarOptions {
  /** Stands on the bar. */
  readonly label?: string;
  /** CSS; default the page's blue. */
  readonly colour?: string;
  /** In letters of the page; default 9. */
  readonly width?: number;
}

/**
 * Draws a bar in a corner, such as what is left of a hull.
 * @param share 0 … 1; what is beyond is cut off
 */
export function bar(
  brush: HudBrush,
  corner: HudCorner,
  share: number,
  { label = "", colour = "#6cc5ff", width = 9 }: BarOptions = {},
): void {
  const { context, letter } = brush;
  const widthPx = width * letter;
  const height = 1.3 * letter;
  const { x, y } = brush.place(corner, widthPx, height);
  context.save();
  context.beginPath();
  context.roundRect(x, y, widthPx, height, height / 4);
  context.fillStyle = PANEL;
  context.fill();
  context.strokeStyle = EDGE;
  context.lineWidth = 1;
  context.stroke();
  context.clip();
  context.fillStyle = colour;
  context.globalAlpha = 0.75;
  context.fillRect(x, y, widthPx * Math.max(0, Math.min(1, share)), height);
  context.restore();
  if (label === "") return;
  context.save();
  context.font = `700 ${0.85 * letter}px ${FONT}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = "#0b0e1c";
  context.fillStyle = LABEL_COLOUR;
  context.strokeText(label, x + 0.4 * letter, y + height / 2);
  context.fillText(label, x + 0.4 * letter, y + height / 2);
  context.restore();
}

/** Options of `timer`. */
export interface TimerOptions extends HudTextOptions {
  /** Stands before the time. */
  readonly label?: string;
}

/**
 * Writes the time that is left into a corner: "0:42", and tenths at the end, "4.2 s". Nothing is
 * left at 0, and nothing is written.
 */
export function timer(
  brush: HudBrush,
  corner: HudCorner,
  seconds: number,
  { label = "", ...options }: TimerOptions = {},
): void {
  if (seconds <= 0) return;
  const time = seconds < TENTHS_BELOW ? `${seconds.toFixed(1)} s` : clockText(seconds);
  brush.text(corner, label === "" ? time : `${label} ${time}`, options);
}

/** A dot on a small map. */
export interface MapMark {
  /** Metres in the world. */
  readonly x: number;
  readonly y: number;
  /** CSS. */
  readonly colour: string;
  /** Whether the dot is larger, as for the own thing. */
  readonly own?: boolean;
}

/** Options of `miniMap`. */
export interface MapOptions {
  /** The part of the world to show. */
  readonly area: Area;
  /** Dots; what is outside stands at the edge. A shown thing or a thing of the world fits. */
  readonly marks: readonly MapMark[];
  /** Lines, such as walls or a road, metres. */
  readonly lines?: readonly (readonly Corner[])[];
  /** In letters of the page; default 9. The height follows from the area. */
  readonly width?: number;
}

/** Draws a small map into a corner, with a frame around what the picture shows. */
export function miniMap(
  brush: HudBrush,
  corner: HudCorner,
  { area, marks, lines = [], width = 9 }: MapOptions,
): void {
  if (!(area.width > 0 && area.height > 0)) {
    throw new GameError(
      `miniMap: \`area\` is ${area.width} × ${area.height} m; both must be above 0`,
    );
  }
  const { context, letter, visible } = brush;
  const widthPx = width * letter;
  const scale = widthPx / area.width;
  const heightPx = scale * area.height;
  const { x, y } = brush.place(corner, widthPx, heightPx);
  const xOf = (metres: number) => x + widthPx / 2 + scale * (metres - area.x);
  const yOf = (metres: number) => y + heightPx / 2 - scale * (metres - area.y);

  context.save();
  context.beginPath();
  context.roundRect(x, y, widthPx, heightPx, 4);
  context.fillStyle = PANEL;
  context.fill();
  context.strokeStyle = EDGE;
  context.lineWidth = 1;
  context.stroke();
  context.clip();

  // Lines, and what the picture shows
  context.lineWidth = 1.5;
  context.beginPath();
  for (const line of lines) {
    line.forEach(([lineX, lineY], i) => {
      if (i === 0) context.moveTo(xOf(lineX), yOf(lineY));
      else context.lineTo(xOf(lineX), yOf(lineY));
    });
  }
  context.stroke();
  context.lineWidth = 1;
  context.strokeStyle = "rgb(241 238 230 / 60%)";
  context.strokeRect(
    xOf(visible.x - visible.width / 2),
    yOf(visible.y + visible.height / 2),
    scale * visible.width,
    scale * visible.height,
  );

  // Marks, the own one last and largest
  for (const isOwn of [false, true]) {
    for (const mark of marks) {
      if ((mark.own ?? false) !== isOwn) continue;
      const markX = Math.max(x, Math.min(x + widthPx, xOf(mark.x)));
      const markY = Math.max(y, Math.min(y + heightPx, yOf(mark.y)));
      context.beginPath();
      context.arc(markX, markY, isOwn ? 1.4 * MARK_RADIUS : MARK_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = mark.colour;
      context.fill();
      context.strokeStyle = isOwn ? "#f6fbff" : "#0b0e1c";
      context.stroke();
    }
  }
  context.restore();
}
