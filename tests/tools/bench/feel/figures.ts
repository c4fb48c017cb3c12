/**
 * Computes the figures of `bench feel` from a recording. Rivals are other people's living dragons.
 * A frame is compared with the definitive states at the same moment: between tick n and n + 1 by
 * the same fraction.
 */
import { DRAGON_RADIUS, LANCE_LEAD } from "../../../../shared/games/dragons/tuning.ts";
import { PLAYER_SEATS, type SeatId, type Tick } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { type PopFigures, PopMeter } from "../../../../client/lab/engine/pop_meter.ts";
import { DefinitiveDragons } from "./definitive_dragons.ts";
import { objectiveOf } from "./objective.ts";
import {
  type DrawnRow,
  type FrameRow,
  type Recording,
  SOLID_MARK,
  type SolidBox,
} from "./recording.ts";

/** One run's figures, under the keys of `--json`. Lengths in metres; shares of 1. */
export interface FeelFigures {
  /** Rivals: from where they are drawn to where the page simulates them. */
  readonly drawnMinusSimulatedP50M: number;
  readonly drawnMinusSimulatedP95M: number;
  readonly drawnMinusSimulatedMaxM: number;
  /** Rivals: from where they are drawn to where they definitively are. */
  readonly drawnMinusDefinitiveP95M: number;
  /** How often a rival is first drawn dead at a moment at which they are definitively alive. */
  readonly falseDeathsPerMinute: number;
  /** The same for the own dragon, over the whole run. */
  readonly ownFalseDeaths: number;
  /** The share of solid marks that name the wrong winner. */
  readonly markWrongShare: number;
  /** How many solid marks were compared: one for each frame and rival. */
  readonly markFrames: number;
  /**
   * The share of solid marks among all frames in which a rival is drawn within 3 m of the own
   * dragon.
   */
  readonly solidMarkShare: number;
  /** How many frames draw a living dragon inside something solid or below the ground. */
  readonly belowGroundFrames: number;
  /**
   * Steps of people's living dragons from one frame to the next that are longer than their speed
   * allows. A teleport or a fade does not count.
   */
  readonly stepsOver1M: number;
  readonly effectsTakenBackPerMinute: number;
  readonly ownCorrectionsOver5cmPerMinute: number;
  /**
   * Rivals: from their place at the head to their definitive place in that tick, as a mean over
   * frames.
   */
  readonly remoteErrorM: number;
  /** Rivals: `pop_meter.ts`. */
  readonly popMeter: number;
  /** The own dragon: `pop_meter.ts`. */
  readonly ownPopMeter: number;
  /** All that went wrong in one number: `objective.ts`. */
  readonly objective: number;
  /** From a press of the flap key to the first frame that shows it: the 95th percentile. */
  readonly keyToFrames: number;
  /** Definitive deaths of people's dragons. */
  readonly deaths: number;
  readonly framesPerSecond: number;
  readonly frames: number;
  /**
   * The share of frames that wait for a tick, because the server is silent or the machine is too
   * slow to predict as far ahead as the line needs. A page that predicts less looks better.
   */
  readonly stalledShare: number;
}

/** The page compares lances that are this near to each other (`marks.ts`), metres. */
const NEAR_METRES = 3;
/**
 * How far a drawn dragon may overlap something solid, metres. An exact dragon that lands at full
 * speed overlaps by 0.21.
 */
const OVERLAP_METRES = 0.25;
const STEP_METRES = 1;
/** Frames with a longer gap between them are not compared, ms. */
const FRAME_MS_MAX = 100;
/** A body that is drawn with less opacity than this fades, and may change its place unseen. */
const FADED_OPACITY = 0.25;

