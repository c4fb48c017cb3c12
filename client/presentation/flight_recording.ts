/**
 * Records what the page's simulation did in the last minute: every step with its commands, and a
 * state now and then. From these the debug overlay's worker and the replay page step the same ticks
 * again and find each correction's cause. The recording is always on, because players notice a lag
 * before they open the overlay.
 *
 *     recording = states + steps      a step of tick n begins at S(n − 1), as it was recorded last
 *
 * It holds the used commands without the reasons for them, so the replay does not depend on how the
 * session guesses.
 */
import type { Commands, SeatId, Tick } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import { SEATS } from "../../shared/netcode/game.ts";
import type { Announcement, TickMessage, Welcome } from "../../shared/netcode/wire/messages.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import type { ErrorSmoother } from "./error_smoother.ts";

/**
 * A minute and the longest time between two states, so that the last minute's replay finds a state
 * to start from.
 */
const KEPT_MS = 66_000;
/** The ticks between two recorded states. */
const STATE_TICKS = 100;
/**
 * The most entries. A page advances at most every 16 ms, and finds work hardly more than once a
 * tick.
 */
export const ENTRIES_MAX = 4500;
/**
 * The most recorded steps, a commands array each. A tick steps at most 32 ticks again, usually 5.
 */
export const STEPS_MAX = 22_000;
/** The most recorded frames: half a minute at 60 Hz. Faster displays skip frames. */
export const FRAMES_MAX = 2048;
const FRAME_MS_MIN = 15;
/** The most retracted effects. */
const RETRACTED_MAX = 256;

export interface FlightStep<Command = unknown> {
  readonly tick: Tick;
  readonly commands: Commands<Command>;
}

/** S(tick), and the steps from there to the head. */
export interface FlightState<Command = unknown> {
  readonly tick: Tick;
  readonly words: Uint32Array<ArrayBuffer>;
  readonly steps: readonly FlightStep<Command>[];
}

/** A definitive tick as it arrived. */
export interface FlightTick extends Pick<TickMessage<unknown>, "tick" | "hash" | "slackMs"> {
  readonly announcements: readonly Pick<Announcement<unknown>, "seat" | "tick">[];
  /** On the page's clock. */
  readonly atMs: number;
  /** How long it may have waited at most while the page was busy, ms. */
  readonly lagMs: number;
}

/** An own command as it was sent. */
export interface FlightCommand {
  readonly tick: Tick;
  /** On the page's clock. */
  readonly atMs: number;
}

/** One advance in which the session received or stepped ticks. */
export interface FlightEntry {
  /** When it began, ms on the page's clock. */
  readonly atMs: number;
  /** The longest time from one advance's start to the next since the entry before, ms. */
  readonly gapMs: number;
  /** The newest definitive tick that the session processed. */
  readonly definitive: Tick;
  readonly ticks: readonly FlightTick[];
  /** The own commands since the entry before. */
  readonly commands: readonly FlightCommand[];
  /** In order. A rollback shows as a tick that is not the next one. */
  readonly steps: readonly FlightStep[];
  /** Recorded now and then, and whenever steps alone do not lead to the session's state. */
  readonly state: FlightState | undefined;
  /**
   * Whether the session adopted the server's state, or is on the body stream, so that the steps do
   * not lead to the new state.
   */
  readonly isRebased: boolean;
}

/** What the recording reads from a session. */
export interface RecordedSession {
  readonly seat: SeatId;
  readonly head: Tick;
  readonly definitiveTick: Tick;
  readonly isInSync: boolean;
  readonly isOnBodyStream: boolean;
  readonly stats: { readonly statesAdopted: number };
  commandsOf(tick: Tick): Commands<unknown>;
  copyState(tick: Tick, into: Snapshot): boolean;
}

export class FlightRecording {
  /** The oldest first. */
  readonly entries: FlightEntry[] = [];
  /** How many entries were removed from the front. */
  removed = 0;
  /** How many connections there were so far; entries from earlier ones are gone. */
  connection = 0;
  welcome: Welcome | undefined;
  /** By frame modulo `FRAMES_MAX`: when it was drawn, ms on the page's clock. */
  readonly framesAtMs = new Float64Array(FRAMES_MAX);
  /** By frame and seat: the error offset at which the seat's body was drawn, metres. */
  readonly frameOffsets = new Float32Array(FRAMES_MAX * SEATS);
  /** Frames so far. */
  frames = 0;
  /** Effects that a frame took back, the oldest first. */
  readonly retracted: { readonly atMs: number; readonly key: string }[] = [];
  #ticks: FlightTick[] = [];
  #commands: FlightCommand[] = [];
  #steps: FlightStep[] = [];
  #stepCount = 0;
  #advancedAtMs = Infinity;
  #gapMs = 0;
  #stateTick = -Infinity;
  #statesAdopted = 0;

