/**
 * What happened in the last seconds, with its times, so that a picture of any of these moments can
 * be drawn. Each list has a bound, and forgets its oldest entries.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";

/** How far back the page can go, ms. */
export const HISTORY_MS = 12_000;
/** Frames at 60 Hz. */
const FRAMES_MAX = HISTORY_MS * 60 / 1000;
/** Four clients and the server send at most 20 + 20 early messages a second to each. */
const EVENTS_MAX = 4096;

/** NPCs think up to 2 s ahead, and a strip shows most of a second of ticks. */
const RECENT_MS = 4000;

/** A message on its way. */
export interface Flight {
  readonly player: number;
  readonly isUp: boolean;
  /** When it was sent. */
  readonly atMs: number;
  /** Infinity if it is lost. */
  readonly dueMs: number;
  readonly bytes: number;
}

/** A command that the server has, from when it has it. */
export interface QueuedCommand {
  readonly player: number;
  readonly tick: Tick;
  readonly atMs: number;
}

/** A command that one player's client knows, from when it knows it. */
export interface KnownCommand {
  readonly player: number;
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly atMs: number;
  readonly isEarly: boolean;
}

/** Ticks that a client stepped again. */
export interface Rollback {
  readonly side: number;
  readonly player: number;
  readonly fromTick: Tick;
  readonly head: Tick;
  readonly atMs: number;
}

/** A tick's hash as one client compared it. */
export interface Verdict {
  readonly side: number;
  readonly player: number;
  readonly tick: Tick;
  readonly verdict: "proven" | "differs" | undefined;
  readonly atMs: number;
}

/** One client's picture. */
export interface RecordedView {
  readonly drawn: PoseList;
  readonly moment: number;
  readonly head: Tick;
  readonly definitive: Tick;
}

/** One frame: by side and player; undefined before the client plays. */
export interface RecordedFrame {
  readonly atMs: number;
  readonly serverTick: Tick;
  readonly isPaused: boolean;
  readonly views: readonly (readonly (RecordedView | undefined)[])[];
}

export class History {
  readonly flights: Flight[] = [];
  readonly queued: QueuedCommand[] = [];
  readonly known: KnownCommand[] = [];
  readonly rollbacks: Rollback[] = [];
  readonly verdicts: Verdict[] = [];
  readonly frames: RecordedFrame[] = [];

  add<Kind extends "flights" | "queued" | "known" | "rollbacks" | "verdicts">(
    kind: Kind,
    event: History[Kind][number],
  ): void {
    const events = this[kind] as History[Kind][number][];
    events.push(event);
    if (events.length > EVENTS_MAX) events.splice(0, EVENTS_MAX / 4);
  }

  /**
   * Visits the events that a picture of a moment may show, the newest first.
   * @param visit called with each event of the `RECENT_MS` before the moment
   */
  eachRecent<Kind extends "flights" | "queued" | "known" | "rollbacks" | "verdicts">(
    kind: Kind,
    atMs: number,
    visit: (event: History[Kind][number]) => void,
  ): void {
    const events = this[kind] as readonly History[Kind][number][];
    for (let i = events.length - 1; i >= 0 && events[i]!.atMs >= atMs - RECENT_MS; i--) {
      if (events[i]!.atMs <= atMs) visit(events[i]!);
    }
  }

  addFrame(frame: RecordedFrame): void {
    this.frames.push(frame);
    if (this.frames.length > FRAMES_MAX) this.frames.shift();
  }

  /** The newest frame that is not newer than `atMs`; the oldest one for an earlier moment. */
  frameAt(atMs: number): RecordedFrame | undefined {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle]!.atMs <= atMs) low = middle;
      else high = middle - 1;
    }
    return this.frames[low];
  }
}
