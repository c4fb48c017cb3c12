/** The built pages of the hosted games, in memory. */
import { UsageError } from "../../shared/flags.ts";
import {
  haveAttribute,
  type HostedPages,
  loadGamePages,
  type StaticFiles,
  withCardAddress,
  withMatchmaking,
} from "./static_files.ts";

interface PagesOptions extends HostedPages {
  /** Where players reach the pages, for previews of links; undefined if that is not known. */
  readonly origin?: string | undefined;
}

async function load(folder: URL, { origin, ...games }: PagesOptions): Promise<StaticFiles> {
  const files = await loadGamePages(folder, games);
  return origin === undefined ? files : withCardAddress(files, origin);
}

/** The pages at one moment. A development server reads them again. */
export class Pages {
  readonly #folder: URL;
  readonly #games: PagesOptions;
  #files: StaticFiles;
  /** The same files with the script for "Play now" over several machines; made on first use. */
  #ofSeveral: StaticFiles | undefined;

  private constructor(folder: URL, games: PagesOptions, files: StaticFiles) {
    this.#folder = folder;
    this.#games = games;
    this.#files = files;
  }

  /**
   * @param options.builder the command that builds pages
   * @throws UsageError if a page was never built
   */
  static async load(
    folder: URL,
    { builder, ...games }: PagesOptions & { readonly builder: string },
  ): Promise<Pages> {
    try {
      return new Pages(folder, games, await load(folder, games));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      const names = games.names.filter(games.hasPage).join(" or ");
      throw new UsageError(`the page of ${names} is not built; \`${builder}\` makes it`);
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
      this.#files = await load(this.#folder, this.#games);
      this.#ofSeveral = undefined;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
