import { assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { Results } from "../../../server/results/results.ts";
import { resultsAnswer } from "../../../server/results/results_api.ts";
import { isDamage, ResultsFile } from "../../../server/results/results_file.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const MATCH = { id: "m1", room: "CROW", game: "dragons" };
/** A player who has typed a name counts under the account of their device. */
const typed = (seat: number, name: string, score: number, device = name) => ({
  seat,
  name,
  score,
  player: { account: `of ${device}`, name },
});
const roundOf = (round: number, wren: number, rook: number) => (
  {
    round,
    tick: 100 * round,
    scores: [
      typed(0, "Wren", wren),
      typed(1, "Rook", rook),
      { seat: 16, name: "Hunter 1", score: 1 },
    ],
  }
);

/** Results whose writes wait until the test lets time pass. */
function open(folder: string) {
  const said: string[] = [];
  let pass = () => {};
  const options = {
    folder,
    unixClock: { now: () => 1_700_000_000_000 },
    wait: () => new Promise<void>((resolve) => pass = resolve),
    log: (event: string) => void said.push(event),
  };
  const passTime = async () => {
    pass();
    await new Promise<void>((resolve) => setTimeout(resolve));
  };
  return { results: Results.open(options), said, passTime };
}

Deno.test("ResultsFile: a round counts once, however often it comes; wins add up by match and by name (SPEC 15.23)", () => {
  const file = new ResultsFile(":memory:");
  file.transact(() => {
    file.addRound(MATCH, roundOf(1, 5, 3), 1_000);
    file.addRound(MATCH, roundOf(2, 2, 9), 1_090);
  });
  file.transact(() => {
    file.addRound(MATCH, roundOf(2, 8, 0), 2_000);
    file.addRound(MATCH, roundOf(3, 4, 1), 2_100);
    file.addRound({ ...MATCH, id: "m2", game: "puck" }, roundOf(1, 0, 1), 2_200);
    file.endMatch("m1", "empty", 2_300);
    file.endMatch("m1", "failed", 2_400);
  });
  assertEquals(
    file.best("dragons", 10),
    [
      { name: "Wren", wins: 2, rounds: 3, best: 5 },
      { name: "Rook", wins: 1, rounds: 3, best: 9 },
    ].map((each) => Object.assign(Object.create(null), each)),
  );
  assertEquals(
    file.rounds("dragons", 10).map(({ round, winners, endedAt }) => [round, winners, endedAt]),
    [
      [3, ["Wren"], 2_100],
      [2, ["Rook"], 1_090],
      [1, ["Wren"], 1_000],
    ],
  );
  assertEquals(file.rounds(undefined, 1).map(({ game, match }) => [game, match]), [["puck", "m2"]]);
  assertEquals(file.matches("dragons", 10), [
    {
      match: "m1",
      game: "dragons",
      room: "CROW",
      rounds: 3,
      wins: { Wren: 2, Rook: 1 },
      endedAt: 2_300,
      endReason: "empty",
    },
  ]);
  file.transact(() => file.endOthers([]));
  assertEquals(file.matches("puck", 1).map(({ endedAt, endReason }) => [endedAt, endReason]), [[
    2_200,
    "unknown",
  ]]);
  file.close();
});

Deno.test("ResultsFile: an NPC's win has its name, and a draw names who drew (SPEC 25.12)", () => {
  const file = new ResultsFile(":memory:");
  const round = (number: number, wren: number, hunter: number) => ({
    round: number,
    tick: 1,
    scores: [
      typed(0, "Wren", wren),
      typed(1, "Rook", 0),
      { seat: 16, name: "Hunter 1", score: hunter },
    ],
  });
  file.transact(() => {
    file.addRound(MATCH, round(1, 4, 25), 1);
    file.addRound(MATCH, round(2, 4, 4), 2);
    file.addRound(MATCH, round(3, 0, 0), 3);
  });
  assertEquals(
    file.rounds("dragons", 3).map(({ winners, drew }) => ({ winners, drew })).reverse(),
    [
      { winners: ["Hunter 1"], drew: [] },
      { winners: [], drew: ["Wren", "Hunter 1"] },
      { winners: [], drew: [] },
    ],
  );
  assertEquals(file.matches("dragons", 1)[0]!.wins, { "Hunter 1": 1 });
  assertEquals(file.best("dragons", 9).map(({ name, wins, rounds }) => [name, wins, rounds]), [
    ["Wren", 0, 3],
    ["Rook", 0, 3],
  ]);

  // What rows say is public, and an account is nobody's business.
  assertEquals(JSON.stringify(file.rounds("dragons", 3)).includes("account"), false);
  file.close();
});

Deno.test("ResultsFile: all of the best team have won (SPEC 25.12)", () => {
  const file = new ResultsFile(":memory:");
  const of = (seat: number, name: string, team: string, score: number) => ({
    ...typed(seat, name, score),
    team,
  });
  const scores = [of(0, "Ash", "blue", 3), of(1, "Wren", "orange", 2), of(2, "Rook", "blue", 3)];
  file.transact(() => file.addRound(MATCH, { round: 1, tick: 1, scores }, 1));
  const [row] = file.rounds("dragons", 1);
  assertEquals([row!.winners, row!.drew], [["Ash", "Rook"], []]);
  file.close();
});

Deno.test("ResultsFile: the best are names on devices; drawn names and lonely rounds do not count (SPEC 25.14)", () => {
  const file = new ResultsFile(":memory:");
  const drawn = { seat: 2, name: "Gale", score: 30 };
  const scores = [typed(0, "Wren", 5, "laptop"), typed(1, "Wren", 3, "phone"), drawn];
  file.transact(() => {
    file.addRound(MATCH, { round: 1, tick: 1, scores }, 1);
    const lonely = [typed(0, "Wren", 9, "laptop"), { seat: 16, name: "Hunter 1", score: 1 }];
    file.addRound(MATCH, { round: 2, tick: 2, scores: lonely }, 2);
  });
  assertEquals(
    file.best("dragons", 9).map(({ name, wins, rounds, best }) => [name, wins, rounds, best]),
    [["Wren", 0, 1, 5], ["Wren", 0, 1, 3]],
  );
  file.close();
});

Deno.test("ResultsFile: a transaction that fails leaves nothing behind (SPEC 15.23)", () => {
  const file = new ResultsFile(":memory:");
  try {
    file.transact(() => {
      file.addRound(MATCH, roundOf(1, 5, 3), 1_000);
      throw new Error("planted");
    });
  } catch (error) {
    assertEquals((error as Error).message, "planted");
  }
  assertEquals([file.rounds(undefined, 9), file.best("dragons", 9)], [[], []]);
  file.close();
});

Deno.test("Results: written between two ticks; a file that is locked costs time, not results; a closed one has all (SPEC 15.23)", async () => {
  using data = await TemporaryData.make();
  const { results, said, passTime } = open(data.folder);
  results.addRound(MATCH, roundOf(1, 5, 3));
  assertEquals(results.rounds(undefined, 9), [], "nothing is written within a tick");
  await passTime();
  assertEquals(results.rounds(undefined, 9).length, 1);

  const other = new DatabaseSync(`${data.folder}/results.sqlite`);
  other.exec("BEGIN IMMEDIATE");
  results.addRound(MATCH, roundOf(2, 5, 3));
  await passTime();
  await passTime();
  assertEquals([results.failures, results.lost, said], [2, 0, ["results_failed"]]);
  other.exec("COMMIT");
  other.close();
  await passTime();
  assertEquals([results.rounds(undefined, 9).length, results.failure], [2, ""]);

  // A match that ends writes its rounds at once, and a process that ends writes everything.
  results.addRound(MATCH, roundOf(3, 5, 3));
  results.endMatch(MATCH.id, "empty");
  assertEquals(results.rounds(undefined, 9).length, 3);
  for (let round = 4; round <= 200; round++) results.addRound(MATCH, roundOf(round, 1, 2));
  results.close();
  const { results: later } = open(data.folder);
  assertEquals([later.rounds(undefined, 300).length, later.matches(undefined, 1)[0]!.endReason], [
    200,
    "empty",
  ]);
  later.close();
});

Deno.test("Results: a file that cannot be read has no rows, and ends no request (SPEC 15.23)", async () => {
  using data = await TemporaryData.make();
  const { results, said } = open(data.folder);
  const other = new DatabaseSync(`${data.folder}/results.sqlite`);
  other.exec("DROP TABLE ranked");
  other.close();
  assertEquals([results.best("dragons", 5), results.failures, said], [[], 1, ["results_failed"]]);
  results.close();
});

Deno.test("Results: a queue that nobody writes is bounded (SPEC 15.23)", async () => {
  using data = await TemporaryData.make();
  const { results } = open(data.folder);
  for (let round = 1; round <= 2_100; round++) results.addRound(MATCH, roundOf(round, 1, 2));
  assertEquals(results.lost, 100);
  results.close();
});

Deno.test("Results: a file that is none is set aside, and another one begun (SPEC 15.23)", async () => {
  using data = await TemporaryData.make();
  data.write("results.sqlite", new TextEncoder().encode("no database, ".repeat(100)));
  const { results, said } = open(data.folder);
  assertEquals(said, ["results_set_aside"]);
  assertMatch(new TextDecoder().decode(data.read("results.sqlite.bad")), /^no database/);
  assertEquals(results.best("dragons", 5), []);
  results.close();
});

Deno.test("Results: a file that cannot be opened is opened later, keeps its rows, and is never set aside for that (SPEC 15.46)", async () => {
  using data = await TemporaryData.make();
  {
    const { results } = open(data.folder);
    results.addRound(MATCH, roundOf(1, 5, 3));
    results.close();
  }
  const other = new DatabaseSync(`${data.folder}/results.sqlite`);
  other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 1");
  const { results, said, passTime } = open(data.folder);
  assertEquals(said, ["no_results"]);
  results.addRound(MATCH, roundOf(2, 5, 3));
  await passTime();
  assertEquals([results.rounds(undefined, 9), results.placeIn("any"), results.lost], [[], 0, 0]);
  assertEquals([results.failures > 0, results.failure === ""], [true, false]);

  other.exec("COMMIT");
  other.close();
  await passTime();
  assertEquals(results.rounds(undefined, 9).map(({ round }) => round), [2, 1]);
  assertEquals([results.failure, said.at(-1), said.includes("results_set_aside")], [
    "",
    "results_recovered",
    false,
  ]);
  results.close();
});

Deno.test("isDamage: a full disk, a lock or a missing permission says nothing against a file (SPEC 15.46)", () => {
  const passing = [
    "database or disk is full",
    "disk I/O error",
    "database is locked",
    "unable to open database file: x",
  ];
  assertEquals(passing.map((text) => isDamage(new Error(text))), new Array(4).fill(false));
  const damage = [
    "file is not a database",
    "database disk image is malformed",
    "results of version 9; this is 1",
  ];
  assertEquals(damage.map((text) => isDamage(new Error(text))), new Array(3).fill(true));
});

Deno.test("resultsAnswer: unknown games and limits are refused in words (SPEC 15.24)", () => {
  const answer = (path: string, query = "", games = ["dragons", "puck"]) =>
    resultsAnswer({ results: undefined, games }, { path, query });
  assertEquals(answer(""), { value: { results: [] } });
  assertEquals(answer("/matches", "?game=puck&limit=100"), { value: { matches: [] } });
  assertEquals(answer("/best", "", ["dragons"]), { value: { players: [] } });
  assertEquals(answer("/best"), {
    status: 400,
    text: "game is needed, because several are played here.",
  });
  assertEquals(answer("", "?game=chess"), { status: 404, text: "There is no such game." });
  for (const limit of ["0", "101", "-1", "1e1", "", "9999999999"]) {
    assertEquals(answer("", `?limit=${limit}`), {
      status: 400,
      text: "limit is a whole number from 1 to 100.",
    });
  }
  assertEquals(answer("x"), undefined);
});

Deno.test("serve: results are at /api/results, and empty with --data off (SPEC 15.24)", async () => {
  using data = await TemporaryData.make();
  {
    const file = new ResultsFile(`${data.folder}/results.sqlite`);
    file.transact(() => file.addRound(MATCH, roundOf(1, 5, 3), 1_000));
    file.close();
  }
  await using server = await ServerProcess.start("--data", data.folder);
  await using without = await ServerProcess.start();
  const get = async (of: ServerProcess, path: string) =>
    await (await fetch(`${of.url}api/results${path}`)).json();
  assertEquals((await get(server, "/best?limit=1")).players, [{
    name: "Wren",
    wins: 1,
    rounds: 1,
    best: 5,
  }]);
  assertEquals((await get(server, "?game=dragons")).results[0].winners, ["Wren"]);

  // The process of its match was killed: nobody goes on with it.
  assertEquals((await get(server, "/matches")).matches[0].endReason, "unknown");
  assertEquals(await get(without, ""), { results: [] });
  const unknown = await fetch(`${server.url}api/results/worst`);
  await unknown.body?.cancel();
  assertEquals(unknown.status, 404);
});