/** @throws RangeError for a recording with fewer than two frames */
export function figuresOf(recording: Recording): FeelFigures {
  const frames = [...recording.frames];
  const elapsedMs = frames.at(-1)!.atMs - frames[0]!.atMs;
  const minutes = elapsedMs / 60_000;
  const framesPerSecond = 1000 * (frames.length - 1) / elapsedMs;
  const meter = new FeelMeter(recording, frames, framesPerSecond);
  for (const row of recording.drawn) meter.add(row);
  meter.end();
  const { falseDeaths, marks, remote } = meter;
  const takenBack = frames.reduce((sum, { effectsTakenBack }) => sum + effectsTakenBack, 0);
  const measured = {
    drawnMinusSimulatedP50M: quantile(meter.drawnMinusSimulated, 0.5),
    drawnMinusSimulatedP95M: quantile(meter.drawnMinusSimulated, 0.95),
    drawnMinusSimulatedMaxM: quantile(meter.drawnMinusSimulated, 1),
    drawnMinusDefinitiveP95M: quantile(meter.drawnMinusDefinitive, 0.95),
    falseDeathsPerMinute: falseDeaths.rivals / minutes,
    ownFalseDeaths: falseDeaths.own,
    markWrongShare: marks.wrong / Math.max(1, marks.compared),
    markFrames: marks.compared,
    solidMarkShare: marks.solid / Math.max(1, marks.near),
    belowGroundFrames: meter.belowGroundFrames.size,
    stepsOver1M: meter.steps,
    effectsTakenBackPerMinute: takenBack / minutes,
    ownCorrectionsOver5cmPerMinute: recording.ownCorrections / minutes,
    remoteErrorM: remote.metres / Math.max(1, remote.count),
    popMeter: meter.rivals.pops,
    ownPopMeter: meter.own.pops,
    keyToFrames: quantile([...recording.keys].map(({ frames }) => frames), 0.95),
    deaths: meter.definitive.deaths(isPerson),
    framesPerSecond,
    frames: frames.length,
    stalledShare: frames.filter(({ fraction }) => fraction === 1).length / frames.length,
  };
  return rounded({ ...measured, objective: objectiveOf(measured) });
}

function isPerson(seat: SeatId): boolean {
  return seat < PLAYER_SEATS;
}

/** Goes through the drawn dragons, frame by frame. */
class FeelMeter {
  readonly definitive: DefinitiveDragons;
  readonly drawnMinusSimulated: number[] = [];
  readonly drawnMinusDefinitive: number[] = [];
  readonly falseDeaths = { rivals: 0, own: 0 };
  readonly marks = { near: 0, solid: 0, compared: 0, wrong: 0 };
  readonly remote = { metres: 0, count: 0 };
  readonly belowGroundFrames = new Set<number>();
  steps = 0;
  readonly #frames: readonly FrameRow[];
  readonly #solids: readonly SolidBox[];
  readonly #rivals: PopMeter;
  readonly #own: PopMeter;
  /** By seat: its row in the last frame that drew it, and whether it was a false death. */
  readonly #last = new Map<SeatId, { row: DrawnRow; isFalselyDead: boolean }>();
  /** The present frame's rows. */
  #rows: DrawnRow[] = [];

  constructor(
    { definitive, solids }: Recording,
    frames: readonly FrameRow[],
    framesPerSecond: number,
  ) {
    this.definitive = new DefinitiveDragons(definitive);
    this.#solids = solids;
    this.#frames = frames;
    this.#rivals = new PopMeter(framesPerSecond);
    this.#own = new PopMeter(framesPerSecond);
  }

  get rivals(): PopFigures {
    return this.#rivals.figures;
  }

  get own(): PopFigures {
    return this.#own.figures;
  }

