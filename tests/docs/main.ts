/**
 * Writes `docs/reference.md` from the docstrings of the game kit, and the table of limits in
 * `docs/hosting.md` from the server's settings.
 *
 *     deno task chore docs
 */
import { HOSTING, hostingText } from "./limits_table.ts";
import { BEHIND, IMPORTED, REFERENCE, referenceText, silentOnes } from "./reference.ts";
import { symbolsOf } from "./kit_symbols.ts";

/** @returns the process's exit code: 1 if a symbol has no docstring */
async function main(): Promise<number> {
  await Deno.writeTextFile(REFERENCE, await referenceText());
  await Deno.writeTextFile(HOSTING, await hostingText());
  const symbols = (await Promise.all([...IMPORTED, ...BEHIND].map(symbolsOf))).flat();
  const silent = silentOnes(symbols);
  console.log(`docs/reference.md has ${symbols.length} symbols`);
  for (const each of silent) console.error(`no docstring: ${each}`);
  return silent.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
