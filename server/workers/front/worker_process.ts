/**
 * One match process as the front process sees it: it is started, asked, and started again when it
 * has ended. Each of its messages is checked, and wrong ones are left out.
 */
import { type Rate, UsageError } from "../../../shared/flags.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { TokenBucket } from "../../http/token_bucket.ts";
import { type Fault, FAULTS_MAX } from "../../supervision/faults.ts";
import { ProcessWatch } from "../../supervision/process_watch.ts";
import { Restarts } from "../../supervision/restarts.ts";
import { type Log, messageOf } from "../../log.ts";
import { linesOf } from "../lines.ts";
import {
  ANSWERS,
  type AnswerTo,
  type Ask,
  type FromWorker,
  fromWorker,
  MESSAGE_BYTES_MAX,
  type Start,
  type ToWorker,
  type WorkerReport,
} from "../messages.ts";

/**
 * Most questions without an answer. Each is for a ticket or for an operator, and more would only
 * wait longer.
 */
const ASKS_MAX = 1_024;
/** A process that answers later is too busy, ms. */
const ASK_MS_MAX = 2_000;
/**
 * A process that says nothing for so many heartbeats of the front process is ended: 10 s. A pause
 * of the whole machine stops both, and counts for none.
 */
const MISSED_HEARTBEATS_MAX = 40;
/** Lines that are no messages, such as those of a game that prints. */
const OUTPUT_LOGGED: Rate = { burst: 20, perSecond: 1 };
/** The longest part of such a line in the log, characters. */
const OUTPUT_CHARACTERS_MAX = 200;

/** The state of a match process. */
export type WorkerState = "starting" | "up" | "ended";

