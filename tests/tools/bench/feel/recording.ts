/**
 * The frames that a person saw in one run, and the definitive states at the same moments.
 * `recorder.ts` fills a recording while a match is played; `figures.ts` evaluates it afterwards.
 * All places are in metres, all speeds in m/s.
 */
import type { Arena } from "../../../../shared/games/dragons/arena.ts";
import { Columns, type Row } from "./columns.ts";

/**
 * The lance mark between the own dragon and a rival. A hollow mark is uncertain and promises
 * nothing.
 */
export const NO_MARK = 0;
export const HOLLOW_MARK = 1;
export const SOLID_MARK = 2;

const FRAME_COLUMNS = [
  /** ms on the page's clock. */
  "atMs",
  /**
   * The moment that the frame shows, in ticks: `tick + fraction`, with a whole tick and a fraction
   * of 0 … 1.
   */
  "tick",
  "fraction",
  /** Effects that earlier frames showed and this one takes back. */
  "effectsTakenBack",
] as const;

const DRAWN_COLUMNS = [
  /** The frame's index. */
  "frame",
  "seat",
  /** 1 for the own dragon. */
  "own",
  /** Where it is drawn. */
  "x",
  "y",
  /** Where the page simulates it at the frame's moment, without an error offset. */
  "simulatedX",
  "simulatedY",
  /** Where the page simulates it at the whole tick. */
  "headX",
  "headY",
  "speed",
  /** How many teleports the page simulates. */
  "teleports",
  /** 1 if it is drawn dead. */
  "dead",
  /** 0 … 1: less than 1 for a body that fades. */
  "opacity",
  "mark",
  /** 1 if the mark says that the own dragon would win, -1 for the rival, 0 for neither. */
  "winner",
] as const;

const DEFINITIVE_COLUMNS = ["tick", "seat", "x", "y", "teleports", "dead"] as const;

/** A key that the player pressed: how many frames passed until one showed it. */
const KEY_COLUMNS = ["frames"] as const;

export type FrameRow = Row<typeof FRAME_COLUMNS[number]>;
export type DrawnRow = Row<typeof DRAWN_COLUMNS[number]>;
export type DefinitiveRow = Row<typeof DEFINITIVE_COLUMNS[number]>;

/** A box that dragons cannot enter, by its centre. */
export interface SolidBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Metres. A body beyond a wall is deep inside it, however far it went. */
const WALL_THICKNESS = 100;

/** An arena's platforms, its walls, and everything below its ground. */
export function solidsOf({ width, height, platforms }: Arena): SolidBox[] {
  const wall = (x: number) => ({
    x,
    y: height / 2,
    width: WALL_THICKNESS,
    height: height + 2 * WALL_THICKNESS,
  });
  const slab = (y: number) => ({
    x: width / 2,
    y,
    width: width + 2 * WALL_THICKNESS,
    height: WALL_THICKNESS,
  });
  const half = WALL_THICKNESS / 2;
  return [...platforms, wall(-half), wall(width + half), slab(-half), slab(height + half)];
}

export class Recording {
  readonly frames = new Columns<typeof FRAME_COLUMNS[number]>(FRAME_COLUMNS);
  /** Frame by frame. */
  readonly drawn = new Columns<typeof DRAWN_COLUMNS[number]>(DRAWN_COLUMNS);
  /** Tick by tick. */
  readonly definitive = new Columns<typeof DEFINITIVE_COLUMNS[number]>(DEFINITIVE_COLUMNS);
  readonly keys = new Columns<typeof KEY_COLUMNS[number]>(KEY_COLUMNS);
  /** How often the own dragon was corrected by more than 5 cm. */
  ownCorrections = 0;
  readonly solids: readonly SolidBox[];

  constructor(solids: readonly SolidBox[]) {
    this.solids = solids;
  }
}
