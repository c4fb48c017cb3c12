/**
 * The pop-meter: one number for all visible errors. It compares a client's frames, sixty a second,
 * with the definitive poses at the moment that each frame shows.
 *
 *     e    = drawn − definitive, at the same tick and fraction                       metres
 *     pops = mean |e| / 0.25 m  +  sum |e's third difference| / 4 / 0.25 m  +  reversals     each per body and second
 *
 * The first term is 1 if the drawn body is always wrong by a lance's lead. The second is 1 if it
 * leaps that far once a second. A leap by s has the third differences s, −2s, s; smooth motion has
 * hardly any. The third term is 1 if the drawn body moves back once a second while the definitive
 * body moves on.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Pose, PoseList } from "../../../shared/netcode/pose_list.ts";

/** The lead that decides a joust, metres, and therefore an error that matters. */
const SIGNIFICANT_METRES = 0.25;
/** The sum of the absolute third differences for a leap by 1. */
const LEAP_DIFFERENCES = 4;
/** The shortest step between two frames that shows a direction, metres: 0.6 m/s. */
const STEP_METRES = 0.01;

export interface PopFigures {
  /** The sum of the three terms, per body and second. */
  readonly pops: number;
  /** The mean of |e|, metres. */
  readonly errorMetres: number;
  /** Metres of leaps, per body and second. */
  readonly leapMetres: number;
  /** Per body and second. */
  readonly reversals: number;
}

interface Point {
  x: number;
  y: number;
}

/** One body's newest frames. */
class Track {
  /** Frames since a teleport or a gap, 0 … 3. */
  frames = 0;
  readonly drawn: Point = { x: 0, y: 0 };
  readonly definitive: Point = { x: 0, y: 0 };
  /** The errors in the three newest frames, newest first. */
  readonly errors: readonly [Point, Point, Point] = [{ x: 0, y: 0 }, { x: 0, y: 0 }, {
    x: 0,
    y: 0,
  }];
  isReversing = false;
}

export class PopMeter {
  readonly #frameSeconds: number;
  readonly #tracks = new Map<number, Track>();
  readonly #definitive: Point = { x: 0, y: 0 };
  #frames = 0;
  #errorMetres = 0;
  #leapMetres = 0;
  #reversals = 0;

  constructor(framesPerSecond = 60) {
    this.#frameSeconds = 1 / framesPerSecond;
  }

  /**
   * Adds one frame.
   * @param drawn the drawn poses
   * @param ticks the moment that the frame shows, in ticks
   * @param definitiveAt returns a tick's definitive poses
   */
  addFrame(
    drawn: PoseList,
    ticks: number,
    definitiveAt: (tick: Tick) => PoseList | undefined,
  ): void {
    const tick = Math.floor(ticks);
    const from = definitiveAt(tick);
    const to = definitiveAt(tick + 1);
    if (from === undefined || to === undefined) return;

    for (let i = 0; i < drawn.count; i++) {
      const pose = drawn.at(i);
      const track = this.#trackOf(pose.entity);
      if (
        !between(from.find(pose.entity), to.find(pose.entity), {
          fraction: ticks - tick,
          teleports: pose.teleports,
          out: this.#definitive,
        })
      ) {
        track.frames = 0;
        continue;
      }
      this.#measure(track, pose, this.#definitive);
    }
  }

  get figures(): PopFigures {
    const seconds = Math.max(1, this.#frames) * this.#frameSeconds;
    const errorMetres = this.#errorMetres / Math.max(1, this.#frames);
    const leapMetres = this.#leapMetres / seconds;
    const reversals = this.#reversals / seconds;
    const pops = (errorMetres + leapMetres) / SIGNIFICANT_METRES + reversals;
    return { pops, errorMetres, leapMetres, reversals };
  }

  #trackOf(entity: number): Track {
    let track = this.#tracks.get(entity);
    if (track === undefined) this.#tracks.set(entity, track = new Track());
    return track;
  }

  #measure(track: Track, drawn: Point, definitive: Point): void {
    const { errors: [newest, before, oldest] } = track;
    const ex = drawn.x - definitive.x;
    const ey = drawn.y - definitive.y;
    this.#frames++;
    this.#errorMetres += length(ex, ey);
    if (track.frames === 3) {
      const jerkX = ex - 3 * newest.x + 3 * before.x - oldest.x;
      const jerkY = ey - 3 * newest.y + 3 * before.y - oldest.y;
      this.#leapMetres += length(jerkX, jerkY) / LEAP_DIFFERENCES;
    }
    if (track.frames > 0) this.#countReversal(track, drawn, definitive);
    setPoint(oldest, before.x, before.y);
    setPoint(before, newest.x, newest.y);
    setPoint(newest, ex, ey);
    setPoint(track.drawn, drawn.x, drawn.y);
    setPoint(track.definitive, definitive.x, definitive.y);
    track.frames = Math.min(3, track.frames + 1);
  }

  /** Counts each time that backward motion begins; forward motion must come in between. */
  #countReversal(track: Track, drawn: Point, definitive: Point): void {
    const dx = drawn.x - track.drawn.x;
    const dy = drawn.y - track.drawn.y;
    const px = definitive.x - track.definitive.x;
    const py = definitive.y - track.definitive.y;
    const along = dx * px + dy * py;
    const isReversing = along < 0 && length(dx, dy) > STEP_METRES && length(px, py) > STEP_METRES;
    if (isReversing && !track.isReversing) this.#reversals++;
    if (isReversing || along > 0) track.isReversing = isReversing;
  }
}

/** Interpolates a definitive pose. @returns false if a pose is missing or was teleported */
export function between(
  from: Pose | undefined,
  to: Pose | undefined,
  { fraction, teleports, out }: { fraction: number; teleports: number; out: Point },
): boolean {
  if (
    from === undefined || to === undefined || from.teleports !== teleports ||
    to.teleports !== teleports
  ) {
    return false;
  }
  setPoint(out, from.x + (to.x - from.x) * fraction, from.y + (to.y - from.y) * fraction);
  return true;
}

function setPoint(point: Point, x: number, y: number): void {
  point.x = x;
  point.y = y;
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
