/**
 * Match logs stay in the folders of the processes that wrote them. After a start with a different
 * number of processes, some folders have no process. Their logs are moved to processes that exist,
 * so that no match is lost.
 */
import { type Log, messageOf } from "../ground/log.ts";

/** A folder of a match process. */
const WORKER_FOLDER = /^worker-(\d{1,3})$/;
/** A match's files. */
const MATCH_FILE = /\.(open|tried|log|bad)$/;

/** A match process's folder, below that of `--data`. */
export function workerFolder(data: string, worker: number): string {
  return `${data}/worker-${worker}`;
}

/**
 * Moves the logs of processes that no longer exist. Call it while the folder is locked, and before
 * any process starts.
 * @param data the folder of `--data`
 * @param workers the number of match processes; 0 for one process that uses the folder itself
 */
export function adoptLogs(data: string, { workers, log }: { workers: number; log: Log }): void {
  const homes = workers === 0
    ? [data]
    : Array.from({ length: workers }, (_, i) => workerFolder(data, i + 1));
  for (const home of homes) Deno.mkdirSync(home, { recursive: true });

  // One match after another, to one process after another
  let moved = 0;
  let matches = 0;
  for (const folder of orphanedFolders(data, workers)) {
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name)
      .filter((name) => MATCH_FILE.test(name));
    // All of a match's files go to the same process.
    for (const ofMatch of Map.groupBy(names, (name) => name.replace(MATCH_FILE, "")).values()) {
      const home = homes[matches++ % homes.length];
      for (const name of ofMatch) {
        try {
          Deno.renameSync(`${folder}/${name}`, `${home}/${name}`);
          moved++;
        } catch (error) {
          log("match_log_not_moved", { name, error: messageOf(error) });
        }
      }
    }
  }

  if (moved > 0) log("match_logs_moved", { files: moved });
}

function orphanedFolders(data: string, workers: number): string[] {
  const folders = [...Deno.readDirSync(data)].filter(({ isDirectory }) => isDirectory);
  const names = folders.map(({ name }) => name);
  const others = names.filter((name) => Number(WORKER_FOLDER.exec(name)?.[1] ?? 0) > workers);
  return [...workers === 0 ? [] : [data], ...others.map((name) => `${data}/${name}`)];
}
