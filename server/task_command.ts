/**
 * The commands of deno.json's tasks, for processes that start others with the same permissions.
 */

const DENO_JSON = new URL("../deno.json", import.meta.url);

/** @returns the arguments of Deno in a task's command, read from deno.json each time */
export async function taskArgs(task: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(DENO_JSON)) as {
    tasks: Record<string, { command: string }>;
  };
  return tasks[task]!.command.split(" ").slice(1);
}
