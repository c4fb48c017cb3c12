import { assertEquals, assertThrows } from "@std/assert";
import {
  decodeResult,
  encodeResult,
  RESULT_BYTES_MAX,
  type ResultMessage,
  ResultMessageError,
  resultSubjectOf,
} from "../../../server/results/result_message.ts";
import { Random } from "../../../shared/random.ts";

const OF_MATCH = {
  match: "20261125T120000-CROW-0123abcd",
  game: "dragons",
  room: "CROW",
  at: 1_700_000_000,
};
const ROUND: ResultMessage = {
  ...OF_MATCH,
  kind: "round",
  round: {
    round: 3,
    tick: 900,
    scores: [{ seat: 0, name: "Wren ☂", score: -2 }, { seat: 31, name: "", score: 7 }],
  },
};
const LOG = { startedAt: 1_699_999_000, ticks: 900, players: 2, hash: "ab".repeat(32) };
const RULES: ResultMessage = { ...OF_MATCH, kind: "rules", gameId: "dragons-9" };
const END: ResultMessage = { ...OF_MATCH, kind: "end", reason: "empty", log: LOG };
const textOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

Deno.test("encodeResult, decodeResult: what goes in comes out, under a subject of its own (SPEC 17.180)", () => {
  for (
    const message of [
      ROUND,
      END,
      RULES,
      { ...END, log: null },
      { ...END, log: { ...LOG, hash: null } },
    ]
  ) {
    const subject = resultSubjectOf(message);
    assertEquals(decodeResult(subject, encodeResult(message)), message);
  }
  assertEquals(resultSubjectOf(ROUND), "result.20261125T120000-CROW-0123abcd.3");
  assertEquals(resultSubjectOf(END), "result.20261125T120000-CROW-0123abcd.end");
  assertEquals(resultSubjectOf(RULES), "result.20261125T120000-CROW-0123abcd.rules");
});

Deno.test("decodeResult: hostile messages are refused by a typed error (SPEC 17.181)", () => {
  const scores = (more: object) => ({
    ...ROUND,
    round: { ...ROUND.round, scores: [{ seat: 0, name: "a", score: 1, ...more }] },
  });
  const hostile: unknown[] = [
    null,
    7,
    "x",
    [],
    {},
    { ...ROUND, v: 4 },
    { ...ROUND, v: undefined },
    { ...ROUND, more: 1 },
    {
      ...ROUND,
      kind: "win",
    },
    ...["../../etc/passwd", "x", "", 7].map((match) => ({ ...ROUND, match })),
    ...["<script>", "", "a".repeat(65), "a/b"].map((game) => ({ ...ROUND, game })),
    ...["crow", "CROWS", "*", ">"].map((room) => ({ ...ROUND, room })),
    ...[-1, 1.5, "1", 1e300, null].map((at) => ({ ...ROUND, at })),
    ...[32, -1, 0.5].map((seat) => scores({ seat })),
    ...["a\u0000b", "a\u202eb", "a".repeat(65), 5].map((name) => scores({ name })),
    ...[0.5, "1", 1e300, null].map((score) => scores({ score })),
    {
      ...ROUND,
      round: {
        ...ROUND.round,
        scores: Array.from({ length: 33 }, () => ({ seat: 0, name: "", score: 0 })),
      },
    },
    ...["empty; DROP", "", "x".repeat(33)].map((reason) => ({ ...END, reason })),
    ...["AB".repeat(32), "ab", "../x"].map((hash) => ({ ...END, log: { ...LOG, hash } })),
    ...[-1, 17].map((players) => ({ ...END, log: { ...LOG, players } })),
    ...["", "a\u0000b", "x".repeat(65), 7].map((gameId) => ({ ...RULES, gameId })),
    { ...END, log: undefined },
  ];

  for (const each of hostile) {
    const value = typeof each === "object" && each !== null && !Array.isArray(each)
      ? { v: 1, ...each }
      : each;
    for (const subject of [resultSubjectOf(ROUND), resultSubjectOf(END)]) {
      assertThrows(
        () => decodeResult(subject, textOf(value)),
        ResultMessageError,
        "a result that is none",
      );
    }
  }

  assertThrows(
    () => decodeResult("result.x.3", encodeResult(ROUND)),
    ResultMessageError,
    "the subject of another one",
  );
  assertThrows(
    () => decodeResult(resultSubjectOf(END), encodeResult(ROUND)),
    ResultMessageError,
    "the subject of another",
  );
  assertThrows(
    () => decodeResult("", new Uint8Array(RESULT_BYTES_MAX + 1)),
    ResultMessageError,
    "16385 bytes",
  );
  assertThrows(() => encodeResult({ ...ROUND, room: "no" }), ResultMessageError);
});

Deno.test("decodeResult: changed bytes are another result or a typed error, nothing else (SPEC 17.181) [seed 281]", () => {
  const random = new Random(281);
  const subject = resultSubjectOf(ROUND);
  const whole = encodeResult(ROUND);
  let refused = 0;
  for (let i = 0; i < 2_000; i++) {
    const bytes = whole.slice(0, random.below(4) === 0 ? random.below(whole.length) : whole.length);
    for (let n = 0; n <= random.below(3) && bytes.length > 0; n++) {
      bytes[random.below(bytes.length)] = random.below(256);
    }
    try {
      decodeResult(subject, bytes);
    } catch (error) {
      if (!(error instanceof ResultMessageError)) throw error;
      refused++;
    }
  }
  assertEquals(refused > 1_000, true);
});
