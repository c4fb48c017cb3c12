/**
 * Other work on the machine of a test: ten loops take every processor for 3 s of every 4. So timers
 * are late, answers wait to be read, and a process may get no turn for half a second. Rules must
 * hold then, too; only times may differ.
 */
import { fileURLToPath } from "node:url";

const LOOPS = 10;

export class BusyMachine implements AsyncDisposable {
  readonly #loops: readonly Deno.ChildProcess[];

  private constructor(loops: readonly Deno.ChildProcess[]) {
    this.#loops = loops;
  }

  /** Begins the loops, which run until this is disposed of, or until this process ends. */
  static start(): BusyMachine {
    const args = ["run", fileURLToPath(new URL("busy_loop.ts", import.meta.url))];
    const newLoop = () =>
      new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "null" }).spawn();
    return new BusyMachine(Array.from({ length: LOOPS }, newLoop));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#loops.map(async (loop) => {
      loop.kill("SIGKILL");
      await loop.status;
    }));
  }
}
