/**
 * Child processes that measure in turns. The parent sends a request to one process after the other,
 * so that other load on the machine affects all of them alike. Each request and each reply is one
 * line of JSON.
 */
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";

const CONFIG = fileURLToPath(new URL("../../../../deno.json", import.meta.url));

function linesOf(stream: ReadableStream<Uint8Array>): AsyncIterableIterator<string> {
  return createInterface({ input: Readable.from(stream) })[Symbol.asyncIterator]();
}

/** A child process that runs one module. */
export class TurnProcess<Request, Reply> {
  readonly #name: string;
  readonly #child: Deno.ChildProcess;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #replies: AsyncIterator<string>;

  /**
   * @param moduleUrl a module that calls `serveTurns`
   * @param options.args its arguments, which also name it in errors
   * @param options.permissions flags of `deno run`
   */
  constructor(
    moduleUrl: string,
    { args, permissions = ["--allow-read"] }: {
      args: readonly string[];
      permissions?: readonly string[];
    },
  ) {
    this.#name = args.join(" ");
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--config", CONFIG, ...permissions, moduleUrl, ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#requests = this.#child.stdin.getWriter();
    this.#replies = linesOf(this.#child.stdout);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /**
   * While a process measures, no other one may run.
   * @throws Error if the process ends before it replies
   */
  async request(request: Request): Promise<Reply> {
    await this.#requests.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    const { value, done } = await this.#replies.next();
    if (done) throw new Error(`the process of ${this.#name} ended early`);
    return JSON.parse(value);
  }

  async end(): Promise<void> {
    await this.#requests.close();
    await this.#child.status;
  }
}

/** The child's side: replies to each request until the parent ends it. */
export async function serveTurns<Request, Reply>(
  reply: (request: Request) => Reply | Promise<Reply>,
): Promise<void> {
  for await (const line of linesOf(Deno.stdin.readable)) {
    console.log(JSON.stringify(await reply(JSON.parse(line))));
  }
}
