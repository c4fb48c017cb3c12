/** A checkout of this project, of today or of before, and what its programs say. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { TASK_ENVIRONMENT } from "../../support/task.ts";
import { RENAMED } from "../tasks/renamed.ts";

const OWN = fileURLToPath(new URL("../../../", import.meta.url));
/** A command that takes longer hangs. */
const COMMAND_MS_MAX = 600_000;

/** For each command of today its former name. */
const FORMER = new Map(Object.entries(RENAMED).map(([former, command]) => [command, former]));

interface Tasks {
  readonly [name: string]: { readonly command: string } | undefined;
}

/** The object of a command's last line, or why there is none. */
export type Answer = { readonly value: unknown } | { readonly problem: string };

export class Checkout {
  readonly #folder: string;
  readonly #tasks: Tasks;

  private constructor(folder: string, tasks: Tasks) {
    this.#folder = folder;
    this.#tasks = tasks;
  }

  /** The checkout that this program is part of. */
  static async own(): Promise<Checkout> {
    return (await Checkout.at(OWN))!;
  }

  /** @returns undefined for a folder that is no checkout of this project */
  static async at(folder: string): Promise<Checkout | undefined> {
    try {
      const root = await Deno.realPath(folder);
      const { tasks } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
      return tasks?.lab === undefined ? undefined : new Checkout(root, tasks);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** @returns undefined if there is no such file */
  async read(path: string): Promise<string | undefined> {
    try {
      return await Deno.readTextFile(`${this.#folder}/${path}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** The paths of the files below a folder, ascending. @param folder from the checkout's folder */
  async filesBelow(folder: string): Promise<string[]> {
    const paths: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(`${this.#folder}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) paths.push(...await this.filesBelow(path));
      else paths.push(path);
    }
    return paths.sort();
  }

  /**
   * Runs a command with `--json`, here by its own name and in an older checkout by its former one.
   * @param command its words after `deno task`, as they are today
   */
  async ask(command: string, args: readonly string[]): Promise<Answer> {
    const words = this.#wordsOf(command);
    if (this.#tasks[words[0]!] === undefined) return { problem: "no such task" };
    return await this.#lastLine(["task", "--quiet", ...words, ...args, "--json"]);
  }

  /**
   * Runs a script of this folder on a module of the checkout.
   * @param script gets the module's address, then `args`
   * @param modules where the module stands today, and where it stood before
   */
  async probe(
    script: string,
    { modules, args = [] }: { modules: readonly string[]; args?: readonly string[] },
  ): Promise<Answer> {
    const own = fileURLToPath(new URL(script, import.meta.url));
    const config = `--config=${this.#folder}/deno.json`;
    for (const module of modules) {
      if (await this.read(module) === undefined) continue;
      const { href } = pathToFileURL(`${this.#folder}/${module}`);
      return await this.#lastLine([
        "run",
        "--no-check",
        "--allow-read",
        config,
        own,
        href,
        ...args,
      ]);
    }
    return { problem: `no ${modules[0]}` };
  }

  #wordsOf(command: string): string[] {
    const former = FORMER.get(command);
    const task = former === undefined ? undefined : this.#tasks[former];
    // Today the former name prints the new one, and runs nothing.
    return task === undefined || task.command.includes("renamed.ts")
      ? command.split(" ")
      : [former!];
  }

  async #lastLine(args: readonly string[]): Promise<Answer> {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: this.#folder,
      env: TASK_ENVIRONMENT,
      stdin: "null",
      signal: AbortSignal.timeout(COMMAND_MS_MAX),
    }).output();
    const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd().split("\n");
    try {
      return { value: JSON.parse(textOf(stdout).at(-1)!) };
    } catch {
      return { problem: `exit code ${code}: ${textOf(stderr).at(-1)}` };
    }
  }
}
