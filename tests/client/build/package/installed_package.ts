/** The package `wyvern`, made once and installed with npm in an empty folder outside this project. */
import * as esbuild from "esbuild";
import { assertEquals } from "@std/assert";
import { makePackage, type Package } from "../../../../client/build/pack/package.ts";

let made: Promise<Package> | undefined;

/** Makes the package once in this process. */
export function packageOnce(): Promise<Package> {
  return made ??= makePackage();
}

/** A project of one's own. */
export interface OwnProject {
  /** The folder's path. */
  readonly folder: string;
  /**
   * Writes a module of this folder's tests into the project, without its types.
   * @returns its name there
   */
  add(module: string): Promise<string>;
  /** Runs a program in the project. @returns what it printed */
  run(program: string, ...args: string[]): Promise<string>;
}

/** Makes a project with the package, and removes it after `use`. */
export async function withProject(use: (project: OwnProject) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern-own-" });
  const run = (program: string, ...args: string[]) => runIn(folder, program, args);
  try {
    const { tarball } = await packageOnce();
    await Deno.writeFile(`${folder}/wyvern.tgz`, tarball);
    await Deno.writeTextFile(`${folder}/package.json`, `{ "type": "module", "private": true }\n`);
    await run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "./wyvern.tgz");
    await use({
      folder,
      run,
      async add(module) {
        const text = await Deno.readTextFile(new URL(module, import.meta.url));
        const { code } = await esbuild.transform(text, { loader: "ts", target: "es2022" });
        const name = module.replace(/\.ts$/, ".js");
        await Deno.writeTextFile(`${folder}/${name}`, code);
        return name;
      },
    });
  } finally {
    await esbuild.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** @throws AssertionError with the output if the program fails */
async function runIn(folder: string, program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  assertEquals(code, 0, `${program} ${args.join(" ")}\n${text.decode(stderr)}`);
  return text.decode(stdout).trim();
}
