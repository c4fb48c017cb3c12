/**
 * The parent process of a single-process server. It listens nowhere and runs no game's code, so
 * nothing from outside can stop it. It starts the server, restarts it when it has died, and ends it
 * when its watchdog reports that it hangs:
 *
 *     server: heartbeat → watchdog's thread → standard error → supervisor: names the match, ends the process, starts another
 *
 * The next server continues all matches, as after a crash, and learns which match was at fault.
 */
import type { Log } from "../ground/log.ts";
import { type StopSignals, stopSignals } from "../ground/process.ts";
import { logWriterOf } from "./log_lines.ts";
import { clock, wait } from "../ground/ticker.ts";
import { linesOf } from "../ground/lines.ts";
import type { Settings } from "../settings/settings.ts";
import { childArgs, type ChildPlace } from "./child_command.ts";
import type { Fault } from "./faults.ts";
import { NO_PROBLEMS } from "../dev/dev_input.ts";
import type { SourceProblem } from "../../shared/source_problem.ts";
import type { PageBuild } from "./build_pages.ts";
import { Debugger } from "./debugger.ts";
import { formatToServer, type ToServer } from "./parent_link.ts";
import { ProcessWatch } from "./process_watch.ts";
import type { Report, WatchdogReport } from "./reports.ts";
import { Restarts } from "./restarts.ts";
import { ServiceManager } from "./service_manager.ts";

/** How much longer than its rounds' grace the server may take to end after a signal, ms. */
const END_MS = 10_000;
/** How long the log's last lines may take, ms. */
const LOG_CLOSE_MS = 500;
/** The longest line from `deno task dev`, bytes. */
const DEV_LINE_BYTES_MAX = 1 << 19;

/** The previous server's ports. */
type Ports = Omit<Extract<Report, { type: "ready" }>, "type">;

export interface SupervisorOptions extends Omit<ChildPlace, "isInspected"> {
  readonly settings: Settings;
  /** The pages that `--build` builds; undefined if they exist already. */
  readonly pages: PageBuild | undefined;
}

/**
 * Runs the server until a signal stops it, or until it ends by itself.
 * @returns the process's exit code
 */
