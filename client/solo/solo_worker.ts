/**
 * The worker in which a page's own match runs: the server's own `Match`, with NPCs and with players
 * from this page or from others. It needs no network.
 */
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { LoggedPlayer } from "../../shared/netcode/match_log/records.ts";
import type { MatchState } from "../../server/match/match_options.ts";
import { KeptLogRecorder } from "./kept_log.ts";
import { MemoryLog } from "./memory_log.ts";
import { PacedClock } from "./paced_clock.ts";
import { PageMatch } from "./page_match.ts";
import { PortLink } from "./port_link.ts";

/** How a match begins. */
export interface BegunMatch {
  /** Four letters A–Z; empty for a practice match. */
  readonly room: string;
  readonly npcs: number;
  readonly choices: readonly number[];
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** Whether NPCs keep the seats of players who do not return. */
  readonly keepsSeats: boolean;
  /** Whether the page hears of each tick. */
  readonly reports: boolean;
  /** The state from which it goes on; without it the match is new. */
  readonly from?: MatchState<unknown> | undefined;
}

/** What the page asks of its worker. The match ends with the worker. */
export type WorkerRequest =
  | { readonly type: "begin" } & BegunMatch
  | {
    readonly type: "admit";
    readonly port: MessagePort;
    /** The token of the client's seat; undefined for one of the match's own. */
    readonly token: string | undefined;
    readonly ordered: boolean;
  }
  | { readonly type: "pace"; readonly pace: number }
  | {
    readonly type: "log";
    /** Gets the bytes of the match's log. */
    readonly port: MessagePort;
  };

/** What the worker says after each tick, if it is asked to. */
export interface WorkerReport {
  readonly tick: number;
  /** Who has a seat, if that has changed. */
  readonly players: readonly LoggedPlayer[] | undefined;
}

/** The part of a worker's global scope that is used here: the compiler has only the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(report: WorkerReport): void;
}

/** How long the worker may sleep, ms: so a slower pace soon counts. */
const SLEEP_MS_MAX = 50;

/** Runs the match that the page asks for. An entry of the build calls it with its game. */
export function runSoloWorker<Command>(game: Game<Command>): void {
  const scope = globalThis as unknown as WorkerScope;
  const clock = new PacedClock(performance);
  let match: PageMatch<Command> | undefined;
  const log = new MemoryLog();

  scope.onmessage = ({ data }) => {
    switch (data.type) {
      case "begin": {
        const { from, reports, room, ...begun } = data;
        const { npcs, seed, choices } = begun;
        const report = new Reporter(scope);
        const recorder = new KeptLogRecorder(game.command, {
          log,
          header: {
            gameId: game.id,
            rules: builtRulesOf(game.id),
            room,
            npcs,
            seed,
            choices,
            key: undefined,
            startedAt: Math.floor(Date.now() / 1000),
            isOrdered: false,
          },
          tickHz: game.tickHz,
          deflate: undefined,
        });
        recorder.begin();
        match = new PageMatch(game, {
          ...begun,
          clock,
          recorder,
          ...from !== undefined && { from: from as MatchState<Command> },
          ...reports && { onTick: () => report.tick(match!) },
        });
        return keepRunning(match, clock);
      }
      case "admit":
        return match!.admit(new PortLink(data.port, data), data);
      case "pace":
        clock.pace = data.pace;
        return;
      case "log": {
        const bytes = log.copy();
        data.port.postMessage(bytes, [bytes.buffer]);
      }
    }
  };
}

/** Tells the page of each tick, and of the players when they change. */
class Reporter {
  readonly #scope: WorkerScope;
  #last = "";

  constructor(scope: WorkerScope) {
    this.#scope = scope;
  }

  tick<Command>({ match }: PageMatch<Command>): void {
    const players = match.loggedPlayers.map(({ seat, tokenHashes, identity, entersAt }) => ({
      seat,
      tokenHashes,
      identity,
      entersAt,
    }));
    const text = JSON.stringify(players);
    this.#scope.postMessage({
      tick: match.tick,
      players: text === this.#last ? undefined : players,
    });
    this.#last = text;
  }
}

function keepRunning<Command>(match: PageMatch<Command>, clock: PacedClock): void {
  match.advance();
  const waitMs = clock.realMs(match.nextDueMs) - performance.now();
  setTimeout(() => keepRunning(match, clock), Math.min(SLEEP_MS_MAX, Math.max(0, waitMs)));
}