  /** Begins with another connection. */
  restart(): void {
    this.connection++;
    this.welcome = undefined;
    this.removed =
      this.entries.length =
      this.#stepCount =
      this.#gapMs =
      this.#statesAdopted =
        0;
    this.#ticks = [];
    this.#commands = [];
    this.#steps = [];
    this.#stateTick = -Infinity;
    this.#advancedAtMs = Infinity;
  }

  /** @param lagMs how long the message may have waited at most while the page was busy, ms */
  onTick(
    atMs: number,
    { tick, hash, slackMs, announcements }: TickMessage<unknown>,
    lagMs: number,
  ): void {
    this.#ticks.push({ atMs, lagMs, tick, hash, slackMs, announcements });
  }

  /**
   * Call it when the session issues its own command for a tick.
   * @param atMs now, on the page's clock
   */
  onCommand(tick: Tick, atMs: number): void {
    this.#commands.push({ tick, atMs });
  }

  /** Call it after each step of the session's simulation. */
  onStep(session: RecordedSession, tick: Tick): void {
    this.#steps.push(stepOf(session, tick));
  }

  /** Call it after each advance of the session. @param atMs when the advance began */
  onAdvanced(session: RecordedSession, atMs: number): void {
    this.#gapMs = Math.max(this.#gapMs, atMs - this.#advancedAtMs);
    this.#advancedAtMs = atMs;
    if (this.#steps.length + this.#ticks.length === 0) return;

    // An entry for what this advance received and stepped
    const isRebased = session.stats.statesAdopted !== this.#statesAdopted || session.isOnBodyStream;
    this.#stepCount += this.#steps.length;
    this.entries.push({
      atMs,
      gapMs: this.#gapMs,
      definitive: session.definitiveTick,
      ticks: this.#ticks,
      commands: this.#commands,
      steps: this.#steps,
      state: this.#stateOf(session, isRebased),
      isRebased,
    });

    this.#ticks = [];
    this.#commands = [];
    this.#steps = [];
    this.#gapMs = 0;

    // Remove old entries
    while (
      this.entries.length > ENTRIES_MAX || this.#stepCount > STEPS_MAX ||
      this.entries[0]!.atMs < atMs - KEPT_MS
    ) {
      this.#stepCount -= this.entries.shift()!.steps.length;
      this.removed++;
    }
  }

  /** Call it for each frame. @param retracted keys of the effects that this frame takes back */
  onFrame(
    atMs: number,
    { poses, smoother, retracted }: {
      poses: PoseList;
      smoother: Pick<ErrorSmoother, "offsetMetres">;
      retracted: readonly string[];
    },
  ): void {
    for (const key of retracted) this.retracted.push({ atMs, key });
    if (this.retracted.length > RETRACTED_MAX) {
      this.retracted.splice(0, this.retracted.length - RETRACTED_MAX);
    }
    if (this.frames > 0 && atMs < this.framesAtMs[(this.frames - 1) % FRAMES_MAX]! + FRAME_MS_MIN) {
      return;
    }
    const row = this.frames++ % FRAMES_MAX;
    this.framesAtMs[row] = atMs;
    this.frameOffsets.fill(0, row * SEATS, (row + 1) * SEATS);
    for (let i = 0; i < poses.count; i++) {
      const { seat, entity } = poses.at(i);
      if (seat >= 0) this.frameOffsets[row * SEATS + seat] = smoother.offsetMetres(entity);
    }
  }

  #stateOf(session: RecordedSession, isRebased: boolean): FlightState | undefined {
    const { definitiveTick: tick, head, isInSync } = session;
    if (!isInSync || head < tick || (!isRebased && tick < this.#stateTick + STATE_TICKS)) {
      return undefined;
    }
    const state = new Snapshot(0);
    const steps: FlightStep[] = [];
    if (session.isOnBodyStream || !session.copyState(tick, state)) return undefined;
    this.#stateTick = tick;
    this.#statesAdopted = session.stats.statesAdopted;
    for (let next = tick + 1; next <= head; next++) steps.push(stepOf(session, next));
    return { tick, words: state.words.slice(0, state.length), steps };
  }
}

/** Copies a step, because the session reuses its lists. */
function stepOf(session: RecordedSession, tick: Tick): FlightStep {
  return { tick, commands: [...session.commandsOf(tick)] };
}
