/**
 * What the thread that runs matches is doing, in memory that another thread reads: the match, the
 * phase and the tick. If that thread hangs, it can report nothing itself, but the watchdog's thread
 * sees that nothing changes any more.
 *
 *     words    sequence · phase · tick · whether the loop of ticks runs · length of the subject
 *     bytes    the subject: the match, as JSON
 *
 * A write costs about 0.1 µs, and there are four of them in a match-tick of some hundred µs.
 */

/** What can be under way. "idle" is all work outside of a match: sockets, requests, timers. */
export const PHASES = ["idle", "open", "resume", "join", "tick", "record", "early"] as const;
export type Phase = typeof PHASES[number];

/** Indices of the words. */
const SEQUENCE = 0;
const PHASE = 1;
const TICK = 2;
const IS_LOOPING = 3;
const SUBJECT_LENGTH = 4;
const WORDS = 5;

/**
 * The longest subject, bytes: a game's id, a room's code and a match's name take about 120. A
 * longer one is left out.
 */
export const SUBJECT_BYTES_MAX = 256;

/** The match that something is done for, by names that this program has made or checked. */
export interface Subject {
  /** `Game.id`. */
  readonly game: string;
  /** The code. */
  readonly room: string;
  /** The match's name; missing for a match without a log. */
  readonly match?: string | undefined;
}

/** A subject as the memory has it, made once for each match. */
export type SubjectBytes = Uint8Array;

/** @returns at most `SUBJECT_BYTES_MAX` bytes; none for a subject that is longer */
export function subjectBytesOf({ game, room, match }: Subject): SubjectBytes {
  const bytes = new TextEncoder().encode(JSON.stringify({ game, room, match }));
  return bytes.length > SUBJECT_BYTES_MAX ? new Uint8Array() : bytes;
}

/** The writer's side: the thread that runs matches. */
export class Heartbeat {
  readonly memory = new SharedArrayBuffer(4 * WORDS + SUBJECT_BYTES_MAX);
  readonly #words = new Int32Array(this.memory, 0, WORDS);
  readonly #subject = new Uint8Array(this.memory, 4 * WORDS);

  /**
   * Begins something that runs code of a game.
   * @param tick the one that is stepped or newest, −1 for none
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
   * The loop of ticks has come around, also if no match is played. From the first call on, it has
   * to go on doing so.
   */
  loop(): void {
    this.#words[IS_LOOPING] = 1;
    Atomics.add(this.#words, SEQUENCE, 1);
  }

  /** The loop of ticks ends, as at the end of the process. Phases are watched on. */
  endLoop(): void {
    this.#words[IS_LOOPING] = 0;
  }
}

/** What the memory says. */
export interface HeartbeatReading {
  /** Another one than before if anything has changed since. */
  readonly sequence: number;
  readonly phase: Phase;
  /** −1 for none. */
  readonly tick: number;
  /** Whether something has to change: code of a game is under way, or the loop of ticks runs. */
  readonly isWatched: boolean;
  /** The subject's JSON; empty if nothing is under way, or if it has none. */
  readonly subject: string;
}

/**
 * Reads what a `Heartbeat` has written. All of it belongs together if the sequence stays as it is.
 */
export function readHeartbeat(memory: SharedArrayBuffer): HeartbeatReading {
  const words = new Int32Array(memory, 0, WORDS);
  const sequence = Atomics.load(words, SEQUENCE);
  const phase = PHASES[words[PHASE]!] ?? "idle";
  const isBusy = phase !== "idle";
  // Text decoders take no shared memory.
  const subject = new Uint8Array(memory, 4 * WORDS, isBusy ? words[SUBJECT_LENGTH]! : 0).slice();
  return {
    sequence,
    phase,
    tick: isBusy ? words[TICK]! : -1,
    isWatched: isBusy || words[IS_LOOPING] === 1,
    subject: new TextDecoder().decode(subject),
  };
}
