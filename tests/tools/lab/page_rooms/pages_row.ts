/** The same players on one network profile, in a room that a page hosts and on a server. */
import type { CommandSource, Session } from "../../../../client/session/session.ts";
import type { SessionStats } from "../../../../client/session/session_stats.ts";
import {
  networkModelOf,
  type ProfileName,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { type CounterCommand, counterGame } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { RandomCounterControls } from "../random_controls.ts";
import { PageLab } from "./page_lab.ts";

/** How long the players are there before anything counts, s. */
const WARM_UP_SECONDS = 20;

export interface PagesRowOptions {
  readonly profile: ProfileName;
  readonly players: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What the players have, without the host's. */
export interface PlayedRow {
  /** The share of commands that came too late for their tick. */
  readonly lateShare: number;
  /** How long a command waits in its queue, ms. */
  readonly waitMs: number;
  readonly rollbacksPerSecond: number;
  readonly desyncs: number;
}

export interface PagesRow {
  readonly profile: ProfileName;
  readonly pages: PlayedRow;
  readonly server: PlayedRow;
}

/** Plays both. In the room of pages the first player hosts, and does not count on the server either. */
export function playOnPagesAndServer(options: PagesRowOptions): PagesRow {
  return {
    profile: options.profile,
    pages: playOnPages(options),
    server: playOnServer(options),
  };
}

function playOnPages({ profile, players, seconds, seed }: PagesRowOptions): PlayedRow {
  const network = networkModelOf(profile);
  const lab = new PageLab({ game: counterGame, seed, npcs: 0, network, stepMs: 2 });
  const pages = sourcesFor(players).map((source) => lab.addPage(source));
  lab.run(1000 * WARM_UP_SECONDS);
  const guests = pages.slice(1).map(({ session }) => session!);
  const counts = new Counts(guests);
  lab.run(1000 * seconds);
  return counts.row(seconds);
}

function playOnServer({ profile, players, seconds, seed }: PagesRowOptions): PlayedRow {
  const lab = new Lab({ game: counterGame, seed, npcs: 0 });
  const joined = sourcesFor(players).map((commandSource, i) =>
    lab.join(`player ${i}`, { commandSource, network: networkModelOf(profile), ordered: false })
  );
  lab.run(WARM_UP_SECONDS);
  const counts = new Counts(joined.slice(1).map(({ session }) => session));
  lab.run(seconds);
  return counts.row(seconds);
}

function sourcesFor(players: number): CommandSource<CounterCommand>[] {
  return Array.from({ length: players }, (_, i) => new RandomCounterControls(i));
}

/** Sums up what sessions have had since now. */
class Counts {
  readonly #sessions: readonly Session<CounterCommand>[];
  readonly #before: readonly SessionStats[];

  constructor(sessions: readonly Session<CounterCommand>[]) {
    this.#sessions = sessions;
    this.#before = sessions.map(({ stats }) => ({ ...stats }));
  }

  row(seconds: number): PlayedRow {
    type Count = "commandsLate" | "commandsSent" | "rollbacks" | "desyncs" | "waits" | "waitMsSum";
    const sum = (name: Count) =>
      this.#sessions.reduce(
        (total, { stats }, i) => total + stats[name] - this.#before[i]![name],
        0,
      );
    const shareOf = (part: number, whole: number) => whole === 0 ? 0 : part / whole;
    return {
      lateShare: Number(shareOf(sum("commandsLate"), sum("commandsSent")).toFixed(5)),
      waitMs: Number(shareOf(sum("waitMsSum"), sum("waits")).toFixed(1)),
      rollbacksPerSecond: Number(
        (sum("rollbacks") / seconds / this.#sessions.length).toFixed(2),
      ),
      desyncs: sum("desyncs"),
    };
  }
}
