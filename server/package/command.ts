#!/usr/bin/env node
/**
 * The command `wyvern`, in the folder of a project of one's own. Each of its programs is a process
 * with the permissions that it needs. The server and the bundler of pages need Deno; this file runs
 * anywhere, finds the project's Deno or the machine's, and says so if there is none.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { quoted } from "../../shared/quoted.ts";
import { EXIT_UNUSABLE } from "../../shared/usage_error.ts";
import { ownGames, wantedGames } from "./own_games.ts";
import { denoArgs, programPath, PROGRAMS } from "./programs.ts";

const USAGE = [
  "Usage: wyvern COMMAND [flags]",
  ...Object.entries(PROGRAMS).map(([name, { about }]) => `  ${name.padEnd(6)}  ${about}`),
].join("\n");

const isDeno = "Deno" in globalThis;

/** @returns the exit code */
async function main([name = "", ...args]: readonly string[]): Promise<number> {
  if (name === "--help") {
    console.log(USAGE);
    return 0;
  }
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program === undefined) {
    console.error(USAGE);
    return EXIT_UNUSABLE;
  }
  const games = Object.keys(ownGames());
  if (games.length === 0 && program.needsGames) {
    console.error("wyvern: there is no game here: `wyvern new NAME` makes one in games/NAME");
    return EXIT_UNUSABLE;
  }
  const unknown = name === "build" ? args.find((arg) => !games.includes(arg)) : undefined;
  if (unknown !== undefined) {
    console.error(
      `wyvern: there is no game ${quoted(unknown)} here: there are ${games.join(", ")}`,
    );
    return EXIT_UNUSABLE;
  }
  if (name === "dev" && !existsSync("node_modules/esbuild")) {
    console.error("wyvern: dev builds pages: `npm install esbuild` puts what it needs here");
    return EXIT_UNUSABLE;
  }
  if (name === "serve" && !args.includes("--help")) {
    const code = await buildFor(args);
    if (code !== 0) return code;
  }
  // Its flags are those of `serve`, and their list needs no build.
  if (name === "dev" && args.includes("--help")) return await run("serve", args);
  return await run(name, args);
}

/**
 * Builds the pages of the games that a server will host; an unknown one is the server's to refuse.
 * Without the bundler, built pages stay.
 */
async function buildFor(args: readonly string[]): Promise<number> {
  const wanted = wantedGames(args);
  if (wanted === undefined || !existsSync("node_modules/esbuild")) return 0;
  return await run("build", wanted);
}

/** Where the npm package `deno` has its program. */
const PROJECTS_DENO = ["node_modules/deno/deno", "node_modules/deno/deno.exe"];

/** Deno as this process, as a package of the project, or as a program of the machine. */
function denoProgram(): string {
  if (isDeno) return process.execPath;
  return PROJECTS_DENO.find((path) => existsSync(path)) ?? "deno";
}

/** Whether this runtime loads games, which are TypeScript. Node does so since 22.18. */
const loadsGames = isDeno || Boolean((process.features as { typescript?: unknown }).typescript);

/**
 * Runs a program until it ends, and passes on what stops it.
 * @param name one of `PROGRAMS`
 * @returns its exit code
 */
function run(name: string, args: readonly string[]): Promise<number> {
  const { needsDeno, needsGames } = PROGRAMS[name]!;
  const onDeno = isDeno || needsDeno || needsGames && !loadsGames;
  const before = onDeno ? denoArgs(name) : [programPath(name)];
  const child = spawn(
    onDeno ? denoProgram() : process.execPath,
    [...before, ...args],
    { stdio: "inherit" },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
    child.on("error", (error: NodeJS.ErrnoException) => {
      const isMissing = onDeno && error.code === "ENOENT";
      console.error(
        isMissing
          ? `wyvern: ${name} needs Deno: \`npm install deno\` puts it into the project`
          : `wyvern: ${error.message}`,
      );
      resolve(isMissing ? EXIT_UNUSABLE : 1);
    });
  });
}

process.exit(await main(process.argv.slice(2)));
