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
    return [...Deno.readDirSync(this.#url)].map(({ name }) => name).filter((name) => name !== "lock").sort();
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

  [Symbol.dispose](): void {
    Deno.removeSync(this.#url, { recursive: true });
  }
}
