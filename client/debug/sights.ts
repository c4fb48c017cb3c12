/**
 * Finds what a player saw of a correction, from the frames that the page drew: when each was drawn,
 * and how far from its simulated place it showed each seat's body.
 */
import { type SeatId, SEATS } from "../../shared/netcode/game.ts";
import { type FlightRecording, FRAMES_MAX } from "../presentation/flight_recording.ts";
import type { FlightCorrection } from "./replay/flight_replay.ts";

/** A smaller error offset is not visible, metres. */
const VISIBLE_METRES = 0.05;
/** An offset that takes up a smaller share of a correction did not ease it. */
const EASED_SHARE = 0.25;
/** A lag report has no smaller offsets, metres. */
const SAVED_METRES_MIN = 0.01;

/** What a player saw of a correction. */
export interface Sight {
  /**
   * How long the body was drawn visibly off its simulated place, ms; undefined while it still is.
   */
  readonly visibleMs: number | undefined;
  /** "slid": the picture eased it. "snapped": the body jumped. "unseen": no frame showed it. */
  readonly seen: "slid" | "snapped" | "unseen";
}

/** Frames by number, from `first` to before `end`. */
export interface FrameTable {
  readonly first: number;
  readonly end: number;
  /** When a frame was drawn, ms on the corrections' clock. */
  atMs(frame: number): number;
  /** The error offset at which a seat's body was drawn, metres. */
  offsetMetres(frame: number, seat: SeatId): number;
}

/** @returns undefined if the frames do not reach back to the correction */
export function sightOf(
  frames: FrameTable,
  { atMs, seat, metres }: Pick<FlightCorrection, "atMs" | "seat" | "metres">,
): Sight | undefined {
  let shown = frames.end;
  while (shown > frames.first && frames.atMs(shown - 1) >= atMs) shown--;
  if (shown === frames.end) return { visibleMs: undefined, seen: "unseen" };
  if (shown === frames.first && shown > 0) return undefined;
  if (frames.offsetMetres(shown, seat) < EASED_SHARE * metres) {
    return { visibleMs: 0, seen: "snapped" };
  }
  let last = shown;
  while (last < frames.end && frames.offsetMetres(last, seat) >= VISIBLE_METRES) last++;
  const visibleMs = last < frames.end ? frames.atMs(last) - frames.atMs(shown) : undefined;
  return { visibleMs, seen: "slid" };
}

/** The frames that a page has recorded, which go on. */
export class RecordedFrames implements FrameTable {
  readonly #recording: Pick<FlightRecording, "frames" | "framesAtMs" | "frameOffsets">;

  constructor(recording: Pick<FlightRecording, "frames" | "framesAtMs" | "frameOffsets">) {
    this.#recording = recording;
  }

  get first(): number {
    return Math.max(0, this.end - FRAMES_MAX);
  }

  get end(): number {
    return this.#recording.frames;
  }

  atMs(frame: number): number {
    return this.#recording.framesAtMs[frame % FRAMES_MAX]!;
  }

  offsetMetres(frame: number, seat: SeatId): number {
    return this.#recording.frameOffsets[(frame % FRAMES_MAX) * SEATS + seat]!;
  }
}

/** A frame as a lag report has it. */
export interface SavedFrame {
  /** On the entries' clock. */
  readonly atMs: number;
  /** By seat, metres; a seat that was drawn at its simulated place has none. */
  readonly offsets: ReadonlyMap<SeatId, number>;
}

/** Copies a page's frames since a time, the oldest first. */
export function savedFrames(table: FrameTable, fromMs: number): SavedFrame[] {
  const saved: SavedFrame[] = [];
  for (let frame = table.first; frame < table.end; frame++) {
    const atMs = table.atMs(frame);
    if (atMs < fromMs) continue;
    const offsets = new Map<SeatId, number>();
    for (let seat = 0; seat < SEATS; seat++) {
      const metres = table.offsetMetres(frame, seat);
      if (metres >= SAVED_METRES_MIN) offsets.set(seat, metres);
    }
    saved.push({ atMs, offsets });
  }
  return saved;
}

/** A report's frames as a table. The first one has number 1, because the page drew others before. */
export function savedTable(frames: readonly SavedFrame[]): FrameTable {
  return {
    first: 1,
    end: frames.length + 1,
    atMs: (frame) => frames[frame - 1]!.atMs,
    offsetMetres: (frame, seat) => frames[frame - 1]!.offsets.get(seat) ?? 0,
  };
}
