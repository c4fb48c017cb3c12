/**
 * Runs one command of a task that has several, as a process with the permissions of that command
 * alone (`commands.ts`). This process may only start others.
 *
 *     deno task soak log --flips 100
 *     deno task lab --matrix          the usual command of a task needs no name
 */
import { EXIT_UNUSABLE } from "../../../shared/flags.ts";
import { quoted } from "../../../shared/quoted.ts";
import { type Command, type Group, GROUPS } from "./commands.ts";

/** What a command line asks for. */
export type Choice =
  | { readonly run: Command; readonly args: readonly string[]; readonly isHelped: boolean }
  | { readonly list: true }
  | { readonly problem: string };

/**
 * Finds the command of a command line.
 * @param task a task's name in `GROUPS`, for its error text
 * @param args the arguments after the task's name
 */
export function choose(
  task: string,
  { commands, usual }: Group,
  [first, ...rest]: readonly string[],
): Choice {
  if (first !== undefined && Object.hasOwn(commands, first)) {
    return { run: commands[first]!, args: rest, isHelped: false };
  }
  const isFlag = first === undefined || first.startsWith("-");
  if (usual !== undefined && isFlag) {
    const args = first === undefined ? rest : [first, ...rest];
    return { run: commands[usual]!, args, isHelped: args.includes("--help") };
  }
  if (first === "--help") return { list: true };
  const given = first === undefined ? "nothing" : quoted(first);
  return { problem: `${task} needs one of ${Object.keys(commands).join(", ")}, not ${given}` };
}

/** The usage text of a task, a line for each of its commands. */
export function usageOf(task: string, { commands, usual }: Group): string {
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { about }]) =>
    `  ${name.padEnd(width)}  ${about}`
  );
  const form = usual === undefined ? "NAME" : `[NAME, else ${usual}]`;
  return [`Usage: deno task ${task} ${form} [flags]`, ...lines].join("\n");
}

/** Runs a command until it ends. @returns its exit code */
async function runCommand({ permissions, script, args = [] }: Command, given: readonly string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, script, ...args, ...given],
  }).spawn();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      try {
        child.kill(signal);
      } catch {
        // It has ended meanwhile.
      }
    });
  }
  return (await child.status).code;
}

/** @returns the process's exit code: that of the command, 0 for `--help`, 2 for no command */
async function main([task = "", ...args]: readonly string[]): Promise<number> {
  const group = GROUPS[task]!;
  const choice = choose(task, group, args);
  if ("problem" in choice) {
    console.error(choice.problem);
    return EXIT_UNUSABLE;
  }
  if ("list" in choice || choice.isHelped) console.log(usageOf(task, group));
  if ("list" in choice) return 0;
  if (choice.isHelped) console.log();
  return await runCommand(choice.run, choice.args);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
