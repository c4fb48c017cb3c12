/**
 * What the rows of the last seconds amount to, in numbers and in one word. Pure: rows and a time in, figures out.
 *
 *     jitter = 90th percentile − median of (arrival − tick · 50 ms):  a tick in ten comes that much later than usual
 */
import type { TelemetryRow } from "../presentation/telemetry.ts";

/** Long enough for a steady figure, short enough to follow a slider, ms. */
const WINDOW_MS = 5000;
const TICK_MS = 50;
/** Bins of the slack histogram: from −100 ms, which is late, in steps of 20 ms; the first and the last hold the rest. */
export const SLACK_FROM_MS = -100;
export const SLACK_BIN_MS = 20;
export const SLACK_BINS = 20;

export interface Figures {
  readonly rttMs: number;
  readonly jitterMs: number;
  readonly leadMs: number;
  readonly advisedLeadMs: number;
  readonly slackMs: number;
  /** By bin, how many ticks. */
  readonly slackBins: readonly number[];
  readonly latePerSecond: number;
  readonly assumedPerSecond: number;
  readonly rollbacksPerSecond: number;
  /** Ticks and ms of one rollback, in the mean. */
  readonly rollbackTicks: number;
  readonly rollbackMs: number;
  /** 0 … 1 of the NPCs' commands; 1 where there are none. */
  readonly foreknownShare: number;
  /** Bytes a second. */
  readonly bytes: { readonly ticks: number; readonly states: number; readonly pings: number; readonly up: number };
  /** One step of the simulation, ms. */
  readonly stepMs: number;
  readonly inStep: boolean;
  /** Is told where bodies are, and compares no hashes. */
  readonly streams: boolean;
  readonly desyncs: number;
}

/** Of the rows of the last `WINDOW_MS`; undefined where there are none. */
export function figuresOf(rows: readonly TelemetryRow[], nowMs: number): Figures | undefined {
  const recent = rows.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const newest = recent.at(-1);
  if (newest === undefined) return undefined;
  const sum = (key: keyof TelemetryRow) => recent.reduce((total, row) => total + row[key], 0);
  // A window that has only begun to fill is shorter.
  const seconds = Math.max(TICK_MS, nowMs - recent[0]!.atMs) / 1000;
  const perSecond = (key: keyof TelemetryRow) => sum(key) / seconds;
  const rollbacks = sum("rollbacks"), npcCommands = sum("npcCommands");
  return {
    rttMs: newest.roundTripMs,
    jitterMs: jitterOf(recent),
    leadMs: newest.leadMs,
    advisedLeadMs: newest.advisedLeadMs,
    slackMs: sum("slackMs") / recent.length,
    slackBins: slackBinsOf(recent),
    latePerSecond: perSecond("late"),
    assumedPerSecond: perSecond("assumed"),
    rollbacksPerSecond: rollbacks / seconds,
    rollbackTicks: rollbacks === 0 ? 0 : sum("resimulatedTicks") / rollbacks,
    rollbackMs: rollbacks === 0 ? 0 : sum("rollbackMs") / rollbacks,
    foreknownShare: npcCommands === 0 ? 1 : sum("npcForeknown") / npcCommands,
    bytes: {
      ticks: perSecond("bytesTicks"),
      states: perSecond("bytesStates"),
      pings: perSecond("bytesPings"),
      up: perSecond("bytesUp"),
    },
    stepMs: sum("stepMs") / Math.max(1, sum("steppedTicks")),
    inStep: newest.inStep === 1,
    streams: newest.streams === 1,
    desyncs: sum("desyncs"),
  };
}

/** Not a deviation: one stall of this page would stand in it for as long as the window. */
function jitterOf(rows: readonly TelemetryRow[]): number {
  const offsets = rows.map(({ atMs, tick }) => atMs - tick * TICK_MS).sort((a, b) => a - b);
  return offsets[Math.floor(offsets.length * 0.9)]! - offsets[Math.floor(offsets.length / 2)]!;
}

function slackBinsOf(rows: readonly TelemetryRow[]): number[] {
  const bins = new Array<number>(SLACK_BINS).fill(0);
  for (const { slackMs } of rows) {
    const bin = Math.floor((slackMs - SLACK_FROM_MS) / SLACK_BIN_MS);
    bins[Math.min(SLACK_BINS - 1, Math.max(0, bin))]!++;
  }
  return bins;
}

export interface NetworkVerdict {
  readonly word: "good" | "silent" | "desynced" | "slow" | "late" | "jittery" | "far" | "told";
  readonly why: string;
}

/** Nothing for this long: the line is the news, ms. */
const SILENT_MS = 1000;
/** A step that takes this much of its 50 ms leaves too little for a rollback and a picture. */
const SLOW_STEP_MS = 8;
const SLOW_ROLLBACK_MS = 25;
/** Fewer pictures than this are seen as a stutter, and every arrival waits for one to be done. */
const FRAMES_PER_SECOND_MIN = 30;
/** The server's law aims at one in a hundred; three times that is felt. */
const LATE_PER_SECOND = 0.6;
const JITTER_MS = 25;
const FAR_MS = 250;

/** The first of what is wrong, the gravest first. */
export function networkVerdictOf(
  figures: Figures | undefined,
  { silentMs, framesPerSecond }: { silentMs: number; framesPerSecond: number },
): NetworkVerdict {
  if (figures === undefined || silentMs > SILENT_MS) return { word: "silent", why: "nothing comes from the server" };
  if (!figures.inStep) return { word: "desynced", why: "this state is not the server's; it is being healed" };
  if (figures.stepMs > SLOW_STEP_MS || figures.rollbackMs > SLOW_ROLLBACK_MS) {
    return { word: "slow", why: "this machine takes long to simulate" };
  }
  if (framesPerSecond < FRAMES_PER_SECOND_MIN) return { word: "slow", why: "this machine draws few pictures" };
  if (figures.latePerSecond > LATE_PER_SECOND) return { word: "late", why: "own commands miss their tick" };
  if (figures.jitterMs > JITTER_MS) return { word: "jittery", why: "the line delivers unevenly" };
  if (figures.rttMs > FAR_MS) return { word: "far", why: "the round trip is long; all the rest is well" };
  if (figures.streams) {
    return {
      word: "told",
      why: "in time; the server tells where bodies are, this page does not simulate them exactly",
    };
  }
  return { word: "good", why: "in step, in time" };
}