export async function supervise(options: SupervisorOptions): Promise<number> {
  const { settings } = options;
  const logWriter = logWriterOf(settings);
  const supervisor = new Supervisor(options, logWriter.log);

  const code = await supervisor.run(stopSignals());
  await logWriter.close(LOG_CLOSE_MS);
  return code;
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #log: Log;
  readonly #restarts = new Restarts({ clock, wait });
  readonly #services: ServiceManager;
  readonly #watch: ProcessWatch;
  #child: Deno.ChildProcess | undefined;
  #input: WritableStreamDefaultWriter<Uint8Array> | undefined;
  /** Servers started so far, including the present one. */
  #starts = 0;
  /** Faults to tell the next server. */
  #faults: Fault[] = [];
  #ports: Ports | undefined;
  #debugger: Debugger | undefined;
  /** The newest line from `deno task dev`, for a server that starts later. */
  #devLine = NO_PROBLEMS;
  /** Where the rules hung, under `deno task dev`. */
  #hang: SourceProblem | undefined;

  constructor(options: SupervisorOptions, log: Log) {
    this.#options = options;
    this.#log = log;
    this.#services = new ServiceManager(log);
    this.#watch = new ProcessWatch({
      fields: {},
      log,
      passOn: (text) => this.#passOn(text),
      onHang: (report) => void this.#onHang(report),
      onReady: ({ port, opsPort }) => this.#onReady({ port, opsPort }),
    });
  }

  /** @returns the last server's exit code */
  async run(signals: StopSignals): Promise<number> {
    void signals.first.then((signal) => this.#stop(signal));
    void signals.second.then((signal) => this.#send({ type: "stop", signal }));
    void this.#options.pages?.servable.then((areServable) => {
      if (areServable) return;
      // Without pages the server would wait for ever.
      this.#restarts.stop();
      end(this.#child);
    });
    if (this.#options.settings.dev) void this.#readDevLines();

    let code: number;
    do {
      code = await this.#runServer();
      // A server that never listened would fail again, because its settings are wrong or its port
      // is in use.
    } while (code !== 0 && this.#ports !== undefined && await this.#restarts.next());
    this.#services.close();
    return code;
  }

  /** Runs one server from its start to its end. @returns its exit code */
  async #runServer(): Promise<number> {
    const { settings } = this.#options;
    const command = new Deno.Command(Deno.execPath(), {
      args: childArgs({
        ...this.#options,
        args: [...this.#options.args, ...portArgs(this.#ports)],
        isInspected: settings.dev,
      }),
      stdin: "piped",
      stdout: "inherit",
      stderr: "piped",
    });
    const child = command.spawn();
    this.#child = child;
    if (this.#starts++ > 0) {
      this.#log("server_started", { pid: child.pid, restarts: this.#starts - 1 });
    }

    // First what it must know, then what it may have missed
    this.#input = child.stdin.getWriter();
    this.#send({ type: "start", faults: this.#faults, restarts: this.#starts - 1 });
    if (settings.dev) this.#send({ type: "dev", line: this.#withHang(this.#devLine) });
    void this.#tellOfPages();

    // Until its end
    await this.#watch.read(child.stderr);
    const { code, signal } = await child.status;
    this.#child = this.#input = this.#debugger = undefined;

    // A server that died before it listened has not counted the faults that it was told.
    this.#watch.ended({ wasAsked: this.#restarts.isStopped });
    this.#faults = [...this.#faults, ...this.#watch.takeFaults()];

    if (!this.#restarts.isStopped && this.#ports !== undefined && code !== 0) {
      this.#log("server_lost", { code, ...signal !== null && { signal } });
    }
    return code;
  }

  async #tellOfPages(): Promise<void> {
    const { pages } = this.#options;
    if (await pages?.servable) this.#send({ type: "pages", are: "servable" });
    if (await pages?.finished) this.#send({ type: "pages", are: "finished" });
  }

  #onReady(ports: Ports): void {
    this.#ports = ports;
    this.#faults = [];
    this.#services.ready();
  }

  /**
   * Ends a server that hangs, unless a debugger holds it, because then it stands still on purpose.
   */
  async #onHang(report: WatchdogReport): Promise<void> {
    const child = this.#child;
    const place = await this.#debugger?.place();
    if (place?.isHeld === true || child !== this.#child) return;
    this.#watch.blameHang(report, place?.at === undefined ? {} : { at: place.at });
    if (place?.at !== undefined) this.#showHang(place.at);
    end(child);
  }

  /**
   * Shows the hanging line on open pages. A change to the rules starts another supervisor, which
   * does not know of the hang.
   */
  #showHang(at: string): void {
    const [, file = at, line = "1", column = "1"] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
    this.#hang = {
      file,
      line: Number(line),
      column: Number(column),
      message: "this loop does not end",
    };
  }

  /** @param line the sources' problems, as JSON */
  #withHang(line: string): string {
    if (this.#hang === undefined) return line;
    const { problems } = JSON.parse(line) as { problems: readonly SourceProblem[] };
    return JSON.stringify({ problems: [this.#hang, ...problems] });
  }

  /** Asks the server to end. It gets its rounds' grace, and some seconds for everything else. */
  #stop(signal: string): void {
    this.#restarts.stop();
    this.#services.stopping();
    this.#options.pages?.stop();
    this.#send({ type: "stop", signal });
    void wait(this.#options.settings.grace * 1000 + END_MS).then(() => end(this.#child));
  }

  #send(message: ToServer): void {
    // If the pipe is closed, the process has ended, which is noticed elsewhere.
    this.#input?.write(new TextEncoder().encode(formatToServer(message))).catch(() => {});
  }

  #passOn(text: string): void {
    const found = this.#options.settings.dev ? Debugger.addressIn(text) : undefined;
    if (found !== undefined) this.#debugger = new Debugger(found);
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }

  async #readDevLines(): Promise<void> {
    for await (const line of linesOf(Deno.stdin.readable, DEV_LINE_BYTES_MAX)) {
      this.#devLine = line;
      this.#send({ type: "dev", line: this.#withHang(line) });
    }
  }
}

/** The previous server's ports, because players and scrapers return to the same address. */
function portArgs(ports: Ports | undefined): string[] {
  if (ports === undefined) return [];
  const { port, opsPort } = ports;
  return ["--port", String(port), ...opsPort === undefined ? [] : ["--ops-port", String(opsPort)]];
}

function end(child: Deno.ChildProcess | undefined): void {
  try {
    child?.kill("SIGKILL");
  } catch {
    // It has already ended.
  }
}
