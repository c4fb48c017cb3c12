/**
 * A match process: rooms, tickers and sockets, as in a single-process server. The front process
 * takes care of pages, tickets, results and operators. The match process begins with the front
 * process's first message, and ends when the front process says so or has ended.
 */
import type { Game } from "../../../shared/netcode/game.ts";
import { EXIT_UNUSABLE, UsageError } from "../../../shared/flags.ts";
import { ListenError } from "../../http/listener.ts";
import { stopSignals } from "../../process.ts";
import { eitherOf, StopMessages } from "../../supervision/stop_messages.ts";
import { clock, wait } from "../../ticker.ts";
import type { TrialProgram } from "../../trial/trial_threads.ts";
import { FrontLink } from "./front_link.ts";
import { MatchHost } from "./match_host.ts";
import type { ToWorker } from "../messages.ts";

/**
 * How many messages and log lines may wait for the front process. If an answer is dropped, the
 * process counts as busy.
 */
const WAITING_MAX = 10_000;
/**
 * How often the process reports itself, ms. A room that it opens appears in the lobby up to this
 * much later.
 */
const REPORT_EVERY_MS = 250;

/** Loads games' modules, by game name. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/**
 * Runs a match process, from its first message to the front process until its end.
 * @param trialProgram as for `serve`
 * @returns the process's exit code
 */
export async function runMatchProcess(
  loaders: GameLoaders,
  trialProgram: TrialProgram | undefined,
): Promise<number> {
  const write = (bytes: Uint8Array) => Deno.stdout.write(bytes);
  const front = new FrontLink({ input: Deno.stdin.readable, write, waitingMax: WAITING_MAX, wait });

  const helloMs = clock.now();
  front.send({ type: "hello" });
  const start = await front.next();
  if (start?.type !== "start") return 0;

  try {
    const games: Record<string, Game<unknown>> = {};
    for (const name of start.settings["games"] as string[]) {
      games[name] = (await loaders[name]!()).game;
    }
    // Never behind the front process's clock, so that no ticket is from the future.
    const ticketClock = { now: () => clock.now() + start.nowMs - helloMs };
    const host = await MatchHost.open(games, { front, start, ticketClock, trialProgram });
    return await runHost(host, front);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ListenError)) throw error;
    front.send({ type: "failed", message: error.message });
    await front.close();
    return EXIT_UNUSABLE;
  }
}

async function runHost(host: MatchHost, front: FrontLink): Promise<number> {
  const stops = new StopMessages();
  let hasEnded = false;
  const drained = host.run(eitherOf(stopSignals(), stops))
    .then(() => 0)
    .finally(() => hasEnded = true);

  const report = async () => {
    while (!hasEnded) {
      await wait(REPORT_EVERY_MS);
      host.report();
    }
  };
  void report();

  // Without the front process players cannot find the way here. The next server continues the
  // matches.
  const orphaned = readMessages(front, (message) => onMessage(host, message, stops));
  const code = await Promise.race([drained, orphaned.then(() => 1)]);
  if (code === 0) await front.close();
  return code;
}

/** @returns when the front process has ended */
async function readMessages(
  front: FrontLink,
  onMessage: (message: ToWorker) => void,
): Promise<void> {
  for (let message = await front.next(); message !== undefined; message = await front.next()) {
    onMessage(message);
  }
}

function onMessage(host: MatchHost, message: ToWorker, stops: StopMessages): void {
  switch (message.type) {
    case "ask":
      return host.answer(message.id, message.ask);
    case "ban":
      return host.bans.add(message.ban.addressBlock, message.ban.seconds);
    case "unban":
      return void host.bans.remove(message.addressBlock);
    case "stop":
      return stops.count("front process");
  }
}
