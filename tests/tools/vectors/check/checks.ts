/** The check of each file's cases: each is read, and what has bytes is written again. */
import { assertEquals } from "@std/assert";
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import type { FileName, VectorFile } from "../files.ts";

/**
 * By file. Each throws an `AssertionError`, or an error of the codec, for a case that the project
 * does not agree with.
 *
 * A check is loaded when it is needed: a game's definition proves its codec, so a mistake in the
 * coder would end every check before the coder's own cases were looked at.
 */
// deno-lint-ignore no-explicit-any
const CHECKS: Readonly<Record<FileName, () => Promise<(each: any) => void>>> = {
  games: async () => {
    const { gameOf } = await import("../games/games.ts");
    // As JSON has it: a part that is undefined is left out.
    return (schema: GameSchema) =>
      assertEquals(JSON.parse(JSON.stringify(gameOf(schema.id).schema)), schema);
  },
  coder: async () => (await import("./coder.ts")).checkCoderCase,
  client_messages: async () => (await import("./connection.ts")).checkClientConnection,
  server_messages: async () => (await import("./connection.ts")).checkServerConnection,
  predictions: async () => (await import("./predictions.ts")).checkPredictions,
  checksums: async () => (await import("./checksums.ts")).checkChecksum,
  clock: async () => (await import("./clock.ts")).checkClock,
  snapshots: async () => (await import("./snapshots.ts")).checkSnapshot,
};

/** @throws Error for the first case that fails, with the failure as its cause */
export async function checkCases(
  name: FileName,
  { cases }: Pick<VectorFile, "cases">,
): Promise<void> {
  const check = await CHECKS[name]();
  cases.forEach((each, i) => {
    try {
      check(each);
    } catch (cause) {
      const about = (each as { about?: string }).about ?? "";
      throw new Error(`${name}.json, case ${i + 1} (${about}): ${cause}`, { cause });
    }
  });
}
