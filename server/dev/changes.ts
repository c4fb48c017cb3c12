/** Watches the sources that pages and server are built from. */

/**
 * The folders in the task's `--allow-read`, relative to the project's folder, in which `deno task`
 * runs.
 */
const WATCHED_FOLDERS = ["client", "server", "shared"];

/** The files that pages and server are built from, without editors' own files. */
const SOURCE_PATH = /\.(ts|html|css|svg|png|webp|ogg|mp3|wav|woff2|json|tmj)$/;
const BUILD_OUTPUT_PATH = /[\\/]client[\\/]dist[\\/]/;
/** Reading is left out, because a build reads every file. */
const CHANGE_KINDS: ReadonlySet<Deno.FsEvent["kind"]> = new Set([
  "create",
  "modify",
  "rename",
  "remove",
]);

/** Watches for as long as the process lives. */
export class Changes {
  /** The server uses only the built pages from this folder. */
  readonly #client = Deno.realPathSync("client");
  #first = Promise.withResolvers<string>();
  /** The sources that have changed since the last `take`. */
  #paths = new Set<string>();
  /** Whether a source has changed since the last `reset`. */
  pending = false;
  /** Whether a source of the server has changed since this was last set to false. */
  concernServer = false;

  constructor() {
    void this.#watch(Deno.watchFs(WATCHED_FOLDERS));
  }

  /** Resolves with the first path that changes, or has changed, since the last `reset`. */
  get next(): Promise<string> {
    return this.#first.promise;
  }

  /** The sources that have changed since the last call. */
  take(): string[] {
    const paths = [...this.#paths];
    this.#paths = new Set();
    return paths;
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
      this.#paths.add(path);
      if (!path.startsWith(this.#client)) this.concernServer = true;
      this.#first.resolve(path);
    }
  }
}
