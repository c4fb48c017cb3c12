/**
 * What the thread that runs matches is doing, in memory that another thread reads: the match, the
 * phase and the tick. If that thread hangs, it cannot report anything itself, but the watchdog's
 * thread sees that nothing changes any more.
 *
 *     words    sequence · phase · tick · whether the loop of ticks runs · length of the subject
 *     bytes    the subject: the match, as JSON
 *
 * A write costs about 0.1 µs, and a match-tick of some hundred µs makes four of them.
 */

/** What can be under way. "idle" covers all work outside matches: sockets, requests, timers. */
export const PHASES = ["idle", "open", "resume", "join", "tick", "record", "early"] as const;
export type Phase = typeof PHASES[number];

/** The words' indices. */
const SEQUENCE = 0;
const PHASE = 1;
const TICK = 2;
const IS_LOOPING = 3;
const SUBJECT_LENGTH = 4;
const WORDS = 5;

/**
 * The longest subject, bytes: a game's id, a room's code and a match's name take about 120. A
 * longer subject is left out.
 */
export const SUBJECT_BYTES_MAX = 256;

/** The match that is being worked on, under names that this program made or checked. */
export interface Subject {
  /** `Game.id`. */
  readonly game: string;
  /** The room's code. */
  readonly room: string;
  /** The match's name; missing for a match without a log. */
  readonly match?: string | undefined;
}

/** A subject as the memory stores it, made once for each match. */
export type SubjectBytes = Uint8Array;

/** @returns at most `SUBJECT_BYTES_MAX` bytes; empty for a longer subject */
export function subjectBytesOf({ game, room, match }: Subject): SubjectBytes {
  const bytes = new TextEncoder().encode(JSON.stringify({ game, room, match }));
  return bytes.length > SUBJECT_BYTES_MAX ? new Uint8Array() : bytes;
}

/** The writer's side, in the thread that runs matches. */
export class Heartbeat {
  readonly memory = new SharedArrayBuffer(4 * WORDS + SUBJECT_BYTES_MAX);
  readonly #words = new Int32Array(this.memory, 0, WORDS);
  readonly #subject = new Uint8Array(this.memory, 4 * WORDS);

  /**
   * Begins something that runs a game's code.
   * @param tick the tick that is being stepped, or the newest; −1 for none
   */
  enter(subject: SubjectBytes, phase: Exclude<Phase, "idle">, tick: number): void {
    this.#subject.set(subject);
    this.#words[SUBJECT_LENGTH] = subject.length;
    this.#words[PHASE] = PHASES.indexOf(phase);
    this.#words[TICK] = tick;
    Atomics.add(this.#words, SEQUENCE, 1);
  }

  /** Ends what `enter` began. */
  leave(): void {
    this.#words[PHASE] = 0;
    Atomics.add(this.#words, SEQUENCE, 1);
  }

  /**
   * Notes that the loop of ticks has come around, even if no match is being played. From the first
   * call on, it must keep doing so.
   */
  loop(): void {
    this.#words[IS_LOOPING] = 1;
    Atomics.add(this.#words, SEQUENCE, 1);
  }

  /** Stops watching the loop of ticks, as at the end of the process. Phases are still watched. */
  endLoop(): void {
    this.#words[IS_LOOPING] = 0;
  }
}

/** What the memory contains. */
export interface HeartbeatReading {
  /** Differs from the previous reading if anything has changed since. */
  readonly sequence: number;
  readonly phase: Phase;
  /** −1 for none. */
  readonly tick: number;
  /**
   * Whether something must change, because a game's code is under way or the loop of ticks runs.
   */
  readonly isWatched: boolean;
  /** The subject's JSON; empty if nothing is under way, or if it has no subject. */
  readonly subject: string;
}

/**
 * Reads what a `Heartbeat` has written. The parts belong together if the sequence does not change
 * meanwhile.
 */
export function readHeartbeat(memory: SharedArrayBuffer): HeartbeatReading {
  const words = new Int32Array(memory, 0, WORDS);
  const sequence = Atomics.load(words, SEQUENCE);
  const phase = PHASES[words[PHASE]!] ?? "idle";
  const isBusy = phase !== "idle";
  // Copied, because text decoders do not accept shared memory.
  const subject = new Uint8Array(memory, 4 * WORDS, isBusy ? words[SUBJECT_LENGTH]! : 0).slice();
  return {
    sequence,
    phase,
    tick: isBusy ? words[TICK]! : -1,
    isWatched: isBusy || words[IS_LOOPING] === 1,
    subject: new TextDecoder().decode(subject),
  };
}
