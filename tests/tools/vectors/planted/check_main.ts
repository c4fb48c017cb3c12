/**
 * Checks vectors with the sources of the project, or of the copy of it, that has this file.
 *
 *     deno run --allow-read check_main.ts FILE…
 *
 * It prints "ok", or "caught" and the first case that fails. Without either of them the sources do
 * not even load.
 */
import { checkCases } from "../check/checks.ts";
import { type FileName, readFile } from "../files.ts";

async function firstFailure(names: readonly FileName[]): Promise<string | undefined> {
  for (const name of names) {
    try {
      await checkCases(name, readFile(name));
    } catch (error) {
      return (error as Error).message.split("\n")[0];
    }
  }
  return undefined;
}

const failure = await firstFailure(Deno.args as FileName[]);
console.log(failure === undefined ? "ok" : `caught by ${failure}`);
