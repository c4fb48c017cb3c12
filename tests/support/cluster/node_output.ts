/** What a node, or the gateway of several, has printed about its processes and matches. */

/** The line of the log with which a process joins the others. */
export const NODE_LINE =
  /^(\S+) \w+ node (?:worker=(\d+) )?node=([0-9a-f]{16}) url=http:\/\/[^:]+:(\d+)/;

/** The operating system's number of a gateway's process. @throws Error if it has started none */
export function pidOf(output: string, worker: number): number {
  const started = output.matchAll(new RegExp(`worker_started worker=${worker} pid=(\\d+)`, "g"));
  const pid = [...started].at(-1)?.[1];
  if (pid === undefined) throw new Error(`no process ${worker} was started:\n${output}`);
  return Number(pid);
}

/** The number of the newest process that players reach at a port. @throws Error if there is none */
export function workerAt(output: string, port: number): number {
  const joined = output.split("\n").map((line) => NODE_LINE.exec(line));
  const worker = joined.findLast((line) => Number(line?.[4]) === port)?.[2];
  if (worker === undefined) throw new Error(`no process has port ${port}:\n${output}`);
  return Number(worker);
}

/** Lines about a match that is damaged, or that the program contradicts. There should be none. */
export function brokenLinesIn(output: string): string[] {
  return output.match(
    /.*(match_set_aside|match_not_read|room_failed|tick_failed|stray_error|check_failed).*/g,
  ) ?? [];
}
