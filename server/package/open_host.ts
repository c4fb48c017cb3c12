/** Opens a server as a part of a program. */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../shared/flags.ts";
import { gameNameFault } from "../../shared/game_names.ts";
import type { Game } from "../../shared/netcode/game.ts";
import { quoted } from "../../shared/quoted.ts";
import { ListenError } from "../http/listener.ts";
import { Pages } from "../http/pages.ts";
import { serve } from "../serve.ts";
import { secretsOf } from "../settings/secrets.ts";
import { checkSettings } from "../settings/settings.ts";
import { StopMessages } from "../supervision/stop_messages.ts";
import { HostError } from "./host_error.ts";
import { PAGES } from "./own_games.ts";
import type { HostedServer, HostSettings } from "./hosted_server.ts";

/** @throws HostError for what the server cannot use */
export async function openHost(
  games: Readonly<Record<string, Game<unknown>>>,
  options: HostSettings,
): Promise<HostedServer> {
  try {
    return await opened(games, options);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
    throw new HostError(error.message, { cause: error });
  }
}

/** @throws UsageError or ListenError */
async function opened(
  games: Readonly<Record<string, Game<unknown>>>,
  { pages: folder, authorise, ...given }: HostSettings,
): Promise<HostedServer> {
  const names = Object.keys(games);
  if (names.length === 0) throw new UsageError("there is no game to host");
  for (const name of names) {
    const fault = gameNameFault(name);
    if (fault !== undefined) throw new UsageError(`${quoted(name)} ${fault}`);
  }
  const settings = checkSettings({ ...given }, names);
  const built = folder === undefined ? PAGES : pathToFileURL(`${folder}/`);
  const pages = await Pages.load(built, {
    names,
    hasPage: (name) => existsSync(new URL(`${name}/index.html`, built)),
    builder: "wyvern build",
    origin: settings.origin[0],
  });

  const stops = new StopMessages();
  const listening = Promise.withResolvers<{ url: string; opsUrl: string | undefined }>();
  const stopped = serve(games, {
    settings,
    pages,
    authorise,
    secrets: secretsOf(settings),
    caller: { ready: listening.resolve, stops },
  });
  // It never ends before it listens, but it may fail.
  const places = await Promise.race([listening.promise, stopped.then(() => listening.promise)]);
  return {
    ...places,
    stopped,
    stop() {
      stops.count("the program");
      return stopped;
    },
  };
}
