/**
 * Loads and steps games with mistakes, in a process of its own: it checks no types, as a careless
 * author does not. It prints one JSON object, by path: the words of whoever refused the game.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { twinFaults } from "../../shared/duties/twin_run.ts";

export interface RunResult {
  readonly definition?: string;
  readonly step?: string;
  readonly twin?: string;
}

const SEED = 20_261_123;
const TICKS = 200;

async function resultOf(path: string): Promise<RunResult> {
  let game: Game<unknown>;
  try {
    game = (await import(new URL(path, `file://${Deno.cwd()}/`).href)).game;
  } catch (error) {
    return { definition: String(error) };
  }

  const limits: string[] = [];

  try {
    const faults = twinFaults(game, {
      seed: SEED,
      npcs: 2,
      ticks: TICKS,
      onLimited: (sentence) => limits.push(sentence),
    });
    // A limit that is reached ends no match. The server's log has this sentence, for the author.
    const step = limits.length === 0 ? {} : { step: limits[0]! };
    const twin = faults.map(({ tick, text }) => `tick ${tick}: ${text}`).join("\n");
    return { ...step, ...twin !== "" && { twin } };
  } catch (error) {
    return { step: String(error) };
  }
}

if (import.meta.main) {
  const results: Record<string, RunResult> = {};
  for (const path of Deno.args) results[path] = await resultOf(path);
  console.log(JSON.stringify(results));
}
