/**
 * Shows the progress of a long task on stderr: on a terminal one line that rewrites itself,
 * elsewhere a few plain lines.
 */

const BAR_WIDTH = 24;
/** Number of lines, if stderr is no terminal. */
const PLAIN_LINES = 20;

/** The output of the progress; tests replace it. */
export interface ProgressTarget {
  isTerminal(): boolean;
  writeSync(bytes: Uint8Array): number;
}

/** One task's progress from 0 to `total`. */
export class Progress {
  readonly #total: number;
  readonly #unit: string;
  readonly #target: ProgressTarget;
  readonly #isLive: boolean;
  readonly #beganMs = performance.now();
  #linesWritten = 0;

  /** @param unit name of the counted things, e.g. "ticks" */
  constructor(total: number, unit: string, target: ProgressTarget = Deno.stderr) {
    this.#total = total;
    this.#unit = unit;
    this.#target = target;
    this.#isLive = target.isTerminal();
  }

  /** Shows that `done` of `total` are done. */
  show(done: number): void {
    const share = Math.min(1, done / this.#total);
    const line = this.#line(done, share);
    if (this.#isLive) {
      const filled = Math.round(share * BAR_WIDTH);
      this.#write(`\r[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] ${line}\x1b[K`);
    } else if (Math.floor(share * PLAIN_LINES) >= this.#linesWritten) {
      this.#linesWritten = Math.floor(share * PLAIN_LINES) + 1;
      this.#write(`${line}\n`);
    }
  }

  /** Ends the line, so that later output begins on a new one. */
  end(): void {
    if (this.#isLive) this.#write("\n");
  }

  #line(done: number, share: number): string {
    const seconds = (performance.now() - this.#beganMs) / 1000;
    const rate = done / seconds;
    const left = rate > 0 ? `, ${clock(Math.max(0, this.#total - done) / rate)} left` : "";
    return `${Math.floor(share * 100)} %, ${grouped(done)} ${this.#unit}, ${
      grouped(rate)
    }/s${left}`;
  }

  #write(text: string): void {
    this.#target.writeSync(new TextEncoder().encode(text));
  }
}

/** "1,234,567" */
export function grouped(count: number): string {
  return Math.round(count).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1:02:03", "2:03" */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, i) => i === 0 ? `${part}` : `${part}`.padStart(2, "0")).join(":");
}
