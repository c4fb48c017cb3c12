/**
 * Threads in which matches are tried while this one runs its ticks. A thread tries one match after
 * another. If a match took too long, another thread takes its place, because work that was ended in
 * the middle may have left anything behind.
 *
 * Some loops cannot be ended, not even by V8. With Deno 2.9.6 that is one that its optimising
 * compiler has compiled, and that calls nothing but builtins, such as `list.push(new
 * Array(1000).fill(0))`. The thread of such a loop is **lost**: it takes a core, and perhaps all
 * memory, for as long as this process lives.
 */
import { type Log, messageOf } from "../log.ts";
import type { Scheduler } from "../ticker.ts";
import {
  type FromTrialThread,
  newProgress,
  STEPS,
  TICK,
  type ToTrialThread,
} from "./trial_thread.ts";
import type { Trials } from "./trials.ts";
import { STEP_MS_MAX, TRIAL_MS_MAX, type TrialOutcome } from "./tried_match.ts";

/** Most threads, of 40 MB each. With four of them two hundred matches take a few seconds. */
const THREADS_MAX = 4;
/** How long a thread may take to load the games, ms. */
const READY_MS_MAX = 30_000;
/** A thread ends its trials itself. One that gives no answer so long after that is given up, ms. */
const ANSWER_MS_MAX = TRIAL_MS_MAX + 5_000;
/** A pause of the whole process makes a trial look slow. Then it is repeated, so often at most. */
const TRIES_MAX = 3;
/** A pause that counts, ms. */
const PAUSE_MS_MIN = STEP_MS_MAX / 4;
/** How often pauses and lost threads are looked for, ms. */
const LOOK_EVERY_MS = 50;
/**
 * A thread in which no step has begun for so many looks is lost: V8 ends a step in half of that
 * time.
 */
const STILL_LOOKS_MAX = 2 * STEP_MS_MAX / LOOK_EVERY_MS;

export interface TrialThreadsOptions {
  /** The program of a thread: a module that calls `runTrialThread`. */
  readonly module: URL;
  /** The names of the hosted games. */
  readonly games: readonly string[];
  /** Tries if no thread can be started. */
  readonly otherwise: Trials;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export class TrialThreads implements Trials {
  readonly lanes: number;
  readonly #options: TrialThreadsOptions;
  /** Threads that try nothing at the moment. */
  readonly #idle: TrialThread[] = [];
  readonly #all = new Set<TrialThread>();
  /** Trials that wait for a thread, in their order, and those under way. */
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #hasThreads = true;
  readonly #lost = Promise.withResolvers<void>();
  #isLost = false;
  #isClosed = false;

  /** Starts no thread yet. @param cores of the machine */
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
    // A turn, because a node that is gone leaves all of its matches at once.
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

  /** Repeats a trial that only a pause of this process may have made slow. */
  async #tryUntilSure(log: Uint8Array): Promise<TrialOutcome> {
    for (let tries = 1;; tries++) {
      const pauses = new Pauses(this.#options.scheduler);
      const outcome = await this.#tryOnce(log);
      pauses.end();

      const isDoubtful = "failure" in outcome && outcome.failure.isSlow &&
        pauses.longestMs >= PAUSE_MS_MIN;
      // A match that has taken one thread for ever would take the next one, too.
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

    // A thread that can be used
    const thread = this.#idle.pop() ?? this.#start();
    const fault = await thread.fault();
    if (fault !== "") {
      this.#end(thread);
      // Another one would fail as well, for example because the process may not read the program.
      if (this.#hasThreads && !this.#isClosed) write("trial_thread_failed", { error: fault });
      this.#hasThreads = false;
      return await otherwise.try(log);
    }

    // The trial. A match that took too long leaves a thread that tries no other one.
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

/** One thread. */
class TrialThread {
  readonly #scheduler: Scheduler;
  readonly #worker: Worker | undefined;
  readonly #isReady: Promise<boolean>;
  readonly #progress = newProgress();
  /** Why it has ended; empty while it has not. */
  #end = "";
  #answer = Promise.withResolvers<FromTrialThread | undefined>();
  /** Whether it is in a loop that cannot be ended. */
  isLost = false;

  constructor({ module, games, scheduler }: TrialThreadsOptions) {
    this.#scheduler = scheduler;

    const options: WorkerOptions & { readonly deno: object } = {
      type: "module",
      deno: { permissions: "none" },
    };
    try {
      const worker = this.#worker = new Worker(module, options);
      worker.addEventListener(
        "message",
        ({ data }: MessageEvent<FromTrialThread>) => this.#answer.resolve(data),
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

  /** @returns why it cannot be used, when it has loaded the games; empty if it can */
  async fault(): Promise<string> {
    const isReady = await this.#isReady;
    if (this.#end !== "") return this.#end;
    return isReady ? "" : `it has not loaded the games within ${READY_MS_MAX} ms`;
  }

  /** Tries a match. Call it only after `fault`, and not before the outcome of the one before. */
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

  /** Gives the thread up when it begins no more steps. @returns ends the watch */
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

  /** @returns the answer; undefined if the thread ends, or gives none in time */
  async #ask(message: ToTrialThread, msMax: number): Promise<FromTrialThread | undefined> {
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

/** The longest pause of this process since it was made: time in which no timer ran. */
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
