/**
 * The process in which `bench match` measures the parts of a match-tick. It runs as a bundle, as a
 * server does.
 */
import { NpcBot } from "../../../../client/bots/npc_bot.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { GAMES } from "../../../../shared/games/registry.ts";
import { serveTurns, TurnProcess } from "../physics/turn_process.ts";
import { measureParts, type Parts, type PartsSize } from "./match_parts.ts";

interface Request extends PartsSize {
  readonly gameName: string;
}

/**
 * Dragons are played by their bots. The players of any other game do as its NPCs do.
 * @param module this one as a bundle, file://…
 */
export async function partsOf(module: string, request: Request): Promise<Parts> {
  const process = new TurnProcess<Request, Parts>(module, { args: [request.gameName] });
  const parts = await process.request(request);
  await process.end();
  return parts;
}

if (import.meta.main) {
  await serveTurns(async ({ gameName, ...size }: Request) => {
    const { game } = await GAMES[gameName]!();
    const newBot = (seed: number) => gameName === "dragons" ? new Bot(seed) : new NpcBot(game);
    return measureParts({ ...size, game, newBot });
  });
}
