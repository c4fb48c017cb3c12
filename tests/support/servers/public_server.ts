/**
 * A server as strangers would reach it: with a secret, an origin and tickets. It listens on this
 * machine alone.
 */
import { ServerProcess } from "./server_process.ts";

/** A server of `--public`, and the file with its secret, which is removed with it. */
export class PublicServer implements AsyncDisposable {
  readonly server: ServerProcess;
  /** The origin of its page, which is the only one that may play. */
  readonly origin: string;
  readonly #folder: string;

  private constructor(
    server: ServerProcess,
    { origin, folder }: { origin: string; folder: string },
  ) {
    this.server = server;
    this.origin = origin;
    this.#folder = folder;
  }

  /**
   * @param args more flags
   * @param hook the text of a module for `--authorise`
   */
  static async start(args: readonly string[] = [], hook?: string): Promise<PublicServer> {
    const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
    const secret = `${folder}/secret.txt`;
    await Deno.writeTextFile(secret, crypto.randomUUID());
    if (hook !== undefined) await Deno.writeTextFile(`${folder}/hook.ts`, hook);
    const port = freePort();
    const origin = `http://127.0.0.1:${port}`;
    const flags = [
      "--port",
      `${port}`,
      "--public",
      "--origin",
      origin,
      "--secret-file",
      secret,
      "--npcs",
      "0",
    ];
    const server = await ServerProcess.start(
      ...flags,
      ...hook === undefined ? [] : ["--authorise", `${folder}/hook.ts`],
      ...args,
    );
    return new PublicServer(server, { origin, folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop("SIGKILL");
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** A port that nobody has at the moment. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}
