/** `deno task dev` on a copy of the project, so that no file of the project is written to. */
import { assert } from "@std/assert";
import { copyProject } from "../project_copy.ts";
import { within } from "../within.ts";

/** A restart with its build takes a tenth of it on a slow machine. */
const OUTPUT_PATIENCE_MS = 120_000;

/**
 * The task, running in a copy of the project. With `await using` both are gone at the end of the
 * block.
 */
export class DevTask implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly #task: Deno.ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #readers: ReadableStreamDefaultReader<string>[] = [];
  #output = "";
  #read = 0;
  #outputArrived = Promise.withResolvers<void>();

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}/`;
    this.#task = new Deno.Command(Deno.execPath(), {
      // On a machine that is busy with other tests, players are let in as well.
      args: ["task", "--quiet", "dev", "--port", String(port), "--tick-load", "100"],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#ended = Promise.all([this.#collect(this.#task.stdout), this.#collect(this.#task.stderr)]);
  }

  static async open(): Promise<DevTask> {
    return new DevTask(await copyProject(), freePort());
  }

  /**
   * Waits for this text in the output after the last match.
   * @throws Error with all output if the task ends before, or prints it in no `OUTPUT_PATIENCE_MS`
   */
  async waitFor(text: string): Promise<void> {
    try {
      await within(this.#untilPrinted(text), { what: "the text", ms: OUTPUT_PATIENCE_MS });
    } catch (error) {
      throw new Error(`it never printed "${text}":\n${this.#output}`, { cause: error });
    }
  }

  async #untilPrinted(text: string): Promise<void> {
    let hasEnded = false;
    for (;;) {
      const at = this.#output.indexOf(text, this.#read);
      if (at >= 0) {
        this.#read = at + text.length;
        return;
      }
      if (hasEnded) throw new Error("it has ended");
      hasEnded = await Promise.race([
        this.#outputArrived.promise.then(() => false),
        this.#ended.then(() => true),
      ]);
    }
  }

  /** How often the output has this text so far. */
  countOf(text: string): number {
    return this.#output.split(text).length - 1;
  }

  /** Rewrites a file as an editor does. */
  async edit(path: string, change: (text: string) => string): Promise<void> {
    const text = await Deno.readTextFile(`${this.folder}/${path}`);
    const changed = change(text);
    assert(changed !== text, `${path} is as before`);
    await Deno.writeTextFile(`${this.folder}/${path}`, changed);
  }

  /** Ends the task with a signal, as a terminal does. */
  async stop(signal: Deno.Signal): Promise<void> {
    this.#task.kill(signal);
    await this.#task.status;
  }

  /** Ends the task. @throws Error if a process is left behind, because it would keep the port */
  async assertEndsAt(signal: Deno.Signal): Promise<void> {
    await this.stop(signal);
    Deno.listen({ hostname: "127.0.0.1", port: Number(new URL(this.url).port) }).close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop("SIGTERM");
    } catch {
      // It has already ended.
    }
    // Cancelled, not read to the end: a process that was left behind would hold the stream open.
    for (const reader of this.#readers) await reader.cancel();
    await Deno.remove(this.folder, { recursive: true });
  }

  async #collect(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const reader = output.pipeThrough(new TextDecoderStream()).getReader();
    this.#readers.push(reader);
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.#output += value;
      this.#outputArrived.resolve();
      this.#outputArrived = Promise.withResolvers();
    }
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}
