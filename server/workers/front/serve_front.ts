/**
 * The front process of `serve --workers N`: pages, API, tickets, results and operators. It starts
 * the match processes and sends each player to the one that has their room; it passes on none of a
 * match's messages.
 */
import type { Game } from "../../../shared/netcode/game.ts";
import { UsageError } from "../../../shared/flags.ts";
import { encodeBase64Url } from "../../http/std_web.ts";
import { KEPT_BYTES_MAX, lockFolder } from "../../match_log/file_logs.ts";
import { logUncaughtErrors, type StopSignals, stopSignals } from "../../process.ts";
import { Results } from "../../results/results.ts";
import { announceStart, LOG_CLOSE_MS, logWriterOf } from "../../start/log_lines.ts";
import { networkOf } from "../../start/network.ts";
import { ServiceManager } from "../../supervision/service_manager.ts";
import type { Fault } from "../../supervision/faults.ts";
import { ServerSecret } from "../../server_secret.ts";
import { Stalls } from "../../stalls.ts";
import { clock, unixClock, wait } from "../../ticker.ts";
import { adoptLogs, workerFolder } from "../adopt_logs.ts";
import type { Start } from "../messages.ts";
import { SharedBans } from "./front_operations.ts";
import {
  type Common,
  type FrontOptions,
  type Matches,
  openFront,
  ticketSecretOf,
} from "./front_server.ts";
import { OpenTickets } from "./open_tickets.ts";
import { portsFor } from "./ports.ts";
import { RoomDirectory } from "./room_directory.ts";
import { workerCommand } from "./worker_command.ts";
import { WorkerPool } from "./worker_pool.ts";

/**
 * Serves games until a signal stops the process.
 * @throws UsageError or ListenError for settings that cannot be used; then no match process runs
 */
export async function serveFront(
  games: Readonly<Record<string, Game<unknown>>>,
  options: FrontOptions,
): Promise<void> {
  const { settings, workers } = options;
  const run = await Deno.permissions.query({ name: "run", command: Deno.execPath() });
  if (run.state !== "granted") {
    throw new UsageError(
      `--workers ${workers} starts processes, so Deno has to run with --allow-run`,
    );
  }

  const logWriter = logWriterOf(settings);
  const { log } = logWriter;
  logUncaughtErrors(log);

  // Ports and files first, because everything started below needs them.
  const { host, port, datagrams, "datagrams-host": udpHost = host } = settings;
  const ports = portsFor({
    host,
    port,
    workers,
    udpHost: datagrams === "off" ? undefined : udpHost,
  });
  const folder = settings.data;
  const lock = folder === "off" ? undefined : lockFolder(folder);
  if (lock !== undefined) adoptLogs(folder, { workers, log });
  const results = lock && Results.open({ folder, unixClock, wait, log });

  // What all processes share
  const text = options.secrets.secret;
  const secret = text === undefined ? ServerSecret.drawn() : ServerSecret.ofText(text);
  const seed = settings.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const network = networkOf({ ...settings, port: ports.page });
  const common = {
    options,
    games,
    logWriter,
    log,
    ports,
    network,
    seed,
    secret,
    results,
    stalls: new Stalls(clock.now()),
    stop: { hasBegun: false },
  };

  // The match processes, and then the pages and tickets for them
  const matches = matchesOf(common);
  const { pool } = matches;
  await pool.start();
  results?.endOthers(pool.workers.flatMap(({ resumed }) => resumed));
  const front = await openFront(common, matches).catch(async (error) => {
    await pool.kill();
    throw error;
  });

  // Run until a signal.
  const signals = stopSignals();
  const services = new ServiceManager(log);
  services.ready();
  announceStart({
    url: front.url,
    seed: settings.public ? undefined : seed,
    settings,
    log,
    logWriter,
  });
  log("match_processes", { workers, ports: ports.workers.join(",") });
  void signals.first.then(() => services.stopping());

  // Stop everything, in the opposite order.
  await stopAll(common, pool, signals);
  services.close();
  await front.close();
  results?.close();
  lock?.close();
  await logWriter.close(LOG_CLOSE_MS);
}

/** Waits for the first signal, then for the match processes, which let their rounds end. */
async function stopAll(
  { options, log, stop }: Common,
  pool: WorkerPool,
  { first, second }: StopSignals,
): Promise<void> {
  const signal = await first;
  const { grace } = options.settings;
  stop.hasBegun = true;
  log("stopping", { signal, graceSeconds: grace });
  pool.stop();
  void second.then(() => pool.stop());
  await pool.ended(grace * 1000);
}

/** Makes the match processes, none of which has started yet. */
function matchesOf(common: Common): Matches {
  const { options, log, ports, results, stalls } = common;
  const { settings, module, programArgs, reads, workers: count } = options;
  const folderOf = (worker: number) =>
    settings.data === "off" ? undefined : workerFolder(settings.data, worker);
  const bans: SharedBans = new SharedBans(clock, { send: (message) => pool.send(message) });

  const pool: WorkerPool = new WorkerPool({
    count,
    results,
    stalls,
    clock,
    wait,
    log,
    spawn(worker) {
      const { args, env } = workerCommand({
        module,
        args: programArgs,
        host: settings.host,
        port: ports.workers[worker - 1]!,
        folder: folderOf(worker),
        reads,
        udpHost: settings["datagrams-host"],
      });
      const command = new Deno.Command(Deno.execPath(), {
        args: [...args],
        env,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      });
      return command.spawn();
    },
    startMessage: (worker, faults) =>
      startMessageOf(common, { worker, folder: folderOf(worker), bans, faults }),
    onReport(worker) {
      directory.update(worker);
      for (const [block, count] of Object.entries(worker.report!.redeemed)) {
        openTickets.use(block, count);
      }
    },
  });

  const directory = new RoomDirectory(pool.workers, clock);
  const openTickets = new OpenTickets(clock);
  return { pool, directory, bans, openTickets };
}

function startMessageOf(
  { options: { settings, workers }, ports, network, seed, secret }: Common,
  { worker, folder = "off", bans, faults }: {
    worker: number;
    folder: string | undefined;
    bans: SharedBans;
    faults: readonly Fault[];
  },
): Start {
  return {
    type: "start",
    worker,
    pagePort: ports.page,
    nowMs: unixClock.now(),
    bans: bans.list(),
    faults: [...faults],
    settings: { ...settings, port: ports.workers[worker - 1]!, data: folder },
    ticketSecret: ticketSecretOf(secret, worker),
    roomSecret: settings.public
      ? encodeBase64Url(secret.bytesFor("rooms of a match process", worker))
      : `seed ${seed}`,
    ...network.tls && { tls: network.tls },
    keptBytesMax: Math.floor(KEPT_BYTES_MAX / workers),
  };
}
