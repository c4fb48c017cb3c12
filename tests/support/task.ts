/** Processes as deno.json's tasks start them, with the very permissions that a user's have. */

const PROJECT = new URL("../../", import.meta.url);

/** A process that is no more. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the last `deno …` of a task; what the task does before it (a build) is the caller's. Output is piped. */
export async function spawnTask(task: string, ...args: string[]): Promise<Deno.ChildProcess> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", PROJECT)));
  const command = (tasks[task].command as string).split("&&").at(-1)!.trim();
  return new Deno.Command(Deno.execPath(), {
    args: [...command.split(" ").slice(1), ...args],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a task until it ends by itself. */
export async function runTask(task: string, ...args: string[]): Promise<Ended> {
  const child = await spawnTask(task, ...args);
  const [{ code }, stdout, stderr] = await Promise.all([child.status, textOf(child.stdout), textOf(child.stderr)]);
  return { code, stdout, stderr };
}

export async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}
