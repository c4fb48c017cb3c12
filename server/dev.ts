/**
 * `deno task dev`: serves while one works on it. A change below client/, server/ or shared/ builds the page and starts the server
 * anew; a page of such a build then loads itself anew (`client/build/live_reload.ts`).
 *
 *     change → build, again while more changes come → stop → start
 *
 * Build and server are the very commands of deno.json's tasks, so nothing has more rights here than in `serve`. No timer is
 * needed to wait for the end of a burst of saves: a build takes longer than the pause between two of them.
 */

/** As the task's `--allow-read` names them: `deno task` runs in the project's top folder. */
const WATCHED_FOLDERS = ["client", "server", "shared"];

/** What pages and server are made of; not what editors keep beside it. */
const SOURCE_PATH = /\.(ts|html|css)$/;
const BUILD_OUTPUT_PATH = /[\\/]client[\\/]dist[\\/]/;
/** A build reads every file, which is an event, too. */
const CHANGE_KINDS: ReadonlySet<Deno.FsEvent["kind"]> = new Set(["create", "modify", "rename", "remove"]);

/** `--help`, and flags that cannot be obeyed or a port in use: another try would end the same way. */
const FINAL_EXIT_CODES: ReadonlySet<number> = new Set([0, 2]);

/** Serves until SIGTERM or SIGINT. @param flags those of `serve` @returns the process's exit code */
async function main(flags: string[]): Promise<number> {
  const stop = stopSignal();
  const changes = new Changes();
  let server: Deno.ChildProcess | undefined;
  for (;;) {
    if (await build(changes)) {
      await terminate(server);
      server = (await commandOf("serve", flags)).spawn();
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

/** The last command of a task, as deno.json says it now; what the task does before (`serve` builds) is done here. */
async function commandOf(task: string, args: string[], options: Deno.CommandOptions = {}): Promise<Deno.Command> {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json")) as { tasks: Record<string, { command: string }> };
  const words = tasks[task]!.command.split("&&").at(-1)!.trim().split(" ");
  return new Deno.Command(Deno.execPath(), { args: [...words.slice(1), ...args], stdin: "null", ...options });
}

/**
 * Builds until nothing changes meanwhile, and tells only how that last build went: half of a burst of saves may not build.
 * @returns whether there is something to serve
 */
async function build(changes: Changes): Promise<boolean> {
  for (;;) {
    changes.reset();
    const command = await commandOf("build", ["--dev"], { stdout: "piped", stderr: "piped" });
    const { success, stdout, stderr } = await command.output();
    if (changes.pending) continue;
    const output = new TextDecoder().decode(success ? stdout : stderr).trimEnd();
    if (success) console.log(output);
    else console.error(`dev: the page does not build, so what was there stays\n${output}`);
    return success;
  }
}

/** @returns when nothing is left of the process */
async function terminate(process: Deno.ChildProcess | undefined): Promise<void> {
  try {
    process?.kill("SIGTERM");
  } catch {
    // it has ended by itself
  }
  await process?.status;
}

/** Which source has changed. One watcher for the life of the process. */
class Changes {
  #first = Promise.withResolvers<string>();
  /** Whether anything has changed since the last `reset`. */
  pending = false;

  constructor() {
    void this.#watch(Deno.watchFs(WATCHED_FOLDERS));
  }

  /** The first path that has changed since the last `reset`, now or in future. */
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

/** No path is empty. */
const STOP = "";

/** Settles with the first signal that asks the process to end; later ones change nothing, so that no server is left behind. */
function stopSignal(): Promise<typeof STOP> {
  const { promise, resolve } = Promise.withResolvers<typeof STOP>();
  // Windows knows no SIGTERM.
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGTERM", "SIGINT"];
  for (const signal of signals) Deno.addSignalListener(signal, () => resolve(STOP));
  return promise;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
