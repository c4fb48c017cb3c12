/**
 * Builds the pages of the hosted games before a server starts, as `deno task build --games` does.
 * It is a process of its own, because the server needs neither the bundler nor the permission to
 * write pages.
 */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** @returns whether all pages are built; otherwise the build has written why on standard error */
export async function buildPages(games: readonly string[]): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "build", "--games", games.join(",")],
    cwd: ROOT,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  });
  const { success } = await command.spawn().status;
  return success;
}
