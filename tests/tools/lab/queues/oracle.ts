/**
 * Rates a command queue against the best constant leads for the same arrivals. A command with a
 * lead and a delay waits lead − delay; it is late if that is negative.
 *
 *     wait     = mean(lead − median delay of the same 5 s)            the cost of the lead beyond the ordinary delay
 *     oracle   = the same with the best constant lead of each 5 s     with all arrivals known in advance
 *     static   = the same with the best constant lead of the whole run
 *
 * Oracle and static accept as many late commands as the queue had.
 */

/** How long the oracle keeps a lead constant, ms. */
const WINDOW_MS = 5000;

/** One command, arrived or lost. All times in ms. */
export interface CommandArrival {
  /** When its tick was due. */
  readonly dueMs: number;
  /** The lead in force when it was sent. */
  readonly leadMs: number;
  /** leadMs − slack; Infinity if it never arrived. */
  readonly delayMs: number;
}

export interface QueueFigures {
  readonly commands: number;
  /** 0 … 1. */
  readonly lateShare: number;
  readonly waitMs: number;
  readonly oracleMs: number;
  readonly staticMs: number;
}

/** One player's figures. @param arrivals at least one, in order of `dueMs` */
export function queueFigures(arrivals: readonly CommandArrival[]): QueueFigures {
  const commands = arrivals.length;
  const late = arrivals.filter(({ leadMs, delayMs }) => delayMs > leadMs).length;
  const windows = windowsOf(arrivals).map(descending);
  const medianMs = weightedMean(windows.map((delays) => [median(delays), delays.length]));
  const leadMs = weightedMean(arrivals.map(({ leadMs }) => [leadMs, 1]));
  return {
    commands,
    lateShare: late / commands,
    waitMs: leadMs - medianMs,
    oracleMs: bestPerWindow(windows, late) - medianMs,
    staticMs: descending(arrivals)[Math.min(late, commands - 1)]! - medianMs,
  };
}

/** Cuts arrivals into windows of 5 s. @param arrivals in order of `dueMs` */
export function windowsOf(arrivals: readonly CommandArrival[]): CommandArrival[][] {
  const windows: CommandArrival[][] = [];
  let endMs = -Infinity;
  for (const arrival of arrivals) {
    if (arrival.dueMs >= endMs) {
      endMs = arrival.dueMs + WINDOW_MS;
      windows.push([]);
    }
    windows.at(-1)!.push(arrival);
  }
  return windows;
}

function descending(arrivals: readonly CommandArrival[]): Float64Array {
  return Float64Array.from(arrivals, ({ delayMs }) => delayMs).sort().reverse();
}

/** @param delays ascending or descending, at least one */
export function median(delays: Float64Array): number {
  const middle = delays.length >> 1;
  return delays.length % 2 === 1 ? delays[middle]! : (delays[middle]! + delays[middle - 1]!) / 2;
}

function weightedMean(values: readonly (readonly [number, number])[]): number {
  let sum = 0;
  let weights = 0;
  for (const [value, weight] of values) {
    sum += value * weight;
    weights += weight;
  }
  return sum / weights;
}

/** A window's constant lead shrinks by `savedMs` at the price of `late` more late commands. */
interface Tradeoff {
  readonly late: number;
  readonly savedMs: number;
}

/**
 * The mean of the windows' best constant leads with `late` late commands in all. With k late
 * commands a window needs its (k+1)th largest delay. These points' convex hull is a list of
 * tradeoffs, each worse than the previous one, so a greedy choice among all windows is optimal. The
 * last tradeoff is taken in part: the oracle may change its lead within a window.
 */
function bestPerWindow(windows: readonly Float64Array[], late: number): number {
  let commands = 0;
  let sumMs = 0;
  let remaining = late;
  const tradeoffs: (Tradeoff & { readonly commands: number })[] = [];

  for (const delays of windows) {
    commands += delays.length;
    // A command that never arrived is late with any lead.
    const lost = delays.findIndex((delayMs) => delayMs < Infinity);
    const finite = lost < 0 ? delays.subarray(0, 0) : delays.subarray(lost);
    remaining -= delays.length - finite.length;
    if (finite.length === 0) continue;
    sumMs += finite[0]! * delays.length;
    for (const tradeoff of tradeoffsOf(finite)) {
      tradeoffs.push({ ...tradeoff, commands: delays.length });
    }
  }

  tradeoffs.sort((a, b) => b.savedMs * b.commands / b.late - a.savedMs * a.commands / a.late);

  for (const tradeoff of tradeoffs) {
    if (remaining <= 0) break;
    const share = Math.min(1, remaining / tradeoff.late);
    sumMs -= share * tradeoff.savedMs * tradeoff.commands;
    remaining -= tradeoff.late;
  }

  return sumMs / commands;
}

/**
 * The edges of the lower convex hull of the points (number of late commands, constant lead).
 * @param delays descending
 */
function tradeoffsOf(delays: Float64Array): Tradeoff[] {
  const hull: number[] = [];
  const slope = (from: number, to: number) => (delays[to]! - delays[from]!) / (to - from);
  for (let late = 0; late < delays.length; late++) {
    while (hull.length > 1 && slope(hull.at(-2)!, hull.at(-1)!) >= slope(hull.at(-1)!, late)) {
      hull.pop();
    }
    hull.push(late);
  }
  return hull.slice(1).map((late, i) => ({
    late: late - hull[i]!,
    savedMs: delays[hull[i]!]! - delays[late]!,
  }));
}

/** Averages several players' figures, weighted by their commands. */
export function meanFigures(lines: readonly QueueFigures[]): QueueFigures {
  const mean = (value: (figures: QueueFigures) => number) =>
    weightedMean(lines.map((figures) => [value(figures), figures.commands]));
  return {
    commands: lines.reduce((sum, { commands }) => sum + commands, 0),
    lateShare: mean(({ lateShare }) => lateShare),
    waitMs: mean(({ waitMs }) => waitMs),
    oracleMs: mean(({ oracleMs }) => oracleMs),
    staticMs: mean(({ staticMs }) => staticMs),
  };
}
