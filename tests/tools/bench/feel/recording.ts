/**
 * The frames that a person saw in one run, and the definitive states of the same moments.
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
  /** The index of the frame. */
  "frame",
  "seat",
  /** 1 for the own dragon. */
  "own",
  /** The place where it is drawn. */
  "x",
  "y",
  /** The place where the page simulates it at the moment of the frame, without an error offset. */
  "simulatedX",
  "simulatedY",
  /** The place where the page simulates it at the whole tick. */
  "headX",
  "headY",
  "speed",
  /** The count of teleports that the page simulates. */
  "teleports",
  /** 1 if it is drawn dead. */
  "dead",
  /** 0 … 1: a body that fades has less than 1. */
  "opacity",
  "mark",
  /** 1 if the mark says that the own dragon would win, -1 for the rival, 0 for neither. */
  "winner",
] as const;

const DEFINITIVE_COLUMNS = ["tick", "seat", "x", "y", "teleports", "dead"] as const;

/** A key that the player pressed: the frames until one showed it. */
const KEY_COLUMNS = ["frames"] as const;

export type FrameRow = Row<typeof FRAME_COLUMNS[number]>;
export type DrawnRow = Row<typeof DRAWN_COLUMNS[number]>;
export type DefinitiveRow = Row<typeof DEFINITIVE_COLUMNS[number]>;

/** A box that no dragon can enter, by its centre. */
export interface SolidBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Metres: a body beyond a wall is deep inside of it, however far it went. */
const WALL_THICKNESS = 100;

/** The platforms of an arena, its walls, and everything below its ground. */
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
  /** In the order of frames. */
  readonly drawn = new Columns<typeof DRAWN_COLUMNS[number]>(DRAWN_COLUMNS);
  /** In the order of ticks. */
  readonly definitive = new Columns<typeof DEFINITIVE_COLUMNS[number]>(DEFINITIVE_COLUMNS);
  readonly keys = new Columns<typeof KEY_COLUMNS[number]>(KEY_COLUMNS);
  /** Corrections of the own dragon by more than 5 cm. */
  ownCorrections = 0;
  readonly solids: readonly SolidBox[];

  constructor(solids: readonly SolidBox[]) {
    this.solids = solids;
  }
}
