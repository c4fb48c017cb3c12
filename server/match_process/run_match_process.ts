/**
 * A match process: rooms, tickers and sockets, as in a single-process server. Its gateway takes care
 * of pages, tickets, results and operators. The match process begins with the gateway's first
 * message, and ends when the gateway says so or has ended.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { EXIT_UNUSABLE, UsageError } from "../../shared/flags.ts";
import { Bans } from "../bans/bans.ts";
import { HEARTBEAT_MS } from "../bus/missed_heartbeats.ts";
import { hearGateway, type Start, tellGateway } from "../bus/pipe_messages.ts";
import { ListenError } from "../http/listener.ts";
import { stopSignals } from "../ground/process.ts";
import { eitherOf, StopMessages } from "../supervision/stop_messages.ts";
import { unixClock, wait } from "../ground/ticker.ts";
import type { TrialProgram } from "../trial/trial_threads.ts";
import { GatewayLink } from "./gateway_link.ts";
import { MatchHost } from "./match_host.ts";

/**
 * How many messages and log lines may wait for the gateway. If an answer is dropped, the process
 * counts as busy.
 */
const WAITING_MAX = 10_000;

/** Loads games' modules, by game name. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/**
 * Runs a match process, from its first message to the gateway until its end.
 * @param trialProgram as for `serve`
 * @returns the process's exit code
 */
export async function runMatchProcess(
  loaders: GameLoaders,
  trialProgram: TrialProgram | undefined,
): Promise<number> {
  const write = (bytes: Uint8Array) => Deno.stdout.write(bytes);
  const gateway = new GatewayLink({
    input: Deno.stdin.readable,
    write,
    waitingMax: WAITING_MAX,
    wait,
  });
  const { bus, refuse } = gateway;

  // Without the gateway players cannot find the way here. The next server continues the matches.
  const started = Promise.withResolvers<Start>();
  const stops = new StopMessages();
  const bans = new Bans(unixClock);
  hearGateway(bus, "start", { take: started.resolve, refuse });
  hearGateway(bus, "stop", { take: () => stops.count("gateway"), refuse });
  hearGateway(bus, "ban", { take: (ban) => void bans.take(ban), refuse });
  const orphaned = gateway.read();
  tellGateway(bus, "hello", {});
  const start = await Promise.race([started.promise, orphaned]);
  if (start === undefined) return 0;
  for (const ban of start.bans) bans.take(ban);

  try {
    const games: Record<string, Game<unknown>> = {};
    for (const name of start.settings["games"] as string[]) {
      games[name] = (await loaders[name]!()).game;
    }
    const host = await MatchHost.open(games, { gateway, start, bans, trialProgram });
    return await runHost(host, { gateway, stops, orphaned });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
    tellGateway(bus, "failed", { message: error.message });
    await gateway.close();
    return EXIT_UNUSABLE;
  }
}

async function runHost(
  host: MatchHost,
  { gateway, stops, orphaned }: {
    gateway: GatewayLink;
    stops: StopMessages;
    orphaned: Promise<void>;
  },
): Promise<number> {
  let hasEnded = false;
  const drained = host.run(eitherOf(stopSignals(), stops))
    .then(() => 0)
    .finally(() => hasEnded = true);

  const report = async () => {
    while (!hasEnded) {
      await wait(HEARTBEAT_MS);
      host.report();
    }
  };
  void report();

  const code = await Promise.race([drained, orphaned.then(() => 1)]);
  if (code === 0) await gateway.close();
  return code;
}
