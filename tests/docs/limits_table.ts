/** The table of limits in `docs/hosting.md`, from the code of the server's settings. */
import { LIMIT_FLAGS } from "../../server/settings/limits.ts";
import { formatted } from "./reference.ts";

export const HOSTING = new URL("../../docs/hosting.md", import.meta.url);

/** The place of the table. */
const TABLE = /(<!-- The next table is written by `deno task chore docs`. -->\n\n)(?:\|.*\n)+/;

/**
 * @returns the page with the table as the code has it, formatted as `deno fmt` does
 * @throws Error if the page has no place for it
 */
export async function hostingText(): Promise<string> {
  const page = await Deno.readTextFile(HOSTING);
  if (!TABLE.test(page)) throw new Error("docs/hosting.md has no place for the table of limits");
  return await formatted(page.replace(TABLE, (_, mark: string) => mark + limitsTable()));
}

function limitsTable(): string {
  const rows = Object.entries(LIMIT_FLAGS).map(([name, { about, allowed }]) => {
    // The default stands in brackets at the end.
    const [, meaning, byDefault] = /^(.*) \[(.*)\]$/.exec(about)!;
    return `| \`${name}\` | ${meaning} | ${byDefault} | ${allowed} |\n`;
  });
  return "| setting | what it limits | default | allowed |\n| - | - | - | - |\n" + rows.join("");
}
