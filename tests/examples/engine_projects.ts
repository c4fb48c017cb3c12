/**
 * The examples with engines as their readers get them: in a folder outside this project, with the
 * packed archive and the packages from npm, built for a real server and served by another host.
 */
import { assertEquals } from "@std/assert";
import { linesOf } from "../../server/ground/lines.ts";
import { packageOnce } from "../client/build/package/installed_package.ts";
import { COMMAND, denoProgram, OwnServer } from "../client/build/package/own_server.ts";
import { within } from "../support/within.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);
/** What a reader's clone has beside the sources. */
const LEFT_OUT: readonly string[] = ["node_modules", "dist", "package-lock.json"];

/** How long npm may take for all packages, ms; 15 s on a quiet machine that has them in its cache. */
const INSTALL_MS_MAX = 300_000;
/** How long a compiler and a bundler may take, ms; 4 s on a quiet machine. */
const BUILD_MS_MAX = 180_000;
/** How long bots may take until all of them play, ms; 3 s on a quiet machine. */
const BOTS_MS_MAX = 120_000;

/** Players beside the page. */
const BOTS = 3;
/** Round trip that bots add, ms: their commands come late, so that the page mispredicts. */
const BOT_LATENCY_MS = 80;
/** Bots play until they are ended, but no longer than this. */
const BOT_SECONDS_MAX = 900;
const LINE_BYTES_MAX = 1 << 16;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** An example whose page is open to browsers, and its server. */
export interface RunningExample {
  /** Where its page is. */
  readonly page: string;
  /** Lets bots play in a room, as `wyvern bots` does, and waits until all of them do. */
  playBots(room: string): Promise<PlayingBots>;
}

/** Several examples in one folder. With `await using` it is removed with the block. */
export class EngineProjects implements AsyncDisposable {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /**
   * Copies examples and installs their packages. One `npm install` does it for all of them, as
   * workspaces of one folder, because packages that they share would be unpacked three times.
   * @param names their folders
   * @throws Error with npm's output if it fails, or what has not come in time
   */
  static async install(names: readonly string[]): Promise<EngineProjects> {
    const projects = new EngineProjects(await Deno.makeTempDir({ prefix: "wyvern-engines-" }));
    try {
      await projects.#fill(names);
      return projects;
    } catch (error) {
      await projects[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Serves an example, builds its page for this server, and ends both after `use`. */
  async withExample(
    name: string,
    use: (example: RunningExample) => Promise<void>,
  ): Promise<void> {
    const folder = `${this.#root}/examples/${name}`;
    const host = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      return answerFrom(`${folder}/dist`, new URL(request.url).pathname);
    });
    try {
      const page = `http://127.0.0.1:${host.addr.port}`;
      await using server = await this.#serve(folder, page);
      await npm(folder, ["run", "build"], {
        env: { VITE_SERVER: server.url },
        ms: BUILD_MS_MAX,
      });
      await use({
        page: `${page}/`,
        playBots: (room) => PlayingBots.start(this.#command(folder, ...botFlags(server.url, room))),
      });
    } finally {
      await host.shutdown();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }

  async #fill(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await copyFolder(new URL(`${name}/`, EXAMPLES), `${this.#root}/examples/${name}`);
    }
    const workspaces = names.map((name) => `examples/${name}`);
    const manifest = JSON.stringify({ private: true, workspaces });
    await Deno.writeTextFile(`${this.#root}/package.json`, manifest);

    // As `deno task pack` leaves it in a clone
    const { name, version, tarball } = await packageOnce();
    await Deno.writeFile(`${this.#root}/${name}-${version}.tgz`, tarball);
    await npm(this.#root, ["install", "--no-audit", "--no-fund", "--prefer-offline"], {
      ms: INSTALL_MS_MAX,
    });
  }

  /** @param page the origin that the server lets in */
  #serve(folder: string, page: string): Promise<OwnServer> {
    return OwnServer.run(this.#command(
      folder,
      ...["serve", "--port", "0", "--origin", page, "--data", "off", "--grace", "0"],
      // Chromium draws on the same processor, so that a tick may take long.
      ...["--tick-load", "100"],
    ));
  }

  /** The command `wyvern` in an example's folder. */
  #command(folder: string, ...args: string[]): Deno.Command {
    return denoProgram({ folder }, `${this.#root}/${COMMAND}`, ...args);
  }
}

function botFlags(url: string, room: string): string[] {
  return [
    ...["bots", "--url", url.replace(/^http/, "ws").slice(0, -1), "--room", room],
    ...["--clients", `${BOTS}`, "--latency-ms", `${BOT_LATENCY_MS}`],
    ...["--seconds", `${BOT_SECONDS_MAX}`],
  ];
}

/** Bots in a match, which say each second how they are. With `await using` they end with the block. */
export class PlayingBots implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #playing = Promise.withResolvers<void>();
  #line = "";

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#ended = Promise.all([this.#listen(), process.stdout.cancel(), process.status]);
  }

  /**
   * Bots that do not all come in leave. A server refuses players while its machine is busy, so
   * these come again.
   * @throws Error with their last line if they do not all come in
   */
  static async start(command: Deno.Command): Promise<PlayingBots> {
    const endMs = performance.now() + BOTS_MS_MAX;
    for (;;) {
      const bots = new PlayingBots(command.spawn());
      try {
        await within(bots.#playing.promise, { what: "bots that play", ms: BOTS_MS_MAX });
        return bots;
      } catch (error) {
        await bots[Symbol.asyncDispose]();
        const isRefused = bots.#line.includes("are in the game");
        if (isRefused && performance.now() < endMs) continue;
        throw new Error(`${error}; the bots' last line: ${bots.#line}`, { cause: error });
      }
    }
  }

  /** How many play now, and how many of their states have differed from the server's. */
  get report(): { readonly playing: number; readonly desyncs: number } {
    const [, playing, desyncs] = /(\d+) playing.* (\d+) desyncs/.exec(this.#line) ?? [];
    return { playing: Number(playing), desyncs: Number(desyncs) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGTERM");
    } catch {
      // They have already ended.
    }
    await this.#ended;
  }

  async #listen(): Promise<void> {
    for await (const line of linesOf(this.#process.stderr, LINE_BYTES_MAX)) {
      this.#line = line;
      if (this.report.playing === BOTS) this.#playing.resolve();
    }
    this.#playing.reject(new Error("they have ended"));
    this.#playing.promise.catch(() => {}); // they end after the play, too
  }
}

async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (LEFT_OUT.includes(name)) continue;
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}

/** Runs npm. @throws AssertionError with its output if it fails, or is not done after `ms` */
async function npm(
  folder: string,
  args: readonly string[],
  { ms, env = {} }: { readonly ms: number; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const { code, signal, stdout, stderr } = await new Deno.Command("npm", {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(ms),
  }).output();
  const text = new TextDecoder();
  const said = `${text.decode(stdout)}\n${text.decode(stderr)}`;
  const end = signal === null ? "" : `, ended by ${signal}; it may take ${ms / 1000} s`;
  assertEquals(code, 0, `npm ${args.join(" ")}${end}\n${said}`);
}

async function answerFrom(folder: string, path: string): Promise<Response> {
  const name = path === "/" ? "/index.html" : path;
  const type = CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined || name.includes("..")) return new Response("", { status: 404 });
  try {
    const body = await Deno.readFile(`${folder}${name}`);
    return new Response(body, { headers: { "Content-Type": type } });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Response("", { status: 404 });
    throw error;
  }
}