export interface WorkerProcessOptions {
  /** 1 … N. */
  readonly number: number;
  /** Starts the program with pipes. */
  readonly spawn: () => Deno.ChildProcess;
  /** The first message for a process that has just begun. */
  readonly startMessage: (faults: readonly Fault[]) => Start;
  /** Takes messages that are no answers. */
  readonly onMessage: (message: FromWorker) => void;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #restarts: Restarts;
  readonly #output: TokenBucket;
  readonly #watch: ProcessWatch;
  /** Matches that made it hang, which the next process has to know. */
  #faults: readonly Fault[] = [];
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #state: WorkerState = "ended";
  #awayAtMs: number;
  #running: Promise<void> = Promise.resolve();
  #missedHeartbeats = 0;
  #askId = 0;
  readonly #asks = new Map<number, (value: unknown) => void>();
  #whenUp = Promise.withResolvers<void>();
  /** Why the last start failed, in words for the operator; undefined if it did not. */
  #failure: string | undefined;
  /** Its newest report since it is up; undefined while it is away. */
  report: WorkerReport | undefined;
  /** The matches that it has gone on with. */
  resumed: readonly string[] = [];
  /** How often it was started again. */
  restarts = 0;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.#awayAtMs = options.clock.now();
    this.#restarts = new Restarts(options);
    this.#output = new TokenBucket(OUTPUT_LOGGED, options.clock.now());
    this.#watch = new ProcessWatch({
      fields: { worker: options.number },
      log: options.log,
      passOn: (text) => void Deno.stderr.writeSync(new TextEncoder().encode(text)),
      onHang: (report) => {
        this.#watch.blameHang(report);
        this.kill();
      },
    });
  }

  get number(): number {
    return this.#options.number;
  }

  get state(): WorkerState {
    return this.#state;
  }

  /** How long it has been away, ms; 0 while it is up. */
  get awayMs(): number {
    return this.#state === "up" ? 0 : this.#options.clock.now() - this.#awayAtMs;
  }

  /** Starts it for the first time. @throws UsageError if it cannot start */
  async start(): Promise<void> {
    const ended = this.#running = this.#run();
    await Promise.race([this.#whenUp.promise, ended]);
    if (this.#state !== "up") {
      throw new UsageError(this.#failure ?? `match process ${this.number} did not start`);
    }
    this.#running = ended.then(() => this.#keepRunning());
  }

  /** @returns whether it is up, now or within a time */
  async untilUp(ms: number): Promise<boolean> {
    if (this.#state !== "up" && !this.#restarts.isStopped) {
      await Promise.race([this.#whenUp.promise, this.#restarts.stopped, this.#options.wait(ms)]);
    }
    return this.#state === "up";
  }

  /** @returns the answer; undefined if the process is away, too busy, or answers nonsense */
  async ask<What extends Ask["what"]>(
    ask: Ask & { readonly what: What },
  ): Promise<AnswerTo<What> | undefined> {
    if (this.#state !== "up" || this.#asks.size >= ASKS_MAX) return undefined;
    const id = this.#askId++;
    const answered = Promise.withResolvers<unknown>();
    this.#asks.set(id, answered.resolve);
    this.send({ type: "ask", id, ask });
    const value = await Promise.race([answered.promise, this.#options.wait(ASK_MS_MAX)]);
    this.#asks.delete(id);
    return ANSWERS[ask.what].safeParse(value).data as AnswerTo<What> | undefined;
  }

  /** Sends a message. A process that is away gets none. */
  send(message: ToWorker): void {
    // If the pipe is closed, the process has ended, which is noticed elsewhere.
    this.#writer?.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)).catch(() => {});
  }

  /** The process ends when its matches let it, and is not started again. */
  stop(): void {
    this.#restarts.stop();
    this.send({ type: "stop" });
  }

  /** Ends it at once. */
  kill(): void {
    try {
      this.#child?.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
  }

  /** Call `stop` before. @returns when the process has ended for good, and its output is read */
  ended(): Promise<void> {
    return this.#running;
  }

  /** Ends a process that hangs. Call it regularly. */
  beat(): void {
    if (this.#state === "ended" || ++this.#missedHeartbeats < MISSED_HEARTBEATS_MAX) return;
    this.#options.log("worker_silent", { worker: this.number });
    this.#missedHeartbeats = 0;
    this.kill();
  }

  async #keepRunning(): Promise<void> {
    while (await this.#restarts.next()) {
      this.restarts++;
      await this.#run();
    }
  }

  /** Runs one process from its begin to its end. */
  async #run(): Promise<void> {
    const { spawn, log } = this.#options;
    this.#state = "starting";
    this.#missedHeartbeats = 0;
    this.#failure = undefined;

    try {
      const child = this.#child = spawn();
      this.#writer = child.stdin.getWriter();
      log("worker_started", { worker: this.number, pid: child.pid });

      // All that it says, until its end
      const errorsRead = this.#watch.read(child.stderr);
      await this.#read(child.stdout);
      this.kill(); // it has closed its output, or has said too much
      await errorsRead;

      const { code, signal } = await child.status;
      const event = this.#restarts.isStopped ? "worker_stopped" : "worker_lost";
      log(event, { worker: this.number, code, ...signal !== null && { signal } });
    } catch (error) {
      this.#failure = `match process ${this.number} cannot be started: ${messageOf(error)}`;
      log("worker_failed", { worker: this.number, error: messageOf(error) });
    } finally {
      this.#forget();
    }
  }

  #forget(): void {
    if (this.#state === "up") this.#whenUp = Promise.withResolvers();
    this.#state = "ended";
    this.#awayAtMs = this.#options.clock.now();
    this.report = this.#writer = undefined;
    this.#watch.ended({ wasAsked: this.#restarts.isStopped });
    // If it died before it was ready, it has not counted those that it was told.
    this.#faults = [...this.#faults, ...this.#watch.takeFaults()].slice(-FAULTS_MAX);

    for (const resolve of this.#asks.values()) resolve(undefined);
    this.#asks.clear();
  }

  async #read(stdout: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const line of linesOf(stdout, MESSAGE_BYTES_MAX)) this.#onLine(line);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#options.log("worker_failed", { worker: this.number, error: messageOf(error) });
    }
  }

  #onLine(line: string): void {
    const { log, clock, startMessage, onMessage } = this.#options;
    this.#missedHeartbeats = 0;

    const message = fromWorker(line);
    if (message === undefined) {
      const text = line.slice(0, OUTPUT_CHARACTERS_MAX);
      if (this.#output.take(clock.now())) log("worker_output", { worker: this.number, text });
      return;
    }

    switch (message.type) {
      case "hello":
        return this.send(startMessage(this.#faults));
      case "answer":
        return this.#asks.get(message.id)?.(message.value);
      case "failed":
        this.#failure = message.message;
        return log("worker_failed", { worker: this.number, error: message.message });
      case "ready":
        return this.#onReady(message.matches);
      case "report":
        this.report = message;
    }

    onMessage(message);
  }

  #onReady(matches: readonly string[]): void {
    this.resumed = matches;
    this.#faults = [];
    this.#state = "up";
    this.#whenUp.resolve();
  }
}
