/**
 * A node that hosts the counter game in rounds, and a player who comes back by themselves when it
 * is gone.
 */
import { pathToFileURL } from "node:url";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import type { Servers } from "../../../client/net/servers.ts";
import { Session } from "../../../client/session/session.ts";
import type { MatchListing } from "../../../server/match_log/match_archive.ts";
import type { StoredMatch, StoredRound } from "../../../server/results/results_file.ts";
import type { CounterCommand, CounterSimulation } from "../../tools/lab/counter_game.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";
import { roundsGame } from "../../tools/lab/results/rounds_game.ts";
import type { NatsServers } from "../nats/nats_servers.ts";
import { ServerProcess } from "../servers/server_process.ts";

const SCRIPT = new URL("../../server/stop/rounds_server.ts", import.meta.url);
const SECRET = "a secret of all nodes of this test alone";
const FRAME_MS = 16;
const AGAIN_MS = 100;
/** A wait that takes longer has failed, ms. */
const PATIENCE_MS = 30_000;
const clock = { now: () => performance.now() };

/** A node's answers about all matches. */
export interface NodeAnswers {
  readonly results: readonly StoredRound[];
  readonly matches: readonly StoredMatch[];
  readonly over: readonly MatchListing[];
}

export interface NodeFolders {
  readonly data: string;
  readonly archive: string;
}

export class ResultsNode implements AsyncDisposable {
  readonly #process: ServerProcess;
  /** The origin. */
  readonly url: string;

  private constructor(process: ServerProcess) {
    this.#process = process;
    this.url = new URL(process.url).origin;
    // From now on all output is read as it comes.
    void process.waitForOutput(/$^/);
  }

  static async start(servers: NatsServers, { data, archive }: NodeFolders): Promise<ResultsNode> {
    const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
    try {
      await Deno.mkdir(`${folder}/counter`);
      await Deno.writeTextFile(`${folder}/counter/index.html`, "<!DOCTYPE html>");
      await Deno.writeTextFile(`${folder}/secret`, SECRET);
      const flags = [
        "--npcs",
        "0",
        "--data",
        data,
        "--archive",
        archive,
        "--secret-file",
        `${folder}/secret`,
      ];
      const cluster = ["--cluster", servers.urls];
      const process = await ServerProcess.startScript(
        SCRIPT,
        pathToFileURL(`${folder}/`).href,
        ...flags,
        ...cluster,
      );
      await process.waitForOutput(/ node node=[0-9a-f]{16}/);
      return new ResultsNode(process);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }

  get stdout(): string {
    return this.#process.stdout;
  }

  async answers(): Promise<NodeAnswers> {
    const get = async (path: string) => await (await fetch(`${this.url}${path}`)).json();
    const [{ results }, { matches }, { matches: over }] = await Promise.all([
      get("/api/results?limit=100"),
      get("/api/results/matches"),
      get("/api/matches"),
    ]);
    return { results, matches, over };
  }

  async log(id: string): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
    const answer = await fetch(`${this.url}/api/matches/${id}/log`);
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  async stop(signal: Deno.Signal): Promise<void> {
    await this.#process.stop(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }
}

/** Plays in room CROW. */
export class RoundsPlayer implements Disposable {
  readonly #servers: Servers;
  readonly #name: string;
  readonly #timer: ReturnType<typeof setInterval>;
  #resume: string | undefined;
  #againAtMs = 0;
  session: Session<CounterCommand, CounterSimulation>;

  constructor(servers: Servers, name: string) {
    this.#servers = servers;
    this.#name = name;
    this.session = this.#join();
    this.#timer = setInterval(() => this.#advance(), FRAME_MS);
  }

  /** The newest definitive tick; −1 while it does not play. */
  get tick(): number {
    return this.session.phase === "playing" ? this.session.definitiveTick : -1;
  }

  #join() {
    const commandSource = new RandomCounterControls(this.#name.length);
    const name = this.#name;
    const room = "CROW";
    const request = { gameId: roundsGame.id, room, name, spectate: false, resume: this.#resume };
    const link = openNodeWebSocketLink(joinedSocketUrl(this.#servers, request));
    return new Session({
      game: roundsGame,
      clock,
      room,
      name,
      resume: this.#resume,
      commandSource,
      link,
    });
  }

  #advance(): void {
    this.session.advance();
    this.#resume = this.session.resume ?? this.#resume;
    if (this.session.phase !== "closed") return void (this.#againAtMs = 0);
    if (this.#againAtMs === 0) this.#againAtMs = clock.now() + AGAIN_MS;
    if (clock.now() < this.#againAtMs) return;
    this.#againAtMs = 0;
    this.session = this.#join();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }
}

/** Waits for a condition. @throws Error with the last value if it takes too long */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
  what: string,
): Promise<Value> {
  let value = await read();
  for (const endMs = clock.now() + PATIENCE_MS; !holds(value); value = await read()) {
    if (clock.now() > endMs) {
      throw new Error(`not after ${PATIENCE_MS} ms: ${what}: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
  }
  return value;
}
