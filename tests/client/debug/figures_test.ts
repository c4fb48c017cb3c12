import { assertAlmostEquals, assertEquals } from "@std/assert";
import { figuresOf, networkVerdictOf } from "../../../client/debug/figures.ts";
import type { TelemetryRow } from "../../../client/presentation/telemetry.ts";
import { rowsOf } from "./rows.ts";

Deno.test("figuresOf: rates per second, means per rollback and shares, of the last five seconds", () => {
  const rollback = { rollbacks: 1, resimulatedTicks: 3, rollbackMs: 2, npcForeknown: 2 };
  const rows = rowsOf((tick) => tick % 10 === 0 ? rollback : {});
  const figures = figuresOf(rows, 4999)!;
  assertAlmostEquals(figures.rollbacksPerSecond, 2, 0.1);
  assertEquals([figures.rollbackTicks, figures.rollbackMs, figures.stepMs], [3, 2, 0.5]);
  assertAlmostEquals(figures.foreknownShare, 0.95, 0.001);
  assertAlmostEquals(figures.bytes.ticks, 600, 10);
  assertEquals(figures.jitterMs, 0);
  assertEquals(figuresOf(rows, 20_000), undefined);
});

Deno.test("figuresOf: one late arrival in five is jitter; the histogram's ends count all slack beyond them", () => {
  const rows = rowsOf((tick) => ({
    atMs: tick * 50 + (tick % 5 === 0 ? 40 : 0),
    slackMs: tick === 0 ? -900 : 900,
  }));
  const { jitterMs, slackBins } = figuresOf(rows, 4999)!;
  assertEquals(jitterMs, 40);
  assertEquals([slackBins[0], slackBins.at(-1), slackBins.reduce((a, b) => a + b)], [1, 99, 100]);
});

Deno.test("networkVerdictOf: names the gravest problem", () => {
  const word = (changes: Partial<TelemetryRow>, silentMs = 0, framesPerSecond = 60) =>
    networkVerdictOf(figuresOf(rowsOf(() => changes), 5000), { silentMs, framesPerSecond }).word;
  assertEquals(word({}), "good");
  assertEquals(word({ streams: 1 }), "told");
  assertEquals(word({ streams: 1, roundTripMs: 300 }), "far");
  assertEquals(word({ roundTripMs: 300 }), "far");
  assertEquals(word({ roundTripMs: 300, late: 1 }), "late");
  assertEquals(word({ late: 1, stepMs: 20 }), "slow");
  assertEquals(word({ stepMs: 20, inStep: 0 }), "desynced");
  assertEquals(word({ inStep: 0 }, 1500), "silent");
  assertEquals(word({ roundTripMs: 300 }, 0, 20), "slow");
  assertEquals(word({}, 0, 60), "good");
  assertEquals(networkVerdictOf(undefined, { silentMs: 0, framesPerSecond: 60 }).word, "silent");
});

Deno.test("networkVerdictOf: corrections that players saw forbid a good word", () => {
  const NONE = {
    own: 0,
    others: 0,
    largestOwnMetres: 0,
    largestMetres: 0,
    takenBack: 0,
    notShown: 3,
    worst: undefined,
  };
  const verdict = (flight: Partial<typeof NONE>, changes: Partial<TelemetryRow> = {}) =>
    networkVerdictOf(figuresOf(rowsOf(() => changes), 5000), {
      silentMs: 0,
      framesPerSecond: 60,
      flight: { ...NONE, ...flight },
      worstCause: "Rook flapped",
    });
  assertEquals(verdict({}).word, "good");
  assertEquals(verdict({ others: 9, largestMetres: 0.2 }).word, "good");
  assertEquals(verdict({ others: 9, largestMetres: 1.3, takenBack: 2 }), {
    word: "guessing",
    why:
      "others were moved 9× in 5 s, by up to 130 cm, and 2 effects were taken back: Rook flapped",
  });
  assertEquals(verdict({ takenBack: 1 }).word, "guessing");
  assertEquals(verdict({ others: 9, largestMetres: 1.3 }, { roundTripMs: 300 }).word, "guessing");
  assertEquals(verdict({ own: 2, others: 9, largestOwnMetres: 0.3, largestMetres: 1.3 }), {
    word: "corrected",
    why: "your own body was moved 2×, by up to 30 cm: Rook flapped",
  });
  assertEquals(verdict({ own: 2 }, { late: 1 }).word, "late");
});

Deno.test("figuresOf: assumed commands come from the lanes", () => {
  const { assumedPerSecond } = figuresOf(rowsOf(), 4999, (tick) => tick % 10 === 0 ? 2 : 0)!;
  assertAlmostEquals(assumedPerSecond, 4, 0.1);
});
