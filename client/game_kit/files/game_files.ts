/**
 * The files that a game's scripts import, by their addresses. This module is what every page has;
 * only pages with files have the one that loads them (`load_file.ts`).
 */
import type { Preload } from "../../presentation/view.ts";

/** What a page does with a file. */
export type FileKind = "image" | "sound" | "font";

declare const kind: unique symbol;

/** The address of a png, webp or svg that a view imports. */
export type ImageFile = string & { readonly [kind]: "image" };
/** The address of an ogg, mp3 or wav. */
export type SoundFile = string & { readonly [kind]: "sound" };
/** The address of a woff2. */
export type FontFile = string & { readonly [kind]: "font" };

/** A loaded image, and its size in its own pixels. */
export interface LoadedImage {
  readonly source: CanvasImageSource;
  readonly width: number;
  readonly height: number;
}

/** What has been loaded, by address; nothing for a file that failed. */
export const gameFiles = {
  images: new Map<string, LoadedImage>(),
  sounds: new Map<string, AudioBuffer>(),
  /** Names of font families. */
  fonts: new Map<string, string>(),
  /** Undefined for a game without files. */
  preload: undefined as Preload | undefined,
};
