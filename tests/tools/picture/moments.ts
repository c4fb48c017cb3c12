/** Which part of a recording is shown, and which frames. All times are on one clock, in ms. */

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SpanOptions {
  /** The whole recording. */
  readonly recorded: Span;
  /** The part's length. */
  readonly lengthMs: number;
  /** How long a moment's cause and its effect are shown, at the least. */
  readonly marginMs: number;
}

/**
 * Finds the part of a recording that shows the most moments, each with its cause and its effect.
 * @returns the earliest of the best; undefined if no part shows any
 */
export function bestSpan(
  moments: readonly number[],
  { recorded, lengthMs, marginMs }: SpanOptions,
): Span | undefined {
  const shownFrom = (fromMs: number) =>
    moments.filter((atMs) => atMs >= fromMs + marginMs && atMs <= fromMs + lengthMs - marginMs);
  const begins = moments.flatMap((atMs) => [atMs - lengthMs + marginMs, atMs - marginMs])
    .map((fromMs) => Math.min(Math.max(fromMs, recorded.fromMs), recorded.toMs - lengthMs))
    .filter((fromMs) => fromMs >= recorded.fromMs)
    .toSorted((a, b) => a - b);
  const most = Math.max(0, ...begins.map((fromMs) => shownFrom(fromMs).length));
  const fromMs = most === 0 ? undefined : begins.find((begin) => shownFrom(begin).length === most);
  return fromMs === undefined ? undefined : { fromMs, toMs: fromMs + lengthMs };
}

/** A frame of a page, and when it came to the screen. */
export interface TimedFrame {
  readonly atMs: number;
  readonly png: string;
}

/**
 * The frame that a screen shows at the end of each period. Periods begin at multiples of their
 * length, as those in which pages draw (`slow_time.ts`), so each frame has a whole period to come
 * to the screen.
 * @param frames in their order
 * @returns one frame for each period; the last one again where none is new
 * @throws Error if the first period has no frame
 */
export function framesOf(
  frames: readonly TimedFrame[],
  { fromMs, toMs }: Span,
  periodMs: number,
): TimedFrame[] {
  const first = Math.floor(fromMs / periodMs);
  return Array.from({ length: Math.round((toMs - fromMs) / periodMs) }, (_, index) => {
    const endMs = (first + index + 1) * periodMs;
    const frame = frames.findLast(({ atMs }) => atMs < endMs);
    if (frame === undefined) throw new Error("the recording begins too late");
    return frame;
  });
}
