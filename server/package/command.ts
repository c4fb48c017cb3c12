#!/usr/bin/env node
/**
 * The command `wyvern`, in the folder of a project of one's own. Each of its programs is a process
 * with the permissions that it needs. The server and the bundler of pages need Deno; this file runs
 * anywhere, so that it can say so.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { quoted } from "../../shared/quoted.ts";
import { UNSTABLE } from "../supervision/child_command.ts";
import { ownGames } from "./own_games.ts";

/** The exit code for a wrong command line, and for a runtime that lacks what a program needs. */
const EXIT_UNUSABLE = 2;

/** One program of the command. */
interface Program {
  readonly about: string;
  readonly file: string;
  /** Deno's permissions for it. */
  readonly permissions: readonly string[];
  readonly needsDeno: boolean;
}

const SOCKET_VARIABLES = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";

const PROGRAMS: Readonly<Record<string, Program>> = {
  serve: {
    about: "build the page of a game, then host matches: --help lists the settings",
    file: "serve.js",
    permissions: [
      ...UNSTABLE,
      "--allow-net",
      "--allow-read",
      "--allow-write=data",
      "--allow-run",
      `--allow-env=WYVERN_*,${SOCKET_VARIABLES}`,
    ],
    needsDeno: true,
  },
  build: {
    about: "build the pages of all games, or of those that are named",
    file: "build.js",
    permissions: ["--allow-read", "--allow-write=.wyvern", "--allow-env", "--allow-run"],
    needsDeno: true,
  },
  bots: {
    about: "load a server with bots, which are headless clients: --help lists the flags",
    file: "bots.js",
    permissions: ["--allow-net", "--allow-read", `--allow-env=${SOCKET_VARIABLES}`],
    needsDeno: false,
  },
};

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
  if (program.needsDeno && !isDeno) {
    console.error(`wyvern: ${name} needs Deno: deno run -A npm:wyvern ${name}`);
    return EXIT_UNUSABLE;
  }
  const games = Object.keys(ownGames());
  if (games.length === 0) {
    console.error("wyvern: there is no game here: a game is games/NAME/game.ts, with view.ts");
    return EXIT_UNUSABLE;
  }
  const unknown = name === "build" ? args.find((arg) => !games.includes(arg)) : undefined;
  if (unknown !== undefined) {
    console.error(
      `wyvern: there is no game ${quoted(unknown)} here: there are ${games.join(", ")}`,
    );
    return EXIT_UNUSABLE;
  }
  if (name === "serve" && !args.includes("--help")) {
    const code = await buildFor(args);
    if (code !== 0) return code;
  }
  return await run(program, args);
}

/** Builds the page of the game that a server will host. Without the bundler, built pages stay. */
async function buildFor(args: readonly string[]): Promise<number> {
  const at = args.indexOf("--games");
  const name = at < 0 ? Object.keys(ownGames())[0]! : args[at + 1] ?? "";
  if (name.includes(",") || name === "all") {
    console.error("wyvern: serve hosts one game at a time: --games NAME");
    return EXIT_UNUSABLE;
  }
  if (!existsSync("node_modules/esbuild")) return 0;
  return await run(PROGRAMS["build"]!, [name]);
}

/** Runs a program until it ends, and passes on what stops it. @returns its exit code */
function run({ file, permissions }: Program, args: readonly string[]): Promise<number> {
  // Bundles keep the places of their sources, which are beside `dist`.
  const path = fileURLToPath(new URL(`../../../dist/${file}`, import.meta.url));
  const before = isDeno ? ["run", "--no-prompt", ...permissions] : [];
  const child = spawn(process.execPath, [...before, path, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
    child.on("error", (error) => {
      console.error(`wyvern: ${error.message}`);
      resolve(1);
    });
  });
}

process.exit(await main(process.argv.slice(2)));
