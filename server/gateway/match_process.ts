/**
 * One match process as its gateway sees it: it is started, asked, and restarted when it has ended.
 * Each of its messages is checked, and invalid ones are left out.
 */
import { type Rate, UsageError } from "../../shared/flags.ts";
import type { Clock, DatagramOffer } from "../../shared/netcode/link.ts";
import type { Ban } from "../bans/bans.ts";
import type { Bus } from "../bus/bus.ts";
import { LINE_BYTES_MAX, PipeBus } from "../bus/pipe_bus.ts";
import {
  askProcess,
  type Entry,
  hearProcess,
  type ProcessCodes,
  type Start,
  tellProcess,
} from "../bus/pipe_messages.ts";
import type { HelloRefusal, Places } from "../capacity/capacity_check.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { BAN } from "../bans/ban_message.ts";
import { messageFrom } from "../messages/message_parts.ts";
import { NODE_HEARTBEAT, type NodeHealth, type NodeHeartbeat } from "../nodes/nodes.ts";
import { banSubject } from "../nodes/shared_bans.ts";
import type { ResultSink } from "../match/result_sink.ts";
import { type Fault, FAULTS_MAX } from "../supervision/faults.ts";
import { ProcessWatch } from "../supervision/process_watch.ts";
import { Restarts } from "../supervision/restarts.ts";
import { type Log, messageOf } from "../ground/log.ts";

/** How long an answer may take, ms. A slower process is too busy. */
const ASK_MS_MAX = 2_000;
/**
 * If a process stays silent for this many of the gateway's looks, 10 s, it is ended. A pause of the
 * whole machine stops both, and does not count.
 */
const MISSED_LOOKS_MAX = 40;
/** How many bytes may wait for the process to read them; further messages are dropped. */
const UNREAD_BYTES_MAX = 4 * LINE_BYTES_MAX;
/** Limits logged lines that are not messages, such as those that a game prints. */
const OUTPUT_LOGGED: Rate = { burst: 20, perSecond: 1 };
/** How much of such a line is logged, characters. */
const OUTPUT_CHARACTERS_MAX = 200;

export type ProcessState = "starting" | "up" | "ended";

/** What a process says about itself several times a second. */
export type ProcessReport = NodeHealth & {
  readonly tickLoad: number;
  readonly datagrams: DatagramOffer | undefined;
};

export interface MatchProcessOptions {
  /** 1 … N. */
  readonly number: number;
  /** Draws a name for a process that is about to start. */
  readonly newNode: () => string;
  /** Starts the program with pipes. */
  readonly spawn: () => Deno.ChildProcess;
  /** Makes the first message for a process that has just begun. */
  readonly startMessage: (process: { node: string; faults: readonly Fault[] }) => Start;
  readonly results: ResultSink | undefined;
  /** Called with a ban that the process has made, because an operator has taken a player out. */
  readonly onBan: (ban: Ban) => void;
  /** Called when it has said which rooms it has. */
  readonly onCodes: (codes: ProcessCodes) => void;
  /** Called when a process that was up has ended, with the matches that made it hang. */
  readonly onEnded: (process: { node: string; faults: readonly Fault[] }) => void;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

export class MatchProcess {
  readonly #options: MatchProcessOptions;
  readonly #restarts: Restarts;
  readonly #output: TokenBucket;
  readonly #watch: ProcessWatch;
  /** Matches that made it hang, for the next process to know. */
  #faults: readonly Fault[] = [];
  #child: Deno.ChildProcess | undefined;
  #bus: PipeBus | undefined;
  #node = "";
  #state: ProcessState = "ended";
  #awayAtMs: number;
  #running: Promise<void> = Promise.resolve();
  #missedLooks = 0;
  #whenUp = Promise.withResolvers<void>();
  /** Why the last start failed, in words for the operator; undefined if it succeeded. */
  #failure: string | undefined;
  /** Its newest report since it came up; undefined while it is away. */
  report: ProcessReport | undefined;
  /** The codes of its rooms, by game name; undefined before it has said them. */
  codes: ProcessCodes["games"] | undefined;
  /** The matches that it has resumed. */
  resumed: readonly string[] = [];
  /** How often it was restarted. */
  restarts = 0;

