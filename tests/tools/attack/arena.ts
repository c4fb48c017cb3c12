/**
 * A live server with honest players on it. The ticks' lateness was measured while it was not under
 * attack.
 */
import { Players } from "./players.ts";
import { LiveCluster } from "./live_cluster.ts";
import { LiveServer, type ServerSetup } from "./live_server.ts";
import { Target } from "./target.ts";

const PLAYERS = 4;
/** How many of them play by WebTransport, where the server offers it. */
const SESSIONS = 2;

const TICK_MS = 50;
/** A new process compiles its functions while the first ticks run. */
const WARM_UP_MS = 1_500;

export interface ArenaOptions {
  /** Seeds all that happens by chance. */
  readonly seed: number;
  /** Server flags, which override those of a setup. */
  readonly flags: readonly string[];
  /**
   * How many ticks the quiet time lasts, and an attack at least. With a hundred, the p99 is the
   * second worst of them.
   */
  readonly ticks: number;
  /** Whether times are shown but do not fail an attack, for a machine that does other work. */
  readonly isUntimed?: boolean;
}

export class Arena implements AsyncDisposable {
  readonly setup: ServerSetup;
  readonly target: Target;
  /** The p99 of the ticks' lateness in the quiet time, ms. */
  readonly quietLatenessMs: number;
  /** The server, or all nodes and servers in a cluster. */
  readonly #attacked: AsyncDisposable;

  private constructor(
    setup: ServerSetup,
    { target, quietLatenessMs, attacked }: {
      target: Target;
      quietLatenessMs: number;
      attacked: AsyncDisposable;
    },
  ) {
    this.setup = setup;
    this.target = target;
    this.quietLatenessMs = quietLatenessMs;
    this.#attacked = attacked;
  }

  static async open(
    setup: ServerSetup,
    { seed, flags, ticks, isUntimed = false }: ArenaOptions,
  ): Promise<Arena> {
    const flagged = { ...setup, flags: [...setup.flags ?? [], ...flags] };
    const cluster = setup.isCluster ? await LiveCluster.start(flagged) : undefined;
    const server = cluster?.nodes[0] ?? await LiveServer.start(flagged);
    const attacked = cluster ?? server;

    try {
      const players = await Players.start(server.url, {
        count: PLAYERS,
        seed,
        sessions: setup.hasDatagrams ? SESSIONS : 0,
      });
      await wait(WARM_UP_MS);
      // The first newcomer's room compiles what a join needs.
      await players.newcomer(server.url);
      const before = await server.figures();
      await wait(ticks * TICK_MS);
      const quietLatenessMs = (await server.figures()).latenessP99Ms(before);
      const target = new Target(server, { players, isUntimed, cluster });
      return new Arena(setup, { target, quietLatenessMs, attacked });
    } catch (error) {
      await attacked[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { target } = this;
    target.release();
    await target.players.stop().catch(() => {});
    await this.#attacked[Symbol.asyncDispose]();
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
