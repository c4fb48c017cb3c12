import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { ResultsReader } from "../../../../server/results/shared/results_reader.ts";
import type { StreamMessage } from "../../../../server/match_log/nats/stream_requests.ts";
import {
  encodeResult,
  type ResultMessage,
  resultSubjectOf,
} from "../../../../server/results/result_message.ts";
import { Results } from "../../../../server/results/results.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";

const OF_MATCH = {
  match: "20261125T120000-CROW-0123abcd",
  game: "dragons",
  room: "CROW",
  at: 1_700_000_000,
};
/** Whom the table of the best counts. */
const WREN = { account: "a".repeat(32), name: "Wren" };
const scores = [
  { seat: 0, name: "Wren", score: 5, player: WREN },
  { seat: 1, name: "Rook", score: 3 },
];
const roundOf = (round: number): ResultMessage => (
  { ...OF_MATCH, kind: "round", round: { round, tick: 100 * round, scores } }
);
const END: ResultMessage = {
  ...OF_MATCH,
  kind: "end",
  reason: "empty",
  log: { startedAt: 1_699_999_000, ticks: 900, players: 2, hash: "ab".repeat(32) },
};

/** A stream in memory, whose servers answer or do not. */
class ModelStream {
  readonly messages: StreamMessage[] = [];
  name: string | undefined = "made once";
  isAway = false;
  reads = 0;

  add(message: ResultMessage | string): void {
    const sequence = this.messages.length + 1;
    this.messages.push(
      typeof message === "string"
        ? { subject: "result.x", sequence, bytes: new TextEncoder().encode(message) }
        : { subject: resultSubjectOf(message), sequence, bytes: encodeResult(message) },
    );
  }

  after(sequence: number, count: number): Promise<StreamMessage[] | undefined> {
    this.reads++;
    const all = this.messages.filter((each) => each.sequence > sequence).slice(0, count);
    return Promise.resolve(this.isAway ? undefined : all);
  }

  identity(): Promise<string | undefined> {
    return Promise.resolve(this.name);
  }
}

/** A node's file and its reader, until the reader has nothing more to do. */
async function read(stream: ModelStream, folder: string, isLocked = false) {
  const advertised: string[] = [];
  const log = (event: string) => void advertised.push(event);
  const waits: number[] = [];
  const results = Results.open({
    folder,
    unixClock: { now: () => 0 },
    wait: () => Promise.resolve(),
    log,
  })!;
  const reader: ResultsReader = new ResultsReader({
    stream,
    results,
    log,
    wait: (ms) => {
      waits.push(ms);
      if (ms > 0) reader.close();
      return Promise.resolve();
    },
  });
  const other = new DatabaseSync(`${folder}/results.sqlite`);
  if (isLocked) other.exec("BEGIN IMMEDIATE");
  await reader.run();
  other.close();
  const rounds = results.rounds(undefined, 100).map(({ round }) => round);
  const [best] = results.best("dragons", 1);
  const found = {
    rounds,
    wins: best?.wins ?? 0,
    ends: results.logs(undefined, 9).length,
    rules: results.logs(undefined, 9).map(({ gameId }) => gameId),
    advertised,
    waits,
  };
  results.close();
  return { ...found, refused: reader.refused };
}

Deno.test("ResultsReader: each result counts once, in the stream's order, from where a process left off (SPEC 17.180)", async () => {
  using data = await TemporaryData.make();
  const stream = new ModelStream();
  for (let round = 1; round <= 150; round++) stream.add(roundOf(round));
  const first = await read(stream, data.folder);
  assertEquals([first.rounds.length, first.rounds[0], first.wins, stream.reads], [
    100,
    150,
    150,
    4,
  ]);

  // A second report of a round, as a stream would never have it, and the end of the match.
  stream.add(roundOf(150));
  stream.add(END);
  stream.add(END);
  stream.reads = 0;
  const second = await read(stream, data.folder);
  assertEquals([second.wins, second.ends, stream.reads], [150, 1, 2]);
  stream.reads = 0;
  assertEquals([(await read(stream, data.folder)).wins, stream.reads], [150, 1]);

  // A stream that was made anew is read from its begin, and what the file has stays.
  const anew = new ModelStream();
  anew.name = "made anew";
  anew.add(roundOf(1));
  anew.add(roundOf(151));
  const third = await read(anew, data.folder);
  assertEquals([third.wins, third.rounds[0]], [151, 151]);
});

Deno.test("ResultsReader: a listed match has its rules, also in a file of an earlier version (SPEC 17.182)", async () => {
  using data = await TemporaryData.make();
  const stream = new ModelStream();
  stream.add(END);
  const before = await read(stream, data.folder);
  const file = new DatabaseSync(`${data.folder}/results.sqlite`);
  file.exec("ALTER TABLE logs DROP COLUMN game_id");
  file.close();

  // The rules of a match that is not listed name nothing
  stream.add({ ...OF_MATCH, kind: "rules", gameId: "dragons-9" });
  const match = "20261125T130000-CROW-0123abcd";
  stream.add({ ...OF_MATCH, match, kind: "rules", gameId: "dragons-8" });
  const after = await read(stream, data.folder);
  assertEquals([before.rules, after.rules, after.refused], [[null], ["dragons-9"], 0]);
});

Deno.test("ResultsReader: messages that are none are counted and skipped (SPEC 17.181)", async () => {
  using data = await TemporaryData.make();
  const stream = new ModelStream();
  stream.add("no result");
  stream.add(roundOf(1));
  stream.add(JSON.stringify({ v: 1, ...roundOf(2) }));
  stream.add(roundOf(3));
  const { rounds, refused, advertised } = await read(stream, data.folder);
  assertEquals([rounds, refused, advertised], [[3, 1], 2, ["result_refused", "result_refused"]]);
  assertEquals((await read(stream, data.folder)).refused, 0, "they are looked at once");
});

Deno.test("ResultsReader: servers that are away and a file that is locked cost time, not results (SPEC 17.180)", async () => {
  using data = await TemporaryData.make();
  const stream = new ModelStream();
  stream.add(roundOf(1));
  stream.isAway = true;
  assertEquals((await read(stream, data.folder)).waits, [1_000]);
  stream.isAway = false;
  stream.name = undefined;
  assertEquals((await read(stream, data.folder)).waits, [1_000]);
  stream.name = "made once";
  const { waits, rounds } = await read(stream, data.folder, true);
  assertEquals([waits, rounds], [[1_000], []]);
  assertEquals((await read(stream, data.folder)).rounds, [1]);
});
