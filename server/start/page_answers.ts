/** What a server with pages answers, whoever runs its matches. */
import type { Game } from "../../shared/netcode/game.ts";
import { gameSchemaOf } from "../../shared/netcode/game_schema.ts";
import type { Pages } from "../http/pages.ts";
import type { HttpAnswers } from "../http/server.ts";
import type { Cluster } from "../nodes/cluster.ts";
import type { Results } from "../results/results.ts";
import { resultsAnswer } from "../results/results_api.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * The pages, the games' schemas, the results and, on a server that is not public, the metrics.
 * @param games the hosted games, by name
 */
export function pageAnswers(
  games: Readonly<Record<string, Game<unknown>>>,
  { settings, pages, results, cluster, metricsText }: {
    readonly settings: Settings;
    readonly pages: Pages;
    readonly results: Results | undefined;
    readonly cluster: Pick<Cluster, "readings"> | undefined;
    readonly metricsText: HttpAnswers["metrics"];
  },
): Pick<
  HttpAnswers,
  "staticFiles" | "collectsHashes" | "metrics" | "results" | "gameSchemas"
> {
  return {
    staticFiles: () => pages.filesFor(cluster?.readings.nodes ?? 1),
    collectsHashes: settings["collect-hashes"],
    metrics: settings.public ? undefined : metricsText,
    results: (wanted) => resultsAnswer({ results, games: settings.games }, wanted),
    gameSchemas: new Map(
      Object.values(games).map((game) => [game.id, JSON.stringify(gameSchemaOf(game))]),
    ),
  };
}
