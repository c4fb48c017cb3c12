/**
 * Writes `docs/reference.md` from the docstrings of the game kit, and the table of limits in
 * `docs/hosting.md` and the typed settings of `wyvern/server` from the server's settings; and
 * `llms.txt` and `AGENTS.md` from the pages.
 *
 *     deno task chore docs
 */
import { AGENTS, agentsText, LLMS, llmsText } from "./agents.ts";
import { HOST_SETTINGS, hostSettingsText } from "./host_settings.ts";
import { HOSTING, hostingText } from "./limits_table.ts";
import { BEHIND, IMPORTED, REFERENCE, referenceText, silentOnes } from "./reference.ts";
import { symbolsOf } from "./kit_symbols.ts";

/** @returns the process's exit code: 1 if a symbol has no docstring */
async function main(): Promise<number> {
  await Deno.writeTextFile(REFERENCE, await referenceText());
  await Deno.writeTextFile(HOSTING, await hostingText());
  await Deno.writeTextFile(HOST_SETTINGS, await hostSettingsText());
  await Deno.writeTextFile(LLMS, await llmsText());
  await Deno.writeTextFile(AGENTS, await agentsText());
  const symbols = (await Promise.all([...IMPORTED, ...BEHIND].map(symbolsOf))).flat();
  const silent = silentOnes(symbols);
  console.log(`docs/reference.md has ${symbols.length} symbols`);
  for (const each of silent) console.error(`no docstring: ${each}`);
  return silent.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
