/** The yard of a template on a real server, which lets a page of another site in. */
import { pathToFileURL } from "node:url";
import { freePort } from "../../support/servers/public_server.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import type { OtherSite } from "./site.ts";

/**
 * A server with three NPCs in each room. Its own page is a title alone.
 * @param flags more of them
 */
export async function yardServerFor(
  { origin }: OtherSite,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  const folder = pathToFileURL(`${await Deno.makeTempDir({ prefix: "wyvern_" })}/`);
  await Deno.mkdir(new URL("yard/", folder));
  await Deno.writeTextFile(new URL("yard/index.html", folder), "<!DOCTYPE html><title>Y</title>");
  const port = freePort();
  return await ServerProcess.startScript(
    new URL("server.ts", import.meta.url),
    folder.href,
    ...["--port", `${port}`, "--npcs", "3", "--data", "off", "--grace", "0"],
    ...["--origin", `http://127.0.0.1:${port},${origin}`],
    ...flags,
  );
}
