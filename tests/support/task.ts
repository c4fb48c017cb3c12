/** Runs deno.json's tasks as processes, with the permissions that users give them. */
import { fileURLToPath } from "node:url";
import { isBuiltForRun } from "./run_folder.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Tests run side by side, and one server has a folder of logs at a time. Most of them wait for no
 * round's end. Other tests make a server's ticks long, and then it would refuse the players of its
 * own test, so that the test depended on the others; those about the refusal set their own limit.
 */
export const TASK_ENVIRONMENT = {
  NO_COLOR: "1",
  WYVERN_DATA: "off",
  WYVERN_GRACE: "0",
  WYVERN_TICK_LOAD: "100",
};

/** A process that has ended. */
export interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts a task with piped output. `serve` runs its bundle, as the task does, and does not build the
 * pages: its caller has built them.
 */
export function spawnTask(task: string, ...args: string[]): Promise<Deno.ChildProcess> {
  return spawnTaskIn(PROJECT, task, args);
}

/** The same with variables of its environment. */
export function spawnTaskWith(
  env: Readonly<Record<string, string>>,
  task: string,
  ...args: string[]
): Promise<Deno.ChildProcess> {
  return spawnTaskIn(PROJECT, task, args, env);
}

/** Where a task's output goes, and what its process may have. */
export interface TaskPlace {
  /** A file, a pipe with a name or a device. */
  readonly target: string;
  /** Files and sockets that the process may have open; by default as many as this process may. */
  readonly descriptors?: number | undefined;
  /** A script in place of the task's program, and its first arguments; the task's flags follow. */
  readonly script?: readonly [URL, ...string[]] | undefined;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The same with standard output elsewhere. */
export async function spawnTaskTo(
  { target, descriptors, env = {}, script }: TaskPlace,
  task: string,
  ...args: string[]
): Promise<Deno.ChildProcess> {
  const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
  const ownArgs = await argsOf(PROJECT, task);
  const taskArgs = script === undefined
    ? ownArgs
    : [...ownArgs.slice(0, -1), ...script.map(String)];
  return new Deno.Command("sh", {
    args: ["-c", `${limit}exec "$@" > "$0"`, target, Deno.execPath(), ...taskArgs, ...args],
    cwd: PROJECT,
    env: { ...TASK_ENVIRONMENT, ...env },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

/** The same with a limit on the length of each file that it writes. @param blocks of 512 bytes */
export async function spawnTaskLimited(
  blocks: number,
  task: string,
  ...args: string[]
): Promise<Deno.ChildProcess> {
  const taskArgs = await argsOf(PROJECT, task);
  return new Deno.Command("sh", {
    // Without the trap the first write beyond the limit would end the process.
    args: [
      "-c",
      'trap "" XFSZ; ulimit -f "$0"; exec "$@"',
      String(blocks),
      Deno.execPath(),
      ...taskArgs,
      ...args,
    ],
    cwd: PROJECT,
    env: TASK_ENVIRONMENT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/**
 * The same with V8's inspector on a port of this machine (`tests/support/inspector.ts`). A server
 * then has no supervisor: that would be the process that is inspected.
 */
export async function spawnTaskInspected(
  port: number,
  task: string,
  ...args: string[]
): Promise<Deno.ChildProcess> {
  const [run, ...flags] = await argsOf(PROJECT, task);
  return new Deno.Command(Deno.execPath(), {
    args: [
      run!,
      `--inspect=127.0.0.1:${port}`,
      ...flags.filter((flag) => flag !== "--allow-run"),
      ...args,
    ],
    cwd: PROJECT,
    env: TASK_ENVIRONMENT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

const SERVER = "server/main.ts";
const BUILT_SERVER = "server/dist/main.js";

/** The builds of programs, by folder: each runs once. */
const builds = new Map<string, Promise<ProcessResult>>();

/** Builds what a task with `--build`, or one that depends on the programs, would build first. */
async function argsOf(folder: string, task: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  const { command, dependencies }: { command: string; dependencies?: string[] } = tasks[task];
  const args = command.split(" ").slice(1);
  const isServer = args.includes("--build");
  if (isServer || dependencies !== undefined) await buildPrograms(folder);
  return args
    .filter((arg) => arg !== "--build")
    .map((arg) => isServer && arg === SERVER ? BUILT_SERVER : arg);
}

async function buildPrograms(folder: string): Promise<void> {
  if (folder === PROJECT && isBuiltForRun()) return;
  if (!builds.has(folder)) builds.set(folder, runTaskIn(folder, "build:programs"));
  const { code, stderr } = (await builds.get(folder))!;
  if (code !== 0) throw new Error(`the programs do not build: ${stderr}`);
}

async function spawnTaskIn(
  folder: string,
  task: string,
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Deno.ChildProcess> {
  return new Deno.Command(Deno.execPath(), {
    args: [...await argsOf(folder, task), ...args],
    cwd: folder,
    env: { ...TASK_ENVIRONMENT, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a task until it ends by itself. */
export function runTask(task: string, ...args: string[]): Promise<ProcessResult> {
  return runTaskIn(PROJECT, task, args);
}

/** The same in a copy of the project. @param folder the copy's folder, which has a deno.json */
export async function runTaskIn(
  folder: string,
  task: string,
  args: string[] = [],
): Promise<ProcessResult> {
  const child = await spawnTaskIn(folder, task, args);
  const [{ code }, stdout, stderr] = await Promise.all([
    child.status,
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  return { code, stdout, stderr };
}

export async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}
