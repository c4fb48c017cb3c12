/**
 * One number for everything that a person sees go wrong: what the laws of lead and input delay
 * minimize (DESIGN 12.5).
 *
 *     objective = rivals' pops + own pops + own corrections + falsities + share of frames with a wrong mark
 *
 * Pops are per body and second (`pop_meter.ts`), so the own dragon counts as much as all rivals
 * together: a player looks at their own dragon about half of the time. Own corrections, false
 * deaths and effects that are taken back are counted per second: each is worth one leap by 0.25 m.
 * A mark that is wrong for a second is worth one leap, too.
 */

/** The part of `FeelFigures` that the objective weighs. */
interface Felt {
  readonly popMeter: number;
  readonly ownPopMeter: number;
  readonly ownCorrectionsOver5cmPerMinute: number;
  readonly falseDeathsPerMinute: number;
  readonly ownFalseDeaths: number;
  readonly effectsTakenBackPerMinute: number;
  readonly markFrames: number;
  readonly markWrongShare: number;
  readonly frames: number;
  readonly framesPerSecond: number;
}

/** @returns a run's objective, in pops a second; 0 for a perfect picture */
export function objectiveOf(figures: Felt): number {
  const {
    ownCorrectionsOver5cmPerMinute,
    falseDeathsPerMinute,
    effectsTakenBackPerMinute,
    ownFalseDeaths,
  } = figures;
  const { frames, framesPerSecond, markFrames, markWrongShare } = figures;
  const minutes = frames / framesPerSecond / 60;
  const perMinute = ownCorrectionsOver5cmPerMinute + falseDeathsPerMinute +
    effectsTakenBackPerMinute +
    ownFalseDeaths / minutes;
  return figures.popMeter + figures.ownPopMeter + perMinute / 60 +
    markWrongShare * markFrames / frames;
}
