/**
 * One match process as the front process sees it: it is started, asked, and restarted when it has
 * ended. Each of its messages is checked, and invalid ones are left out.
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
 * How many questions may be unanswered. Each is for a ticket or an operator, and more of them would
 * only wait longer.
 */
const ASKS_MAX = 1_024;
/** How long an answer may take, ms. A slower process is too busy. */
const ASK_MS_MAX = 2_000;
/**
 * If a process stays silent for this many of the front process's heartbeats, 10 s, it is ended. A
 * pause of the whole machine stops both, and does not count.
 */
const MISSED_HEARTBEATS_MAX = 40;
/** Limits logged lines that are not messages, such as those that a game prints. */
const OUTPUT_LOGGED: Rate = { burst: 20, perSecond: 1 };
/** How much of such a line is logged, characters. */
const OUTPUT_CHARACTERS_MAX = 200;

export type WorkerState = "starting" | "up" | "ended";

export interface WorkerProcessOptions {
  /** 1 … N. */
  readonly number: number;
  /** Starts the program with pipes. */
  readonly spawn: () => Deno.ChildProcess;
  /** Makes the first message for a process that has just begun. */
  readonly startMessage: (faults: readonly Fault[]) => Start;
  /** Takes messages other than answers. */
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
  /** Matches that made it hang, for the next process to know. */
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
  /** Why the last start failed, in words for the operator; undefined if it succeeded. */
  #failure: string | undefined;
  /** Its newest report since it came up; undefined while it is away. */
  report: WorkerReport | undefined;
  /** The matches that it has resumed. */
  resumed: readonly string[] = [];
  /** How often it was restarted. */
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

  /** @returns whether it is up, now or within this time */
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

  /** Sends a message, unless the process is away. */
  send(message: ToWorker): void {
    // If the pipe is closed, the process has ended, which is noticed elsewhere.
    this.#writer?.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)).catch(() => {});
  }

  /** Ends the process as soon as its matches let it, and does not restart it. */
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

  /** Resolves when the process has ended for good and its output is read. Call `stop` before. */
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

  /** Runs one process from its beginning to its end. */
  async #run(): Promise<void> {
    const { spawn, log } = this.#options;
    this.#state = "starting";
    this.#missedHeartbeats = 0;
    this.#failure = undefined;

    try {
      const child = this.#child = spawn();
      this.#writer = child.stdin.getWriter();
      log("worker_started", { worker: this.number, pid: child.pid });

      // Everything that it says, until its end
      const errorsRead = this.#watch.read(child.stderr);
      await this.#read(child.stdout);
      this.kill(); // it has closed its output, or said too much
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
    // If it died before it was ready, it has not counted the faults that it was told.
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
