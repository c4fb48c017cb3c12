/**
 * `deno task dev`: a server for development. A change below client/, server/ or shared/ builds the page and restarts
 * the server. Then the open pages reload themselves (`client/build/live_reload.ts`).
 *
 *     change → build, again while more changes come → stop → start
 *
 * Build and server run the commands of deno.json's tasks, so that they have the same permissions as in `serve`. A burst
 * of saves needs no timer: a build takes longer than the pause between two saves.
 */

/** The folders of the task's `--allow-read`, relative to the project's folder, in which `deno task` runs. */
const WATCHED_FOLDERS = ["client", "server", "shared"];

/** The files that pages and server are built from, but no files of editors. */
const SOURCE_PATH = /\.(ts|html|css)$/;
const BUILD_OUTPUT_PATH = /[\\/]client[\\/]dist[\\/]/;
/** A build reads every file, and reading is an event, too. */
const CHANGE_KINDS: ReadonlySet<Deno.FsEvent["kind"]> = new Set(["create", "modify", "rename", "remove"]);

/**
 * Exit codes after which a restart would end the same way: of `--help`, and of flags that are wrong or a port in use.
 */
const FINAL_EXIT_CODES: ReadonlySet<number> = new Set([0, 2]);

/** Serves until SIGTERM or SIGINT. @param flags those of `serve` @returns the process's exit code */
async function main(flags: string[]): Promise<number> {
  const stop = stopSignal();
  const changes = new Changes();
  let server: Deno.ChildProcess | undefined;
  for (;;) {
    if (await build(changes)) {
      await terminate(server);
      server = (await commandOf("serve", ["--check-twin", ...flags])).spawn();
    }
    const exited = server?.status.then(({ code }) => code) ?? stop;
    let event = await Promise.race([stop, changes.next, exited]);
    if (typeof event === "number") {
      if (FINAL_EXIT_CODES.has(event)) return event;
      console.error(`dev: the server ended with code ${event}; a change starts it again`);
      event = await Promise.race([stop, changes.next]);
    }
    if (event === STOP) {
      await terminate(server);
      return 0;
    }
    console.log(`dev: ${event} has changed`);
  }
}

/**
 * The last command of a task, read from deno.json each time. Its earlier commands (`serve` builds first) are done here.
 */
async function commandOf(task: string, args: string[], options: Deno.CommandOptions = {}): Promise<Deno.Command> {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json")) as { tasks: Record<string, { command: string }> };
  const words = tasks[task]!.command.split("&&").at(-1)!.trim().split(" ");
  return new Deno.Command(Deno.execPath(), { args: [...words.slice(1), ...args], stdin: "null", ...options });
}

/**
 * Builds until nothing changes during a build, and reports only the last build: half a burst of saves may not build.
 * @returns whether the build succeeded
 */
async function build(changes: Changes): Promise<boolean> {
  for (;;) {
    changes.reset();
    const command = await commandOf("build", ["--dev"], { stdout: "piped", stderr: "piped" });
    const { success, stdout, stderr } = await command.output();
    if (changes.pending) continue;
    const output = new TextDecoder().decode(success ? stdout : stderr).trimEnd();
    if (success) console.log(output);
    else console.error(`dev: the page does not build; the old one stays\n${output}`);
    return success;
  }
}

/** @returns when the process has ended */
async function terminate(process: Deno.ChildProcess | undefined): Promise<void> {
  try {
    process?.kill("SIGTERM");
  } catch {
    // It has already ended.
  }
  await process?.status;
}

/** Watches the sources for the life of the process. */
class Changes {
  #first = Promise.withResolvers<string>();
  /** Whether a source has changed since the last `reset`. */
  pending = false;

  constructor() {
    void this.#watch(Deno.watchFs(WATCHED_FOLDERS));
  }

  /** Resolves with the first path that changes, or has changed, since the last `reset`. */
  get next(): Promise<string> {
    return this.#first.promise;
  }

  reset(): void {
    this.pending = false;
    this.#first = Promise.withResolvers();
  }

  async #watch(events: Deno.FsWatcher): Promise<void> {
    for await (const { kind, paths } of events) {
      const path = paths.find((path) => SOURCE_PATH.test(path) && !BUILD_OUTPUT_PATH.test(path));
      if (path === undefined || !CHANGE_KINDS.has(kind)) continue;
      this.pending = true;
      this.#first.resolve(path);
    }
  }
}

/** Not a path: no path is empty. */
const STOP = "";

/** Resolves with the first stop signal. Later signals have no effect, so that no server process is left behind. */
function stopSignal(): Promise<typeof STOP> {
  const { promise, resolve } = Promise.withResolvers<typeof STOP>();
  // Windows has no SIGTERM.
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGTERM", "SIGINT"];
  for (const signal of signals) Deno.addSignalListener(signal, () => resolve(STOP));
  return promise;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
