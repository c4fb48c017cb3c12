/** The yard on a real server, and matches in it. */
import { pathToFileURL } from "node:url";
import type { Match, MatchFrame } from "../../../client/package/session.ts";
import type { TypesOf } from "../../../shared/game_kit/game_kit.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import type { game } from "./game.ts";

export type YardTypes = TypesOf<typeof game>;
export type YardMatch = Match<YardTypes>;
export type YardFrame = MatchFrame<YardTypes>;

/** How often a test draws, ms. */
const FRAME_MS = 16;
/** How long a condition may take, ms, on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

/** A server that hosts the yard. Its page is a title alone. */
export async function yardServer(...flags: string[]): Promise<ServerProcess> {
  const folder = pathToFileURL(`${await Deno.makeTempDir({ prefix: "wyvern_" })}/`);
  await Deno.mkdir(new URL("yard/", folder));
  await Deno.writeTextFile(
    new URL("yard/index.html", folder),
    "<!DOCTYPE html><title>Yard</title>",
  );
  return await ServerProcess.startScript(
    new URL("server.ts", import.meta.url),
    folder.href,
    ...["--data", "off", "--grace", "0", ...flags],
  );
}

/** Draws frame after frame until one satisfies a condition. @throws Error if none does in time */
export async function drawUntil(
  match: YardMatch,
  isReached: (frame: YardFrame) => boolean,
): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!isReached(match.frame())) {
    if (performance.now() > endMs) {
      throw new Error(`not reached: ${JSON.stringify([match.status, match.stats])}`);
    }
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
  }
}

/** The own disc's fields, at the newest definitive tick. */
export function ownFields({ definitive }: YardFrame, { seat }: YardMatch) {
  return definitive.player(seat)?.fields;
}
