/**
 * The real server as `deno task serve` runs it, with its log counted and its own figures at hand.
 */
import { build } from "../../../../client/build/build.ts";
import type { Health, Readiness } from "../../../../server/metrics/health.ts";
import {
  descriptorsOf,
  metricsOf,
  residentMbOf,
  sampleOf,
  sumOf,
} from "../../bench/match/server_readings.ts";
import { Inspector } from "../../../support/inspector.ts";
import { freePort } from "../../../support/servers/public_server.ts";
import { serverPidOf, signalServer } from "../../../support/servers/supervised.ts";
import { spawnTask, spawnTaskInspected } from "../../../support/task.ts";

const TICK_HISTOGRAM = "wyvern_tick_duration_seconds";
const DROPPED = "wyvern_ticks_dropped_total";
const RESERVED = "wyvern_reserved_seats";
const COMMANDS = 'wyvern_commands_total{verdict="taken"}';
/** Lines about a link that name its address. */
const LINK_LINE = / (?:link_opened|link_closed|joined) .*\baddress=([\d.]+)/;

/** A line whose level is not "info". */
const ALARM_LINE = /^\S+ (?:warn|error) /;
/** Alarms that are shown. */
const ALARMS_MAX = 100;

/** The page is built once: a restart must not wait for it. */
let built: Promise<unknown> | undefined;

/** The ticks' durations since the start, by the server's own histogram. */
export interface TickReading {
  readonly seconds: number;
  readonly count: number;
  /** Cumulative counts by their upper bounds in seconds, ascending. */
  readonly buckets: readonly (readonly [number, number])[];
  readonly dropped: number;
  /** Commands that came in time. */
  readonly commands: number;
}

export class MeasuredServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #listening = Promise.withResolvers<string>();
  #url = "";
  logBytes = 0;
  logLines = 0;
  /** Lines about links, by their address. */
  readonly linkLines = new Map<string, number>();
  roomsOpened = 0;
  /** Lines of the log with another level than "info"; the first ones are shown on stderr. */
  alarms = 0;
  readonly #logRead: Promise<void>;
  /** Undefined for a server without one. */
  #inspector: Inspector | undefined;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#logRead = this.#readLog();
  }

  /**
   * @param flags of the server, after `--port 0`
   * @throws Error if the server ends instead of listening
   */
  static async start(...flags: string[]): Promise<MeasuredServer> {
    await (built ??= build());
    const server = new MeasuredServer(await spawnTask("serve", "--port", "0", ...flags));
    server.#url = await server.#listening.promise;
    return server;
  }

  /** The same for a server whose garbage can be collected. */
  static async startInspected(...flags: string[]): Promise<MeasuredServer> {
    await (built ??= build());
    const port = freePort();
    const server = new MeasuredServer(
      await spawnTaskInspected(port, "serve", "--port", "0", ...flags),
    );
    server.#url = await server.#listening.promise;
    server.#inspector = await Inspector.connect(port);
    return server;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /**
   * Sends a signal and does not wait: SIGSTOP and SIGCONT pause the server, and not its supervisor.
   */
  signal(signal: Deno.Signal): void {
    signalServer(this.#child.pid, signal);
  }

  async health(): Promise<Health> {
    return await (await fetch(`${this.#url}healthz`)).json();
  }

  async readiness(): Promise<Readiness> {
    return await (await fetch(`${this.#url}readyz`)).json();
  }

  async ticks(): Promise<TickReading> {
    const text = await metricsOf(this.#url);
    const buckets = [
      ...text.matchAll(new RegExp(`^${TICK_HISTOGRAM}_bucket\\{le="([^"]+)"\\} (\\d+)$`, "gm")),
    ];
    return {
      seconds: sampleOf(text, `${TICK_HISTOGRAM}_sum`),
      count: sampleOf(text, `${TICK_HISTOGRAM}_count`),
      buckets: buckets.map((
        [, bound, count],
      ) => [bound === "+Inf" ? Infinity : Number(bound), Number(count)]),
      dropped: sampleOf(text, DROPPED),
      commands: sampleOf(text, COMMANDS),
    };
  }

  /** The memory after a collection of garbage, if the server is inspected; otherwise with it. */
  async residentMb(): Promise<number> {
    await this.#inspector?.collectGarbage();
    return await residentMbOf(serverPidOf(this.#child.pid));
  }

  descriptors(): Promise<number> {
    return descriptorsOf(serverPidOf(this.#child.pid));
  }

  /** Seats that wait for players whose connection was lost. */
  async reservedSeats(): Promise<number> {
    return sumOf(await metricsOf(this.#url), RESERVED);
  }

  /** Stops the process and waits for its end. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<void> {
    try {
      this.#child.kill(signal);
    } catch {
      // It has already ended.
    }
    await Promise.all([this.#child.status, this.#logRead]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#inspector?.[Symbol.dispose]();
    await this.stop("SIGKILL");
  }

  async #readLog(): Promise<void> {
    let rest = "";
    this.#child.stderr.pipeTo(Deno.stderr.writable, { preventClose: true }).catch(() => {});
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.logBytes += text.length;
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      this.logLines += lines.length;
      for (const line of lines) this.#takeLine(line);
    }
    this.#listening.reject(new Error("the server ended before it listened"));
  }

  #takeLine(line: string): void {
    const url = line.match(/^Wyvern listens on (\S+)/)?.[1];
    const address = line.match(LINK_LINE)?.[1];
    if (url !== undefined) this.#listening.resolve(url);
    if (ALARM_LINE.test(line) && this.alarms++ < ALARMS_MAX) console.error(`server: ${line}`);
    if (line.includes(" room_opened ")) this.roomsOpened++;
    if (address !== undefined) this.linkLines.set(address, (this.linkLines.get(address) ?? 0) + 1);
  }
}
