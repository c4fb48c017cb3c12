/** The built pages of the hosted games, in memory. */
import { UsageError } from "../../shared/flags.ts";
import { haveAttribute, loadGamePages, type StaticFiles, withMatchmaking } from "./static_files.ts";

/** The pages at one moment. A development server reads them again. */
export class Pages {
  readonly #folder: URL;
  readonly #games: readonly string[];
  #files: StaticFiles;
  /** The same files with the script for "Play now" over several machines; made on first use. */
  #ofSeveral: StaticFiles | undefined;

  private constructor(folder: URL, games: readonly string[], files: StaticFiles) {
    this.#folder = folder;
    this.#games = games;
    this.#files = files;
  }

  /** @throws UsageError if a page was never built */
  static async load(folder: URL, games: readonly string[]): Promise<Pages> {
    try {
      return new Pages(folder, games, await loadGamePages(folder, games));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new UsageError(
        `the page of ${games.join(" or ")} is not in client/dist; \`deno task build\` makes it`,
      );
    }
  }

  /** Whether they were built for `--check-planck`. */
  get havePlanck(): boolean {
    return haveAttribute(this.#files, "data-planck-worker");
  }

  /** @param machines how many share the matches */
  filesFor(machines: number): StaticFiles {
    return machines <= 1 ? this.#files : this.#ofSeveral ??= withMatchmaking(this.#files);
  }

  /** Reads the pages again. While they cannot be read, the old ones stay. */
  async reload(): Promise<void> {
    try {
      this.#files = await loadGamePages(this.#folder, this.#games);
      this.#ofSeveral = undefined;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
