/**
 * Threads in which matches are tried while this thread runs its ticks. Each thread tries one match
 * after another. If a match took too long, another thread replaces its thread, because work that
 * was ended halfway may have left anything behind.
 *
 * Some loops cannot be ended, not even by V8. With Deno 2.9.6 such a loop has been compiled by V8's
 * optimising compiler and calls nothing but builtins, as in `list.push(new Array(1000).fill(0))`.
 * Its thread is **lost**: it takes a core, and perhaps all memory, for as long as this process
 * lives.
 */
import { type Log, messageOf } from "../ground/log.ts";
import type { Scheduler } from "../ground/ticker.ts";
import {
  type FromTrialThread,
  newProgress,
  STEPS,
  TICK,
  type ToTrialThread,
} from "./trial_thread.ts";
import type { FromReferee } from "./case_queue.ts";
import type { Trials } from "./trials.ts";
import { STEP_MS_MAX, TRIAL_MS_MAX, type TrialOutcome } from "./tried_match.ts";

/**
 * How many threads there may be, each of 40 MB. Four of them try two hundred matches in a few
 * seconds.
 */
const THREADS_MAX = 4;
/** How long a thread may take to load the games, ms. */
const READY_MS_MAX = 30_000;
/**
 * How long a thread may take to answer, ms. It ends its trials by itself; if it still does not
 * answer, it is given up.
 */
const ANSWER_MS_MAX = TRIAL_MS_MAX + 5_000;
/** A pause of the whole process makes a trial look slow. It is then tried up to this many times. */
const TRIES_MAX = 3;
/** The shortest pause that counts, ms. */
const PAUSE_MS_MIN = STEP_MS_MAX / 4;
/** How often pauses and lost threads are looked for, ms. */
const LOOK_EVERY_MS = 50;
/**
 * After this many looks without a new step a thread is lost, because V8 ends a step in half of that
 * time.
 */
const STILL_LOOKS_MAX = 2 * STEP_MS_MAX / LOOK_EVERY_MS;

/** What runs in the threads. */
export interface TrialProgram {
  /** A module that calls `runTrialThread`. */
  readonly module: URL;
  /** The folders that it reads: none for a program that names the games' modules itself. */
  readonly reads: readonly string[];
}

/** Starts a thread that may read the program and nothing else. */
export function startThread({ module, reads }: TrialProgram): Worker {
  const options: WorkerOptions & { readonly deno: object } = {
    type: "module",
    deno: { permissions: reads.length === 0 ? "none" : { read: [...reads] } },
  };
  return new Worker(module, options);
}

