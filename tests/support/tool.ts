/**
 * Runs the command-line tools of `tests/`: their flags, their usage text and their exit codes.
 */
import {
  EXIT_UNUSABLE,
  type FlagTable,
  type FlagValues,
  parseFlags,
  usage,
  UsageError,
} from "../../shared/flags.ts";

/**
 * Runs a tool once. A wrong command line costs its user one clear line.
 * @param task what follows `deno task` on its command line
 * @param tool.run returns the exit code, or nothing for 0; a `UsageError` that it throws counts as
 *   a wrong flag
 * @returns the exit code: that of `run`, 0 for `--help`, 2 for a wrong command line
 */
export async function runTool<const Table extends FlagTable>(
  task: string,
  { flags: table, run }: {
    flags: Table;
    run: (flags: FlagValues<Table>) => number | void | Promise<number | void>;
  },
  args: string[] = Deno.args,
): Promise<number> {
  try {
    const flags = parseFlags(args, table);
    if (flags !== "help") return await run(flags) ?? 0;
    console.log(usage(`deno task ${task}`, table));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${task}: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}
