/** The package `wyvern`, made once and installed with npm in an empty folder outside this project. */
import * as esbuild from "esbuild";
import { assertEquals } from "@std/assert";
import {
  type CreatePackage,
  makeCreatePackage,
} from "../../../../client/build/pack/create_package.ts";
import { makePackage, type Package } from "../../../../client/build/pack/package.ts";
import { copyOfFolder, madeOnceARun } from "../../../support/run_folder.ts";

/** The runtime, as npm has it. */
const BUN = "bun@1.4.5";

let made: Promise<Package> | undefined;

/** Makes the package once a run of the suite, or once in this process. */
export function packageOnce(): Promise<Package> {
  return made ??= madeOnceARun("package", makePackage);
}

let madeCreate: Promise<CreatePackage> | undefined;

/** Makes `create-wyvern` once a run of the suite, or once in this process. */
export function createPackageOnce(): Promise<CreatePackage> {
  return madeCreate ??= madeOnceARun("create_package", makeCreatePackage);
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

/**
 * Makes a project with the package, and removes it after `use`.
 * @param options.beside more packages, as npm takes them
 */
export async function withProject(
  use: (project: OwnProject) => Promise<void>,
  { beside = [] }: { readonly beside?: readonly string[] } = {},
): Promise<void> {
  const parent = await Deno.makeTempDir({ prefix: "wyvern-own-" });
  const folder = `${parent}/project`;
  const run = (program: string, ...args: string[]) => runIn(folder, program, args);
  try {
    await copyOfFolder(["installed", ...beside].join("_"), {
      fill: (folder) => install(folder, beside),
      into: folder,
    });
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
    await Deno.remove(parent, { recursive: true });
  }
}

async function install(folder: string, beside: readonly string[]): Promise<void> {
  const { tarball } = await packageOnce();
  await Deno.writeFile(`${folder}/wyvern.tgz`, tarball);
  await Deno.writeTextFile(`${folder}/package.json`, `{ "type": "module", "private": true }\n`);
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", "./wyvern.tgz"];
  await runIn(folder, "npm", [...args, ...beside]);
}

/** Installs Bun beside the package. @returns its program */
export async function addBun({ folder, run }: OwnProject): Promise<string> {
  await run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", BUN);
  return `${folder}/node_modules/.bin/bun`;
}

/**
 * Runs a program in a folder.
 * @returns what it printed
 * @throws AssertionError with the output if the program fails
 */
export async function runIn(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  assertEquals(
    code,
    0,
    `${program} ${args.join(" ")}\n${text.decode(stdout)}${text.decode(stderr)}`,
  );
  return text.decode(stdout).trim();
}
