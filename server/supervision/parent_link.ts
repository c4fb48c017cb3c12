/**
 * A server's end of the pipe to its supervisor. Each line on its standard input is a message as
 * JSON. Only the supervisor writes to the pipe, so its end means that the supervisor has died; then
 * this process ends too, because the next supervisor starts another one.
 */
import * as z from "zod";
import { linesOf } from "../ground/lines.ts";
import { FAULT, FAULTS_MAX } from "./faults.ts";
import type { StopSignals } from "../ground/process.ts";
import type { ComingPages } from "./build_pages.ts";
import { formatReport } from "./reports.ts";
import { StopMessages } from "./stop_messages.ts";

/**
 * The longest message, bytes: the sources' problems for the pages of `deno task dev` take some
 * kilobytes.
 */
const MESSAGE_BYTES_MAX = 1 << 20;

const TO_SERVER = z.discriminatedUnion("type", [
  /** The first message. */
  z.object({
    type: z.literal("start"),
    faults: z.array(FAULT).max(FAULTS_MAX),
    /** How often the server has been restarted. */
    restarts: z.int().min(0),
  }),
  z.object({ type: z.literal("stop"), signal: z.string().max(16) }),
  /** A line for the pages of `deno task dev`. */
  z.object({ type: z.literal("dev"), line: z.string() }),
  /** The pages that `--build` builds. */
  z.object({ type: z.literal("pages"), are: z.enum(["servable", "finished"]) }),
]);
export type ToServer = z.output<typeof TO_SERVER>;
type Start = Extract<ToServer, { type: "start" }>;

/** @returns a line with its newline */
export function formatToServer(message: ToServer): string {
  return `${JSON.stringify(message)}\n`;
}

export class ParentLink {
  readonly #stops = new StopMessages();
  readonly #devLines: TransformStream<string, string> = new TransformStream();
  readonly #started = Promise.withResolvers<Start | undefined>();
  readonly #pages = {
    servable: Promise.withResolvers<boolean>(),
    finished: Promise.withResolvers<boolean>(),
  };
  /** Resolves when the supervisor has died. */
  readonly ended: Promise<void>;

  /** @param input standard input */
  constructor(input: ReadableStream<Uint8Array>) {
    this.ended = this.#read(input);
  }

  /** The first message; undefined if the supervisor died before it. */
  get start(): Promise<Start | undefined> {
    return this.#started.promise;
  }

  /** Requests to stop, counted as signals are. */
  get stops(): StopSignals {
    return this.#stops;
  }

  /**
   * The pages that the supervisor builds if it runs with `--build`. If that fails, it ends this
   * process.
   */
  get pages(): ComingPages {
    const { servable, finished } = this.#pages;
    return { servable: servable.promise, finished: finished.promise };
  }

  /** The lines for the pages of `deno task dev`. */
  get devLines(): ReadableStream<string> {
    return this.#devLines.readable;
  }

  /** Reports that the server listens. @param places the players' and the operators' URLs */
  ready({ url, opsUrl }: { url: string; opsUrl: string | undefined }): void {
    const report = {
      type: "ready",
      port: portOf(url),
      ...opsUrl !== undefined && { opsPort: portOf(opsUrl) },
    } as const;
    Deno.stderr.writeSync(new TextEncoder().encode(formatReport(report)));
  }

  async #read(input: ReadableStream<Uint8Array>): Promise<void> {
    const devLines = this.#devLines.writable.getWriter();
    for await (const line of linesOf(input, MESSAGE_BYTES_MAX)) {
      const message = TO_SERVER.parse(JSON.parse(line));
      switch (message.type) {
        case "start":
          this.#started.resolve(message);
          break;
        case "stop":
          this.#stops.count(message.signal);
          break;
        case "dev":
          void devLines.write(message.line);
          break;
        case "pages":
          this.#pages[message.are].resolve(true);
      }
    }
    this.#started.resolve(undefined);
  }
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