  constructor(options: MatchProcessOptions) {
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

  /** The name of the process that runs now, or ran last; each start has another one. */
  get node(): string {
    return this.#node;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** How long it has been away, ms; 0 while it is up. */
  get awayMs(): number {
    return this.#state === "up" ? 0 : this.#options.clock.now() - this.#awayAtMs;
  }

  /** The pipe to it; undefined while it is away. */
  get bus(): Bus | undefined {
    return this.#state === "up" ? this.#bus : undefined;
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

  /**
   * Asks whether a client may come in.
   * @returns null if it may; undefined if the process is away, too busy, or answers nonsense
   */
  async askEnter(entry: Entry): Promise<HelloRefusal | null | undefined> {
    const { bus } = this;
    return bus && await askProcess(bus, "enter", { question: entry, timeoutMs: ASK_MS_MAX });
  }

  /** @returns an address's places in the process; undefined as above */
  async askPlaces(addressBlock: string): Promise<Places | undefined> {
    const { bus } = this;
    const question = { addressBlock };
    return bus && await askProcess(bus, "places", { question, timeoutMs: ASK_MS_MAX });
  }

  /** Tells it an entry of the list of bans; a process that starts gets the whole list. */
  tellBan(ban: Ban): void {
    if (this.#bus !== undefined) tellProcess(this.#bus, "ban", ban);
  }

  /** Ends the process as soon as its matches let it, and does not restart it. */
  stop(): void {
    this.#restarts.stop();
    if (this.#bus !== undefined) tellProcess(this.#bus, "stop", {});
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

  /** Ends a process that says nothing. Call it regularly. */
  look(): void {
    if (this.#state === "ended" || ++this.#missedLooks < MISSED_LOOKS_MAX) return;
    this.#options.log("worker_silent", { worker: this.number });
    this.#missedLooks = 0;
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
    const { spawn, log, newNode } = this.#options;
    this.#state = "starting";
    this.#missedLooks = 0;
    this.#failure = undefined;
    this.#node = newNode();

    try {
      const child = this.#child = spawn();
      const bus = this.#bus = this.#busOver(child.stdin.getWriter());
      log("worker_started", { worker: this.number, pid: child.pid });

      // Everything that it says, until its end
      const errorsRead = this.#watch.read(child.stderr);
      await this.#read(bus, child.stdout);
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
    const wasUp = this.#state === "up";
    if (wasUp) this.#whenUp = Promise.withResolvers();
    this.#state = "ended";
    this.#awayAtMs = this.#options.clock.now();
    this.report = this.#bus = undefined;
    this.#watch.ended({ wasAsked: this.#restarts.isStopped });

    // If it died before it was ready, it has not counted the faults that it was told.
    const faults = this.#watch.takeFaults();
    this.#faults = [...this.#faults, ...faults].slice(-FAULTS_MAX);
    if (wasUp) this.#options.onEnded({ node: this.#node, faults });
  }

  /** Makes the bus to a process. What it does not read waits, up to a bound. */
  #busOver(writer: WritableStreamDefaultWriter<Uint8Array>): PipeBus {
    const { log, wait, clock } = this.#options;
    const worker = this.number;
    let unreadBytes = 0;

    const bus = new PipeBus({
      write(line) {
        const bytes = new TextEncoder().encode(`${line}\n`);
        if (unreadBytes + bytes.length > UNREAD_BYTES_MAX) return;
        unreadBytes += bytes.length;
        // If the pipe is closed, the process has ended, which is noticed elsewhere.
        writer.write(bytes).catch(() => {}).finally(() => unreadBytes -= bytes.length);
      },
      onHeard: () => this.#missedLooks = 0,
      onOther: (line) => {
        const text = line.slice(0, OUTPUT_CHARACTERS_MAX);
        if (this.#output.take(clock.now())) log("worker_output", { worker, text });
      },
      onTooLong: (type, characters) => log("message_left_out", { worker, type, characters }),
      wait,
    });
    this.#listen(bus);
    return bus;
  }

  #listen(bus: PipeBus): void {
    const { log, startMessage, results, onCodes, onBan } = this.#options;
    const worker = this.number;
    const node = this.#node;
    const refuse = (subject: string) => {
      if (this.#output.take(this.#options.clock.now())) {
        log("message_refused", { worker, subject });
      }
    };

    bus.subscribe(`beat.${node}`, (bytes) => {
      const heartbeat = messageFrom(NODE_HEARTBEAT, bytes);
      if (heartbeat?.health === undefined) refuse("beat");
      else this.#onHeartbeat(heartbeat, heartbeat.health);
    });
    bus.subscribe(banSubject(node), (bytes) => {
      const ban = messageFrom(BAN, bytes);
      if (ban === undefined) refuse("ban");
      else onBan(ban);
    });
    hearProcess(bus, "hello", {
      take: () => tellProcess(bus, "start", startMessage({ node, faults: this.#faults })),
      refuse,
    });
    hearProcess(bus, "failed", {
      take: ({ message }) => {
        this.#failure = message;
        log("worker_failed", { worker, error: message });
      },
      refuse,
    });
    hearProcess(bus, "ready", { take: ({ matches }) => this.#onReady(matches), refuse });
    hearProcess(bus, "codes", {
      take: (codes) => {
        this.codes = codes.games;
        onCodes(codes);
      },
      refuse,
    });
    hearProcess(bus, "round", {
      take: ({ match, round }) => results?.addRound(match, round),
      refuse,
    });
    hearProcess(bus, "matchOver", {
      take: ({ id, reason }) => results?.endMatch(id, reason),
      refuse,
    });
    hearProcess(bus, "log", {
      take: ({ event, fields }) => {
        const shown = Object.entries(fields).map(([key, value]) => [key, value ?? ""]);
        log(event, { worker, ...Object.fromEntries(shown) });
      },
      refuse,
    });
  }

  async #read(bus: PipeBus, stdout: ReadableStream<Uint8Array>): Promise<void> {
    try {
      await bus.read(stdout);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#options.log("worker_failed", { worker: this.number, error: messageOf(error) });
    }
  }

  #onHeartbeat({ load, datagrams }: NodeHeartbeat, health: NodeHealth): void {
    this.report = { ...health, tickLoad: load, datagrams };
  }

  #onReady(matches: readonly string[]): void {
    this.resumed = matches;
    this.#faults = [];
    this.#state = "up";
    this.#whenUp.resolve();
  }
}
