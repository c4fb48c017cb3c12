/**
 * The game kit for the page: everything that a view imports.
 *
 *     export const view = defineView(game, { view: [30, 18], things: { … }, events: { … } });
 */
/// <reference path="./files/files.d.ts" preserve="true" />
export { defineRenderedView, defineView, type KitView } from "./define_view.ts";
export { type OneButton, oneButton, type OneButtonOptions } from "./controls/one_button.ts";
export type {
  Appearances,
  CameraPlace,
  EdgeMarks,
  EventLook,
  KitStatus,
  KitVote,
  KitWords,
  Layer,
  LayerEvent,
  LayerFrame,
  LayerMoment,
  Layers,
  RenderedViewDefinition,
  ShortBurst,
  Shown,
  ShownJoint,
  ShownPlayer,
  ThingDrawings,
  ViewDefinition,
} from "./view_definition.ts";
export type { HudBrush, HudTextOptions } from "./picture/hud_brush.ts";
export {
  bar,
  type BarOptions,
  type MapMark,
  type MapOptions,
  miniMap,
  timer,
  type TimerOptions,
} from "./picture/hud_parts.ts";
export type { HudCorner } from "./picture/page_parts.ts";
export type { Hue, Pattern } from "../presentation/picture/hues.ts";
export type { Camera } from "../presentation/view.ts";
export type {
  Area,
  BoxOptions,
  Brush,
  ImageOptions,
  LineOptions,
  ShapeOptions,
  TextOptions,
} from "./picture/brush.ts";
export type { FontFile, ImageFile, SoundFile } from "./files/game_files.ts";
export { type Sheet, sheet } from "./files/sheet.ts";
export { type Hum, hum, type HumOptions, type OpenHum } from "./hum.ts";
export { parallax, type ParallaxOptions } from "./picture/parallax.ts";
export { type TileDrawing, tileDrawing } from "./picture/tiles.ts";
export { type Trail, trail, type TrailOptions } from "./picture/trail.ts";
export { chime, type Voice } from "../presentation/audio/voices.ts";
export { AROUND, type Burst, RING } from "../presentation/picture/bursts.ts";
export { SOUNDS } from "./sounds.ts";
