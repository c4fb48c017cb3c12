/** What is killed: a whole server, or the match process that runs the bots' room. */
import { HonestBot } from "../../support/honest_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

/** A return after a kill. */
export interface Return {
  /** From the start of a new process until the room is open. */
  readonly openMs: number;
  /** The tick at which the match goes on; undefined if it was not resumed. */
  readonly tick: number | undefined;
}

/** A server that continues its match after each kill. */
export interface Victim {
  readonly url: string;
  /** Finds what is to be killed. Call it when the bots play. */
  begin(): Promise<void>;
  /** @returns when the process has ended */
  kill(): Promise<void>;
  /** Waits for the next process. */
  returned(): Promise<Return>;
  /** How often players at other processes were disturbed: closes, gaps and desyncs. */
  disturbed(): number;
  /** Ends everything. */
  end(): Promise<void>;
}

/** A single-process server, which its supervisor restarts. */
export async function startServer(room: string, flags: readonly string[]): Promise<Victim> {
  const server = await ServerProcess.start(...flags);
  let kills = 0;
  return {
    url: server.url,
    begin: () => Promise.resolve(),
    async kill() {
      kills++;
      Deno.kill(server.pid, "SIGKILL");
      await server.waitForNth(/ server_started /g, kills);
    },
    async returned() {
      const startMs = performance.now();
      // The first server had nothing to resume.
      await server.waitForNth(/^Wyvern listens on /gm, kills + 1);
      const resumed = [
        ...server.stdout.matchAll(new RegExp(`match_resumed .*room=${room} tick=(\\d+)`, "g")),
      ];
      return { openMs: performance.now() - startMs, tick: tickOf(resumed[kills - 1] ?? null) };
    },
    disturbed: () => 0,
    end: async () => void await server.stop("SIGKILL"),
  };
}

/** A server with several match processes, and a player at another one of them from `begin` on. */
export async function startWorkers(
  room: string,
  { flags, workers }: { flags: readonly string[]; workers: number },
): Promise<Victim> {
  const server = await WorkerServer.start(...flags, "--workers", String(workers));
  const neighbours: HonestBot[] = [];
  let kills = 0;
  let home = 0;
  return {
    url: server.server.url,
    async begin() {
      home = await server.workerOf(room);
      for (let i = 0; neighbours.length === 0; i++) {
        const code = `NEI${String.fromCharCode(65 + i)}`;
        const bot = await server.play(code, { seed: i });
        if (await server.workerOf(code) !== home) neighbours.push(bot);
        else bot.stop();
      }
    },
    async kill() {
      kills++;
      Deno.kill(server.pidOf(home), "SIGKILL");
      // The first start did not follow a kill.
      await server.server.waitForNth(new RegExp(`worker_started worker=${home} `, "g"), kills + 1);
    },
    async returned() {
      const startMs = performance.now();
      const line = `match_resumed worker=${home} .*room=${room} tick=(\\d+)`;
      await server.server.waitForNth(
        new RegExp(`match_process_ready worker=${home} `, "g"),
        kills + 1,
      );
      const resumed = [...server.server.stdout.matchAll(new RegExp(line, "g"))];
      return { openMs: performance.now() - startMs, tick: tickOf(resumed[kills - 1] ?? null) };
    },
    disturbed: () =>
      neighbours.reduce((sum, { gaps, session: { phase, stats } }) => (
        sum + gaps + stats.desyncs + (phase === "playing" ? 0 : 1)
      ), 0),
    async end() {
      for (const bot of neighbours) bot.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

function tickOf(match: RegExpMatchArray | null): number | undefined {
  return match === null ? undefined : Number(match[1]);
}
