/** The server's log on standard output, and its first lines. */
import { formatJsonLine, formatLine, type Log } from "../ground/log.ts";
import { LogWriter } from "../ground/log_writer.ts";
import { loggedSettings, type Settings } from "../settings/settings.ts";
import { isoTime, wait } from "../ground/ticker.ts";

/** How long the log's last lines may take, ms. */
export const LOG_CLOSE_MS = 500;

/** Writes the log's first lines. */
export function announceStart(
  { url, seed, settings, log, logWriter }: {
    url: string;
    seed: number | undefined;
    settings: Settings;
    log: Log;
    logWriter: LogWriter;
  },
): void {
  const several = settings.games.length > 1 ? { games: settings.games.join(",") } : {};
  if (settings["log-json"]) {
    log("listening", { url, ...(seed !== undefined && { seed }), ...several });
  } else logWriter.print(readyLineOf(url, { seed, games: settings.games }));
  log("settings", loggedSettings(settings));
}

/** @param options.seed lets the matches be repeated; undefined for a public server */
function readyLineOf(
  url: string,
  { seed, games }: { seed: number | undefined; games: readonly string[] },
): string {
  const hosts = games.length > 1 ? `games: ${games.join(", ")}; ` : "";
  return `Wyvern listens on ${url} (${hosts}room codes are four letters${
    seed === undefined ? "" : `; seed ${seed}`
  })`;
}

/**
 * Makes the log on standard output. A stuck reader, or a full disk, costs lines and nothing else.
 */
export function logWriterOf(settings: Settings): LogWriter {
  return new LogWriter({
    write: (bytes) => Deno.stdout.write(bytes),
    linesMax: settings["log-lines"],
    format: settings["log-json"] ? formatJsonLine : formatLine,
    time: () => isoTime(),
    wait,
  });
}
