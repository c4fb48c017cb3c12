/**
 * Reads the commands of deno.json's tasks, for processes that start others with the same
 * permissions.
 */

const DENO_JSON = new URL("../deno.json", import.meta.url);

/** @returns the arguments that a task's command passes to Deno; deno.json is read each time */
export async function taskArgs(task: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(DENO_JSON)) as {
    tasks: Record<string, { command: string }>;
  };
  return tasks[task]!.command.split(" ").slice(1);
}
