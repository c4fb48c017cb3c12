/** A folder for the logs of one test's matches, below the one that the server may write to. */
const DATA = new URL("../../../data/", import.meta.url);

export class TemporaryData implements Disposable {
  /** As `--data` takes it. */
  readonly folder: string;
  readonly #url: URL;

  private constructor(name: string) {
    this.folder = `data/${name}`;
    this.#url = new URL(`${name}/`, DATA);
  }

  static async make(): Promise<TemporaryData> {
    await Deno.mkdir(DATA, { recursive: true });
    const name = `test-${crypto.randomUUID()}`;
    await Deno.mkdir(new URL(name, DATA));
    return new TemporaryData(name);
  }

  /** The names of its logs. */
  names(): string[] {
    const names = [...Deno.readDirSync(this.#url)].map(({ name }) => name);
    return names.filter((name) =>
      !["lock", "probe"].includes(name) && !name.startsWith("results.sqlite")
    ).sort();
  }

  read(name: string): Uint8Array<ArrayBuffer> {
    return Deno.readFileSync(new URL(name, this.#url));
  }

  write(name: string, bytes: Uint8Array): void {
    Deno.writeFileSync(new URL(name, this.#url), bytes);
  }

  /** The bytes of the only log. @throws Error if there is none, or more than one */
  only(): Uint8Array<ArrayBuffer> {
    const names = this.names();
    if (names.length !== 1) throw new Error(`${names.length} logs: ${names.join(", ")}`);
    return this.read(names[0]!);
  }

  /** The paths of all files, those of each match process among them. */
  paths(): string[] {
    const folders = [
      "",
      ...this.#entries("").filter(({ isDirectory }) => isDirectory).map(({ name }) => `${name}/`),
    ];
    return folders.flatMap((folder) => this.#entries(folder).map(({ name }) => `${folder}${name}`));
  }

  #entries(folder: string): Deno.DirEntry[] {
    return [...Deno.readDirSync(new URL(folder, this.#url))];
  }

  /**
   * The bytes of a room's log, in whichever process's folder it is.
   * @throws Error if there is none, or more than one
   */
  ofRoom(room: string): Uint8Array<ArrayBuffer> {
    const paths = this.paths().filter((path) => path.includes(`-${room}-`));
    if (paths.length !== 1) throw new Error(`${paths.length} logs: ${paths.join(", ")}`);
    return this.read(paths[0]!);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#url, { recursive: true });
  }
}
