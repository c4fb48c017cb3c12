/**
 * How good a command queue was, against what could have been done with the same arrivals. A command that was sent with a lead
 * and arrived after its delay waited lead − delay, or was late where that is negative.
 *
 *     wait     = mean(lead − median delay of the same 5 s)            what the lead costs beyond an ordinary delay
 *     oracle   = the same with the best constant lead for each 5 s, chosen by one who knows all that will arrive,
 *     static   = the same with the best constant for the whole run,   both with as many late commands in all as there were
 */

/** How long the oracle keeps a constant, ms. */
const WINDOW_MS = 5000;

/** One command that arrived. All in ms. */
export interface CommandArrival {
  /** When its tick was due. */
  readonly dueMs: number;
  /** The lead in force when it was sent. */
  readonly leadMs: number;
  /** leadMs − slack; Infinity where it never arrived. */
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

/** The figures of one line. @param arrivals by `dueMs`, at least one */
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

function windowsOf(arrivals: readonly CommandArrival[]): CommandArrival[][] {
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

/** @param delays sorted either way */
function median(delays: Float64Array): number {
  const middle = delays.length >> 1;
  return delays.length % 2 === 1 ? delays[middle]! : (delays[middle]! + delays[middle - 1]!) / 2;
}

function weightedMean(values: readonly (readonly [number, number])[]): number {
  let sum = 0, weights = 0;
  for (const [value, weight] of values) {
    sum += value * weight;
    weights += weight;
  }
  return sum / weights;
}

/** A window's constant may come down by `savedMs` at the price of `late` more late commands. */
interface Tradeoff {
  readonly late: number;
  readonly savedMs: number;
}

/**
 * The mean of the best constants with `late` late commands in all. With k late ones a window needs its (k+1)th largest delay;
 * the convex hull of these points is a list of bargains, each worse than the one before, so taking the best of all windows
 * first is optimal. The last one taken is taken in part: the oracle may change its mind within a window.
 */
function bestPerWindow(windows: readonly Float64Array[], late: number): number {
  let commands = 0, sumMs = 0, remaining = late;
  const tradeoffs: (Tradeoff & { readonly commands: number })[] = [];
  for (const delays of windows) {
    commands += delays.length;
    // What never arrived is late whatever the lead.
    const lost = delays.findIndex((delayMs) => delayMs < Infinity);
    const finite = lost < 0 ? delays.subarray(0, 0) : delays.subarray(lost);
    remaining -= delays.length - finite.length;
    if (finite.length === 0) continue;
    sumMs += finite[0]! * delays.length;
    for (const tradeoff of tradeoffsOf(finite)) tradeoffs.push({ ...tradeoff, commands: delays.length });
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

/** Down the lower convex hull of (number late, constant needed). @param delays descending */
function tradeoffsOf(delays: Float64Array): Tradeoff[] {
  const hull: number[] = [];
  const slope = (from: number, to: number) => (delays[to]! - delays[from]!) / (to - from);
  for (let late = 0; late < delays.length; late++) {
    while (hull.length > 1 && slope(hull.at(-2)!, hull.at(-1)!) >= slope(hull.at(-1)!, late)) hull.pop();
    hull.push(late);
  }
  return hull.slice(1).map((late, i) => ({ late: late - hull[i]!, savedMs: delays[hull[i]!]! - delays[late]! }));
}

/** Several lines' figures as one, each counting as much as it has commands. */
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
