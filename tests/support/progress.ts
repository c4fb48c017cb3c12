/** How far a long task is: on a terminal one line that rewrites itself, elsewhere a plain line now and then. Always on stderr. */

const BAR_WIDTH = 24;
/** Where nobody looks at it live, so many lines are enough. */
const PLAIN_LINES = 20;

/** Where the line goes to; another one in tests. */
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

  /** @param unit what is counted, e.g. "ticks" */
  constructor(total: number, unit: string, target: ProgressTarget = Deno.stderr) {
    this.#total = total;
    this.#unit = unit;
    this.#target = target;
    this.#isLive = target.isTerminal();
  }

  /** So much is done. */
  show(done: number): void {
    const share = Math.min(1, done / this.#total), line = this.#line(done, share);
    if (this.#isLive) {
      const filled = Math.round(share * BAR_WIDTH);
      this.#write(`\r[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] ${line}\x1b[K`);
    } else if (Math.floor(share * PLAIN_LINES) >= this.#linesWritten) {
      this.#linesWritten = Math.floor(share * PLAIN_LINES) + 1;
      this.#write(`${line}\n`);
    }
  }

  /** What is written next has a line of its own. */
  end(): void {
    if (this.#isLive) this.#write("\n");
  }

  #line(done: number, share: number): string {
    const seconds = (performance.now() - this.#beganMs) / 1000, rate = done / seconds;
    const left = rate > 0 ? `, ${clock(Math.max(0, this.#total - done) / rate)} left` : "";
    return `${Math.floor(share * 100)} %, ${grouped(done)} ${this.#unit}, ${grouped(rate)}/s${left}`;
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
  const whole = Math.ceil(seconds), parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, i) => i === 0 ? `${part}` : `${part}`.padStart(2, "0")).join(":");
}