export interface TrialThreadsOptions {
  readonly program: TrialProgram;
  /** The hosted games' names. */
  readonly games: readonly string[];
  /** Tries the matches if no thread can be started. */
  readonly otherwise: Trials;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export class TrialThreads implements Trials {
  readonly lanes: number;
  readonly #options: TrialThreadsOptions;
  /** Threads that are not trying a match at the moment. */
  readonly #idle: TrialThread[] = [];
  readonly #all = new Set<TrialThread>();
  /** Trials waiting for a thread, in order, and the number under way. */
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #hasThreads = true;
  readonly #lost = Promise.withResolvers<void>();
  #isLost = false;
  #isClosed = false;

  /** Does not start a thread yet. @param cores the machine's */
  constructor(options: TrialThreadsOptions, cores = navigator.hardwareConcurrency) {
    this.#options = options;
    this.lanes = Math.min(THREADS_MAX, cores);
  }

  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  warm(): void {
    if (this.#all.size === 0 && this.#hasThreads) this.#idle.push(this.#start());
  }

  async try(log: Uint8Array): Promise<TrialOutcome> {
    // Takes turns, because a node that is gone leaves all of its matches at once.
    if (this.#underWay < this.lanes) this.#underWay++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));

    try {
      return await this.#tryUntilSure(log);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }

  /** Repeats a trial that may have been slow only because this process paused. */
  async #tryUntilSure(log: Uint8Array): Promise<TrialOutcome> {
    for (let tries = 1;; tries++) {
      const pauses = new Pauses(this.#options.scheduler);
      const outcome = await this.#tryOnce(log);
      pauses.end();

      const isDoubtful = "failure" in outcome && outcome.failure.isSlow &&
        pauses.longestMs >= PAUSE_MS_MIN;
      // A match that took one thread for ever would take the next one too.
      if (!isDoubtful || tries >= TRIES_MAX || this.#isLost || this.#isClosed) return outcome;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const thread of this.#all) thread.end();
    this.#all.clear();
    this.#idle.length = 0;
  }

  async #tryOnce(log: Uint8Array): Promise<TrialOutcome> {
    const { otherwise, log: write } = this.#options;
    if (!this.#hasThreads) return await otherwise.try(log);

    // A usable thread
    const thread = this.#idle.pop() ?? this.#start();
    const fault = await thread.fault();
    if (fault !== "") {
      this.#end(thread);
      // Another thread would fail as well, for example if the process may not read the program.
      if (this.#hasThreads && !this.#isClosed) write("trial_thread_failed", { error: fault });
      this.#hasThreads = false;
      return await otherwise.try(log);
    }

    // The trial. A match that took too long spoils its thread, which tries no other match.
    const outcome = await thread.try(log);
    const isSpoilt = "failure" in outcome && outcome.failure.isSlow;
    if (isSpoilt) this.#end(thread);
    if (thread.isLost) {
      this.#isLost = true;
      this.#lost.resolve();
    }
    if (!this.#isClosed) this.#idle.push(isSpoilt ? this.#start() : thread);
    return outcome;
  }

  #start(): TrialThread {
    const thread = new TrialThread(this.#options);
    this.#all.add(thread);
    return thread;
  }

  #end(thread: TrialThread): void {
    thread.end();
    this.#all.delete(thread);
  }
}

/** The answers to the start and to a log. */
type TrialAnswer = Exclude<FromTrialThread, FromReferee>;

class TrialThread {
  readonly #scheduler: Scheduler;
  readonly #worker: Worker | undefined;
  readonly #isReady: Promise<boolean>;
  readonly #progress = newProgress();
  /** Why it has ended; empty while it lives. */
  #end = "";
  #answer = Promise.withResolvers<TrialAnswer | undefined>();
  /** Whether it is caught in a loop that cannot be ended. */
  isLost = false;

  constructor({ program, games, scheduler }: TrialThreadsOptions) {
    this.#scheduler = scheduler;

    try {
      const worker = this.#worker = startThread(program);
      worker.addEventListener(
        "message",
        ({ data }: MessageEvent<TrialAnswer>) => this.#answer.resolve(data),
      );
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        this.end(event.message.split("\n")[0]);
      });
    } catch (error) {
      this.end(messageOf(error));
    }

    const loaded = this.#ask({ games, progress: this.#progress }, READY_MS_MAX);
    this.#isReady = loaded.then((answer) => answer === "ready");
  }

  /** @returns why it cannot be used, once it has loaded the games; empty if it can */
  async fault(): Promise<string> {
    const isReady = await this.#isReady;
    if (this.#end !== "") return this.#end;
    return isReady ? "" : `it has not loaded the games within ${READY_MS_MAX} ms`;
  }

  /** Tries a match. Call it only after `fault`, and after the previous outcome. */
  async try(log: Uint8Array): Promise<TrialOutcome> {
    const endWatch = this.#watchProgress();
    const outcome = await this.#ask({ log }, ANSWER_MS_MAX);
    endWatch();
    if (typeof outcome === "object") return outcome;

    // No answer
    if (this.isLost) {
      const tick = Atomics.load(this.#progress, TICK);
      return {
        failure: { error: `tick ${tick} does not end, and nothing can end it`, isSlow: true, tick },
      };
    }
    const error = this.#end === ""
      ? `gives no answer within ${ANSWER_MS_MAX} ms`
      : `has ended its thread: ${this.#end}`;
    return { failure: { error: `its trial ${error}`, isSlow: true } };
  }

  end(why = "it was closed"): void {
    this.#worker?.terminate();
    this.#end ||= why;
    this.#answer.resolve(undefined);
  }

  /** Gives the thread up if it begins no more steps. @returns a function that ends the watch */
  #watchProgress(): () => void {
    let steps = Atomics.load(this.#progress, STEPS);
    let stillLooks = 0;
    let cancel = () => {};

    const look = () => {
      const now = Atomics.load(this.#progress, STEPS);
      stillLooks = now === steps ? stillLooks + 1 : 0;
      steps = now;
      if (stillLooks < STILL_LOOKS_MAX) {
        cancel = this.#scheduler.after(LOOK_EVERY_MS, look);
        return;
      }
      this.isLost = true;
      this.#answer.resolve(undefined);
    };
    look();
    return () => cancel();
  }

  /** @returns the answer; undefined if the thread ends, or does not answer in time */
  async #ask(message: ToTrialThread, msMax: number): Promise<TrialAnswer | undefined> {
    if (this.#end !== "") return undefined;
    const answer = this.#answer = Promise.withResolvers();
    this.#worker!.postMessage(message);
    const cancel = this.#scheduler.after(msMax, () => answer.resolve(undefined));
    try {
      return await answer.promise;
    } finally {
      cancel();
    }
  }
}

/**
 * Measures the longest pause of this process since its construction: time in which no timer ran.
 */
class Pauses {
  longestMs = 0;
  readonly #scheduler: Scheduler;
  #cancel: () => void;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#cancel = this.#look();
  }

  end(): void {
    this.#cancel();
  }

  #look(): () => void {
    const sinceMs = this.#scheduler.now();
    return this.#scheduler.after(LOOK_EVERY_MS, () => {
      this.longestMs = Math.max(this.longestMs, this.#scheduler.now() - sinceMs - LOOK_EVERY_MS);
      this.#cancel = this.#look();
    });
  }
}
