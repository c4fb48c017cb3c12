/** The check of each file's cases: each is read, and what has bytes is written again. */
import { assertEquals } from "@std/assert";
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import type { FileName, VectorFile } from "../files.ts";
import { gameOf } from "../games/games.ts";
import { checkChecksum } from "./checksums.ts";
import { checkClock } from "./clock.ts";
import { checkCoderCase } from "./coder.ts";
import { checkClientConnection, checkServerConnection } from "./connection.ts";
import { checkPredictions } from "./predictions.ts";
import { checkSnapshot } from "./snapshots.ts";

/**
 * By file. Each throws an `AssertionError`, or an error of the codec, for a case that the project
 * does not agree with.
 */
// deno-lint-ignore no-explicit-any
const CHECKS: Readonly<Record<FileName, (each: any) => void>> = {
  // As JSON has it: a part that is undefined is left out.
  games: (schema: GameSchema) =>
    assertEquals(JSON.parse(JSON.stringify(gameOf(schema.id).schema)), schema),
  coder: checkCoderCase,
  client_messages: checkClientConnection,
  server_messages: checkServerConnection,
  predictions: checkPredictions,
  checksums: checkChecksum,
  clock: checkClock,
  snapshots: checkSnapshot,
};

/** @throws Error for the first case that fails, with the failure as its cause */
export function checkCases(name: FileName, { cases }: Pick<VectorFile, "cases">): void {
  cases.forEach((each, i) => {
    try {
      CHECKS[name](each);
    } catch (cause) {
      const about = (each as { about?: string }).about ?? "";
      throw new Error(`${name}.json, case ${i + 1} (${about}): ${cause}`, { cause });
    }
  });
}
