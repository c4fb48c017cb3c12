/** Watches the sources that pages and server are built from. */

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
  #first = Promise.withResolvers<string>();
  /** The sources that have changed since the last `take`. */
  #paths = new Set<string>();
  /** Whether a source has changed since the last `reset`. */
  pending = false;

  /** @param folders relative to the process's folder */
  constructor(folders: readonly string[]) {
    void this.#watch(Deno.watchFs([...folders]));
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
      this.#first.resolve(path);
    }
  }
}
