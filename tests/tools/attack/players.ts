/** The honest players' thread, as the attackers' thread sees it. */

export type PlayersRequest =
  | {
    readonly type: "start";
    readonly url: string;
    readonly count: number;
    readonly sessions: number;
    readonly seed: number;
  }
  | { readonly type: "read" | "sync" | "stop" }
  | { readonly type: "newcomer"; readonly url: string };

/** What the players have felt since they joined. */
export interface PlayersReading {
  /** The close codes of the links that were closed. */
  readonly closes: readonly number[];
  readonly desyncs: number;
  readonly gaps: number;
  /** How many commands they sent, and how many of these the server did not take in time. */
  readonly commandsSent: number;
  readonly commandsLate: number;
  readonly seats: readonly number[];
}

/** How a newcomer came in: how long it took until they played, or the code that refused them. */
export interface Entry {
  readonly ms: number;
  /** 0 if they play. */
  readonly closeCode: number;
  readonly closeReason: string;
}

export type PlayersAnswer = PlayersReading | Entry;

/** Longer than any join takes, so that an answer that never comes is an error. */
const ANSWER_SECONDS_MAX = 60;

export class Players {
  readonly #worker = new Worker(new URL("./players_worker.ts", import.meta.url), {
    type: "module",
  });
  readonly #waiting = new Map<number, (answer: PlayersAnswer) => void>();
  #asked = 0;

  /**
   * @param url the server's
   * @param options.sessions how many of them play by WebTransport; the others use WebSocket
   * @returns when all of them play
   */
  static async start(
    url: string,
    { count, sessions, seed }: { count: number; sessions: number; seed: number },
  ): Promise<Players> {
    const players = new Players();
    players.#worker.onmessage = ({ data: { id, answer } }) => players.#waiting.get(id)?.(answer);
    await players.#ask({ type: "start", url, count, sessions, seed });
    return players;
  }

  read(): Promise<PlayersReading> {
    return this.#ask({ type: "read" }) as Promise<PlayersReading>;
  }

  /** @returns when all of them are in sync and have received five more ticks, or are closed */
  sync(): Promise<PlayersReading> {
    return this.#ask({ type: "sync" }) as Promise<PlayersReading>;
  }

  /** Lets a newcomer join a room of their own, play and leave. */
  newcomer(url: string): Promise<Entry> {
    return this.#ask({ type: "newcomer", url }) as Promise<Entry>;
  }

  async stop(): Promise<void> {
    await this.#ask({ type: "stop" });
    this.#worker.terminate();
  }

  #ask(request: PlayersRequest): Promise<PlayersAnswer> {
    const id = this.#asked++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer of the players to "${request.type}"`)),
        ANSWER_SECONDS_MAX * 1000,
      );
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      });
      this.#worker.postMessage({ id, request });
    });
  }
}
