/**
 * The rounds' results in the lab: whenever the server is killed, each round is stored once, as it
 * was played.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { type RoundOver, RoundWatch } from "../../../../server/match/round_watch.ts";
import type { ResultMatch, ResultSink } from "../../../../server/match/result_sink.ts";
import { ResultsFile } from "../../../../server/results/results_file.ts";
import type { MatchReplay } from "../../../../shared/netcode/match_log/replay.ts";
import { replayedLog } from "../../../../shared/netcode/match_log/replayed_log.ts";
import { Random } from "../../../../shared/random.ts";
import { MemoryLogs } from "../../../support/logs/memory_logs.ts";
import type { CounterCommand, CounterSimulation } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { RandomCounterControls } from "../random_controls.ts";
import { roundsGame } from "./rounds_game.ts";

/** Less than the time between two rounds. */
const UNWRITTEN_MS = 900;
const NETWORK = { oneWayMs: 40, jitterMs: 15 };

/** Results that are lost with their process unless they are in the file. */
class LostQueue implements ResultSink {
  readonly file = new ResultsFile(":memory:");
  #queue: (() => void)[] = [];

  addRound(match: ResultMatch & { readonly game: string }, round: RoundOver): void {
    this.#queue.push(() => this.file.addRound(match, round, 0));
  }

  endMatch(id: string, reason: string): void {
    this.#queue.push(() => this.file.endMatch(id, reason, 0));
  }

  flush(): void {
    this.file.transact(() => this.#queue.forEach((write) => write()));
    this.#queue = [];
  }

  kill(): void {
    this.#queue = [];
  }
}

for (const seed of [81, 82, 83]) {
  Deno.test(`results: a server that is killed at any moment leaves each round once, as it was played (SPEC 15.23) [seed ${seed}]`, () => {
    const logs = new MemoryLogs();
    const results = new LostQueue();
    const random = new Random(seed);
    const lab = new Lab({ game: roundsGame, seed, npcs: 0, logs, results });
    const controls = [1, 2, 3].map((n) => new RandomCounterControls(seed * 10 + n));
    const join = (i: number, resume?: string) =>
      lab.join(`rider ${i}`, {
        commandSource: controls[i]!,
        network: NETWORK,
        ...(resume !== undefined && { resume }),
      });
    let players = controls.map((_, i) => join(i));
    let unwritten = 0;

    for (let kill = 0; kill < 20; kill++) {
      lab.run(2 + random.below(40) / 10);
      results.flush();
      // The newest results are not in the file yet: a hundred times as long as a server takes.
      lab.run(random.below(UNWRITTEN_MS) / 1000);
      const before = results.file.rounds(undefined, 100).length;
      const tokens = players.map(({ session }) => session.resume);
      results.kill();
      lab.killServer(100);
      results.flush();
      if (results.file.rounds(undefined, 100).length > before) unwritten++;
      players = tokens.map((token, i) => join(i, token));
    }

    results.flush();
    assertGreater(unwritten, 0, "a resumed match wrote a round");

    const played: RoundOver[] = [];
    const watch = new RoundWatch(
      roundsGame.rounds,
      (round) => played.push(round),
    );
    const { error } = replayedLog<CounterCommand>(logs.all[0]!.bytes, {
      gameOf: () => roundsGame,
      onTick: (replay) => watch.observe(replay as MatchReplay<CounterCommand, CounterSimulation>),
    });
    assertEquals(error, undefined);
    assertGreater(played.length, 5);
    const written = results.file.rounds(undefined, 100).toReversed();
    assertEquals(
      written.map(({ round, scores }) => ({ round, scores })),
      played.map(({ round, scores }) => ({ round, scores })),
    );
    const [{ wins } = { wins: {} as Readonly<Record<string, number>> }] = results.file.matches(
      undefined,
      1,
    );
    for (const { session } of players) {
      const name = session.names.get(session.seat)!;
      assertEquals(wins[name] ?? 0, written.filter(({ winners }) => winners.includes(name)).length);
    }
  });
}
