/**
 * Reads what a running server and its operating system report about it. Linux only, because it
 * reads `/proc`.
 */

/** The server's metrics as text. @param url http://… of the server */
export async function metricsOf(url: string): Promise<string> {
  return await (await fetch(`${url}metrics`)).text();
}

/** @param name a sample's name with its labels @returns its value; NaN if it is missing */
export function sampleOf(metrics: string, name: string): number {
  const line = metrics.split("\n").find((line) => line.startsWith(`${name} `));
  return line === undefined ? NaN : Number(line.slice(name.length));
}

/**
 * The sum of a metric's samples over a server's processes.
 * @param label one that each sample must carry; by default none
 */
export function sumOf(metrics: string, name: string, label = ""): number {
  const lines = metrics.split("\n").filter((line) =>
    /^[ {]/.test(line.slice(name.length)) && line.startsWith(name)
  );
  const values = lines.filter((line) => line.includes(label)).map((line) =>
    Number(line.slice(line.lastIndexOf(" ")))
  );
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0);
}

/**
 * CPU time of all threads, ms: the sum of the first field (ns) of each thread's `schedstat`. The
 * `stat` of the process rounds to hundredths of a second.
 */
export async function cpuMsOf(pid: number): Promise<number> {
  let ns = 0;
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    ns += Number((await Deno.readTextFile(`/proc/${pid}/task/${name}/schedstat`)).split(" ")[0]);
  }
  return ns / 1e6;
}

/** How much memory a process keeps resident, MB. */
export async function residentMbOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(/^VmRSS:\s+(\d+) kB/m)![1]) / 1024;
}

/** How many files and sockets a process keeps open. */
export async function descriptorsOf(pid: number): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
}