  add(row: DrawnRow): void {
    if (this.#rows.length > 0 && this.#rows[0]!.frame !== row.frame) this.end();
    this.#rows.push(row);
  }

  /** Ends the present frame. */
  end(): void {
    const own = this.#rows.find((row) => row.own === 1);
    for (const row of this.#rows) this.#measure(row, own);
    if (this.#rows.length > 0) this.#measurePops(this.#frames[this.#rows[0]!.frame]!);
    this.#rows = [];
  }

  #measure(row: DrawnRow, own: DrawnRow | undefined): void {
    const { tick } = this.#frames[row.frame]!;
    const truth = this.definitive.at(tick, row.seat);
    if (row.dead === 0 && !isFaded(row) && isInside(row, this.#solids)) {
      this.belowGroundFrames.add(row.frame);
    }
    if (!isPerson(row.seat)) return;
    const last = this.#last.get(row.seat);
    const isFalselyDead = row.dead === 1 && truth?.dead === 0;
    if (isFalselyDead && last?.isFalselyDead !== true) {
      this.falseDeaths[row.own === 1 ? "own" : "rivals"]++;
    }
    if (last !== undefined && this.#isStep(last.row, row)) this.steps++;
    this.#last.set(row.seat, { row, isFalselyDead });
    if (row.own === 1 || truth === undefined || truth.dead === 1) return;
    this.#measureRival(row, tick);
    if (own !== undefined) this.#measureMark(row, own, tick);
  }

  #measureRival(row: DrawnRow, tick: Tick): void {
    const { fraction } = this.#frames[row.frame]!;
    const truth = this.definitive.at(tick, row.seat)!;
    this.drawnMinusSimulated.push(Math.hypot(row.x - row.simulatedX, row.y - row.simulatedY));
    // A wrong spawn point is an error of half an arena, so a single one would outweigh all others.
    if (truth.teleports !== row.teleports) return;
    this.remote.metres += Math.hypot(row.headX - truth.x, row.headY - truth.y);
    this.remote.count++;
    const place = this.definitive.placeAt(tick + fraction, row.seat);
    if (place?.teleports !== row.teleports) return;
    this.drawnMinusDefinitive.push(Math.hypot(row.x - place.x, row.y - place.y));
  }

  #measureMark(row: DrawnRow, own: DrawnRow, tick: Tick): void {
    if (own.dead === 1 || row.dead === 1 || this.definitive.at(tick, own.seat)?.dead !== 0) return;
    if (Math.hypot(row.x - own.x, row.y - own.y) <= NEAR_METRES) {
      this.marks.near++;
      if (row.mark === SOLID_MARK) this.marks.solid++;
    }
    if (row.mark !== SOLID_MARK) return;
    const moment = tick + this.#frames[row.frame]!.fraction;
    const ownPlace = this.definitive.placeAt(moment, own.seat);
    const place = this.definitive.placeAt(moment, row.seat);
    if (ownPlace?.teleports !== own.teleports || place?.teleports !== row.teleports) return;
    this.marks.compared++;
    const lead = ownPlace.y - place.y;
    if (row.winner !== (lead >= LANCE_LEAD ? 1 : lead <= -LANCE_LEAD ? -1 : 0)) this.marks.wrong++;
  }

  #isStep(before: DrawnRow, now: DrawnRow): boolean {
    const elapsedMs = this.#frames[now.frame]!.atMs - this.#frames[before.frame]!.atMs;
    if (
      now.frame !== before.frame + 1 || elapsedMs > FRAME_MS_MAX ||
      before.teleports !== now.teleports
    ) return false;
    if (before.dead === 1 || now.dead === 1 || isFaded(before) || isFaded(now)) return false;
    const explained = Math.max(before.speed, now.speed) * elapsedMs / 1000;
    return Math.hypot(now.x - before.x, now.y - before.y) > explained + STEP_METRES;
  }

  #measurePops({ tick, fraction }: FrameRow): void {
    const rivals = new PoseList();
    const own = new PoseList();

    for (
      const row of this.#rows.filter(({ seat }) => isPerson(seat)).sort((a, b) => a.seat - b.seat)
    ) {
      const { seat, x, y, teleports } = row;
      Object.assign((row.own === 1 ? own : rivals).add(), {
        entity: seat,
        seat,
        x,
        y,
        angle: 0,
        teleports,
      });
    }

    const livingAt = (tick: Tick) => this.definitive.livingAt(tick);
    this.#rivals.addFrame(rivals, tick + fraction, livingAt);
    this.#own.addFrame(own, tick + fraction, livingAt);
  }
}

function isFaded({ opacity }: DrawnRow): boolean {
  return opacity < FADED_OPACITY;
}

/** Whether a circle of a dragon's size overlaps a box. */
function isInside({ x, y }: DrawnRow, solids: readonly SolidBox[]): boolean {
  return solids.some((box) => {
    const dx = Math.max(0, Math.abs(x - box.x) - box.width / 2);
    const dy = Math.max(0, Math.abs(y - box.y) - box.height / 2);
    return Math.hypot(dx, dy) < DRAGON_RADIUS - OVERLAP_METRES;
  });
}

/** @returns NaN without values */
function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function rounded(figures: FeelFigures): FeelFigures {
  const entries = Object.entries(figures).map((
    [key, value],
  ) => [key, Math.round(value * 1e4) / 1e4]);
  return Object.fromEntries(entries) as unknown as FeelFigures;
}
