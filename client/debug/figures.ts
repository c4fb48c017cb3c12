/**
 * Summarizes the last seconds as figures and as a one-word verdict, in pure functions. The verdict
 * considers the corrections that players saw, because a connection that delivers in time can still
 * show wrong places.
 *
 *     jitter = p90 − p50 of ( arrival − tick · 50 ms ):  one tick in ten comes later than usual by more than that
 */
import type { TelemetryRow } from "../presentation/telemetry.ts";
import type { FlightFigures } from "./flight_words.ts";

/**
 * How far back the figures reach, ms: long enough to be steady, short enough to follow a slider.
 */
export const WINDOW_MS = 5000;
const TICK_MS = 50;
/**
 * The slack histogram begins at −100 ms, which is late. Its first and last bins also count
 * everything beyond.
 */
export const SLACK_FROM_MS = -100;
export const SLACK_BIN_MS = 20;
export const SLACK_BINS = 20;

export interface Figures {
  readonly rttMs: number;
  readonly jitterMs: number;
  readonly leadMs: number;
  readonly advisedLeadMs: number;
  readonly inputDelayTicks: number;
  readonly slackMs: number;
  /** How many ticks fall into each bin. */
  readonly slackBins: readonly number[];
  readonly latePerSecond: number;
  readonly assumedPerSecond: number;
  readonly rollbacksPerSecond: number;
  /** Mean ticks and ms per rollback. */
  readonly rollbackTicks: number;
  readonly rollbackMs: number;
  /** How many NPC commands were known in time, as a share 0 … 1; 1 without any. */
  readonly foreknownShare: number;
  /** Bytes per second. */
  readonly bytes: {
    readonly ticks: number;
    readonly states: number;
    readonly pings: number;
    readonly up: number;
  };
  /** How long a simulation step takes on average, ms. */
  readonly stepMs: number;
  readonly inStep: boolean;
  /** Whether the page is on the body stream, and so does not compare hashes. */
  readonly streams: boolean;
  readonly desyncs: number;
}

/**
 * Computes the figures for the last `WINDOW_MS`; undefined if no tick arrived in that time.
 * @param assumedAt returns how many commands the server had to assume for a tick
 */
export function figuresOf(
  rows: readonly TelemetryRow[],
  nowMs: number,
  assumedAt: (tick: number) => number = () => 0,
): Figures | undefined {
  const recent = rows.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const newest = recent.at(-1);
  if (newest === undefined) return undefined;
  const sum = (key: keyof TelemetryRow) => recent.reduce((total, row) => total + row[key], 0);

  // A window that is not full yet counts as shorter.
  const seconds = Math.max(TICK_MS, nowMs - recent[0]!.atMs) / 1000;
  const perSecond = (key: keyof TelemetryRow) => sum(key) / seconds;

  const rollbacks = sum("rollbacks");
  const npcCommands = sum("npcCommands");

  return {
    rttMs: newest.roundTripMs,
    jitterMs: jitterOf(recent),
    leadMs: newest.leadMs,
    advisedLeadMs: newest.advisedLeadMs,
    inputDelayTicks: newest.inputDelayTicks,
    slackMs: sum("slackMs") / recent.length,
    slackBins: slackBinsOf(recent),
    latePerSecond: perSecond("late"),
    assumedPerSecond: recent.reduce((total, { tick }) => total + assumedAt(tick), 0) / seconds,
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

/**
 * Computes a percentile, because one stall on this page would dominate a standard deviation for the
 * whole window.
 */
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
  readonly word:
    | "good"
    | "idle"
    | "silent"
    | "desynced"
    | "slow"
    | "late"
    | "corrected"
    | "jittery"
    | "guessing"
    | "far"
    | "told";
  readonly why: string;
}

/** What the verdict uses besides the figures. */
export interface Circumstances {
  readonly silentMs: number;
  readonly framesPerSecond: number;
  /** The corrections in the last `WINDOW_MS`; undefined while they are unknown. */
  readonly flight?: FlightFigures | undefined;
  /** What caused `flight.worst`, in words. */
  readonly worstCause?: string | undefined;
}

/** After this time without a tick, nothing else matters, ms. */
const SILENT_MS = 1000;
/** A slower step leaves too little of a tick's 50 ms for a rollback and a frame. */
const SLOW_STEP_MS = 8;
const SLOW_ROLLBACK_MS = 25;
/** A lower frame rate stutters visibly, and every arrival waits for a frame to end. */
const FRAMES_PER_SECOND_MIN = 30;
/**
 * The server's lead aims at one late command in a hundred (DESIGN 8), 0.2 per second. Players feel
 * three times that.
 */
const LATE_PER_SECOND = 0.6;
const JITTER_MS = 25;
const FAR_MS = 250;
/** A rival that jumps by less does not decide a joust, metres. */
const RIVAL_METRES = 0.25;

/** Finds the gravest problem with the connection, the machine or the prediction. */
export function networkVerdictOf(
  figures: Figures | undefined,
  circumstances: Circumstances,
): NetworkVerdict {
  // Without the server, or out of step, no other figure counts
  const { silentMs, framesPerSecond } = circumstances;
  if (figures === undefined || silentMs > SILENT_MS) {
    return { word: "silent", why: "nothing comes from the server" };
  }
  if (!figures.inStep) {
    return { word: "desynced", why: "this state is not the server's; it is being healed" };
  }

  // The machine is too slow
  if (figures.stepMs > SLOW_STEP_MS || figures.rollbackMs > SLOW_ROLLBACK_MS) {
    return { word: "slow", why: "this machine takes long to simulate" };
  }
  if (framesPerSecond < FRAMES_PER_SECOND_MIN) {
    return { word: "slow", why: "this machine draws few pictures" };
  }

  // Commands come late, bodies are corrected, or ticks come unevenly
  if (figures.latePerSecond > LATE_PER_SECOND) {
    return { word: "late", why: "own commands miss their tick" };
  }
  const wrong = predictionVerdictOf(circumstances);
  if (wrong?.word === "corrected") return wrong;
  if (figures.jitterMs > JITTER_MS) {
    return { word: "jittery", why: "the connection delivers unevenly" };
  }
  if (wrong !== undefined) return wrong;

  // The server is far, or the page is on the body stream
  if (figures.rttMs > FAR_MS) {
    return { word: "far", why: "the round trip is long; nothing was visibly corrected" };
  }
  if (figures.streams) {
    return {
      word: "told",
      why: "in time; the server tells where bodies are, this page does not simulate them exactly",
    };
  }

  return { word: "good", why: "in step, in time" };
}

/** Words the visible wrong predictions; undefined if there were hardly any. */
function predictionVerdictOf(
  { flight, worstCause = "" }: Circumstances,
): NetworkVerdict | undefined {
  if (flight === undefined) return undefined;
  const { own, others, largestOwnMetres, largestMetres, takenBack } = flight;
  const cm = (metres: number) => `${Math.round(metres * 100)} cm`;
  const effects = takenBack === 0 ? "" : `, and ${takenBack} effects were taken back`;
  if (own > 0) {
    return {
      word: "corrected",
      why: `your own body was moved ${own}×, by up to ${cm(largestOwnMetres)}: ${worstCause}`,
    };
  }
  if (largestMetres < RIVAL_METRES && takenBack === 0) return undefined;
  return {
    word: "guessing",
    why: `others were moved ${others}× in 5 s, by up to ${
      cm(largestMetres)
    }${effects}: ${worstCause}`,
  };
}
