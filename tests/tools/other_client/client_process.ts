/** Runs the other client as a process of its own, and reads its log. */
import { UsageError } from "../../../shared/flags.ts";
import { quoted } from "../../../shared/quoted.ts";
import { textOf } from "../../support/task.ts";
import { type ClientLog, LogError, parseClientLog } from "./client_log.ts";

/** A client that runs for so much longer than it plays is stopped. */
const SPARE_SECONDS = 30;

/** The client's flags. */
export interface ClientOptions {
  readonly url: string;
  readonly game: string;
  readonly room: string;
  readonly name: string;
  readonly seconds: number;
  readonly seed: number;
}

export interface ClientRun {
  readonly log: ClientLog;
  /** Faults of the process and of the log, one line each. */
  readonly failures: readonly string[];
}

/** Splits a command at spaces. @throws UsageError if its program is not installed */
export async function commandOf(text: string): Promise<readonly string[]> {
  const [program = "", ...args] = text.trim().split(/\s+/);
  if (await isInstalled(program)) return [program, ...args];
  throw new UsageError(`there is no program ${quoted(program)} here; --client names another one`);
}

/** Whether a program is in a folder of PATH, or is a file itself. */
export async function isInstalled(program: string): Promise<boolean> {
  const folders = program.includes("/")
    ? [""]
    : (Deno.env.get("PATH") ?? "").split(":").map((folder) => `${folder}/`);
  for (const folder of folders) {
    const info = await Deno.stat(folder + program).catch(() => undefined);
    if (info?.isFile) return true;
  }
  return false;
}

/**
 * Runs a client until it ends.
 * @param command program and arguments; the contract's flags follow
 */
export async function runClient(
  [program, ...args]: readonly string[],
  options: ClientOptions,
): Promise<ClientRun> {
  const logPath = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    const flags = Object.entries({ ...options, log: logPath }).flatMap((
      [name, value],
    ) => [`--${name}`, `${value}`]);
    const child = new Deno.Command(program!, {
      args: [...args, ...flags],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout((options.seconds + SPARE_SECONDS) * 1000),
    }).spawn();
    const [{ code, signal }, stderr] = await Promise.all([child.status, textOf(child.stderr)]);
    const failures: string[] = [];
    if (signal !== null) {
      failures.push(`the client did not end in time, or was stopped by ${signal}`);
    } else if (code !== 0) {
      failures.push(`the client's exit code is ${code}: ${quoted(lastLineOf(stderr))}`);
    }
    return readLog(await Deno.readTextFile(logPath), failures);
  } finally {
    await Deno.remove(logPath);
  }
}

/** Prints a longer text for people. The last line of a Python traceback is the error. */
function lastLineOf(stderr: string): string {
  const lines = stderr.trim().split("\n");
  if (lines.length > 1) console.error(stderr);
  return lines.at(-1)!;
}

function readLog(text: string, failures: readonly string[]): ClientRun {
  try {
    return { log: parseClientLog(text), failures };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return { log: parseClientLog(""), failures: [...failures, error.message] };
  }
}
