/**
 * A parent's view of one watched process: it reads the process's standard error, passes on what is
 * meant for people, and gathers what the watchdog reports. It remembers which match was under way
 * when the process hung or died.
 */
import type { Log, LogFields } from "../ground/log.ts";
import { type Fault, FAULTS_MAX } from "./faults.ts";
import {
  type Report,
  REPORT_CHARACTERS_MAX,
  reportFrom,
  subjectOf,
  type WatchdogReport,
} from "./reports.ts";

/**
 * Text without a newline that gets longer than this, characters, is not a report, and is passed on.
 */
const LINE_CHARACTERS_MAX = 64 * REPORT_CHARACTERS_MAX;

export interface ProcessWatchOptions {
  /** What each log line begins with, such as a match process's number. */
  readonly fields: LogFields;
  readonly log: Log;
  /** Writes what the process prints for people. */
  readonly passOn: (text: string) => void;
  /** Called when the process hangs, and again every `STEP_MS_MAX` while it does. */
  readonly onHang: (report: WatchdogReport) => void;
  /** Called when the process listens. */
  readonly onReady?: (report: Extract<Report, { type: "ready" }>) => void;
}

export class ProcessWatch {
  readonly #options: ProcessWatchOptions;
  /** The newest report of something that takes long; undefined once that is over. */
  #suspect: WatchdogReport | undefined;
  /** Whether the present hang has been logged. */
  #isHanging = false;
  #faults: Fault[] = [];

  constructor(options: ProcessWatchOptions) {
    this.#options = options;
  }

  /** Reads until the process ends. */
  async read(stderr: ReadableStream<Uint8Array>): Promise<void> {
    const { passOn } = this.#options;
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of stderr) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#onLine(line);
      if (rest.length > LINE_CHARACTERS_MAX) {
        passOn(rest);
        rest = "";
      }
    }

    if (rest !== "") passOn(rest);
  }

  /**
   * Notes that the process has ended, and blames what was taking long, unless it was asked to end.
   */
  ended({ wasAsked }: { wasAsked: boolean }): void {
    const suspect = this.#suspect;
    this.#suspect = undefined;
    this.#isHanging = false;
    if (suspect === undefined || wasAsked) return;
    this.#options.log("died_in_tick", this.#fieldsOf(suspect));
    this.#blame(suspect);
  }

  /**
   * Logs that the process hangs, and blames its match.
   * @param fields further log fields, such as the source line
   */
  blameHang(report: WatchdogReport, fields: LogFields = {}): void {
    if (this.#isHanging) return;
    this.#isHanging = true;
    this.#suspect = undefined;
    this.#options.log("tick_hangs", { ...this.#fieldsOf(report), ...fields });
    this.#blame(report);
  }

  /** @returns the faults since the last call */
  takeFaults(): Fault[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults;
  }

  #onLine(line: string): void {
    const { passOn, onReady, onHang } = this.#options;
    const report = reportFrom(line);
    switch (report?.type) {
      case undefined:
        return passOn(`${line}\n`);
      case "ready":
        return onReady?.(report);
      case "suspect":
        this.#suspect = report;
        return;
      case "cleared":
        this.#suspect = undefined;
        this.#isHanging = false;
        return;
      case "hangs":
        return onHang(report);
    }
  }

  #blame(report: WatchdogReport): void {
    const { tick, phase } = report;
    const matchId = subjectOf(report)?.match;
    if (matchId !== undefined && this.#faults.length < FAULTS_MAX) {
      this.#faults.push({ matchId, tick, phase });
    }
  }

  #fieldsOf(report: WatchdogReport): LogFields {
    const { tick, phase, ms } = report;
    const { game, room, match } = subjectOf(report) ?? {};
    return {
      ...this.#options.fields,
      ...game !== undefined && { game },
      ...room !== undefined && { room },
      ...match !== undefined && { id: match },
      ...tick >= 0 && { tick },
      phase,
      ms,
    };
  }
}
