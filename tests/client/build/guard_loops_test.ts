/** An author's loops get a call in each turn; nothing else in their sources changes. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { withLoopTurns } from "../../../client/build/guard_loops.ts";
import { boundLoops, EndlessLoop, loopTurn } from "../../../client/ui/loop_turn.ts";

const T = "wyvernLoopTurn()";
const GUARDED: readonly (readonly [source: string, guarded: string])[] = [
  ["while (a) b();", `while (${T}, a) b();`],
  ["do { a(); } while (b);", `do { a(); } while (${T}, b);`],
  ["for (;;) {}", `for (;; ${T}) {}`],
  ["for (let i = 0; i < f(1, [2]); i++) {}", `for (let i = 0; i < f(1, [2]); i++, ${T}) {}`],
  ["for (let i = 0; i < 3;) i++;", `for (let i = 0; i < 3; ${T}) i++;`],
  ["for (;;) for (;;) a();", `for (;; ${T}) for (;; ${T}) a();`],
  [
    'for (const a of "while (b;;)") while (a / 2 > 1 / 3) {}',
    `for (const a of "while (b;;)") while (${T}, a / 2 > 1 / 3) {}`,
  ],
  [
    "`while (a) ${b ? `${c}` : 1} for (;;)`; while (d);",
    "`while (a) ${b ? `${c}` : 1} for (;;)`; " + `while (${T}, d);`,
  ],
  [
    "const a = /while (b) [/(]'/g; /* for (;;) */ // while (a)\nwhile (c);",
    `const a = /while (b) [/(]'/g; /* for (;;) */ // while (a)\nwhile (${T}, c);`,
  ],
  ["`\\`${`}`}`; while (a);", "`\\`${`}`}`; " + `while (${T}, a);`],
];
/** A regular expression behind a bracket reads as a division here, so its brackets count. */
const MISREAD = "if (a) /[(]/.test(b); while (c) {}";
const PLAIN = ["for (const a of b) a();", "for (const a in b) a();", "a.while(b); a.for(c);", ""];

Deno.test("guardLoops: every loop that may not end gets a call in its turns, and nothing else changes (SPEC 13.112)", () => {
  for (const [source, guarded] of GUARDED) assertEquals(withLoopTurns(source), guarded);
  for (const source of PLAIN) assertEquals(withLoopTurns(source), undefined, source);
  assertEquals(withLoopTurns(MISREAD), undefined, "what is misread stays as it is");
});

Deno.test("guardLoops: the sources of all games stay programs (SPEC 13.112)", async () => {
  const { transform, stop } = await import("esbuild");
  try {
    for (const path of ["dragons/npc/navigation", "haul/game", "puck/game"]) {
      const source = await Deno.readTextFile(
        new URL(`../../../shared/games/${path}.ts`, import.meta.url),
      );
      const guarded = withLoopTurns(source) ?? source;
      await transform(guarded, { loader: "ts" });
      assertEquals(guarded.split("\n").length, source.split("\n").length);
    }
  } finally {
    await stop();
  }
});

Deno.test("loopTurn: a loop throws beyond the bound of its task; a replay's task has none (SPEC 13.141)", async () => {
  const TURNS = 300_000;
  const turn = () => {
    for (let i = 0; i < TURNS; i++) loopTurn();
  };
  turn();
  try {
    boundLoops(0);
    const error = assertThrows(turn, EndlessLoop, "a loop has not ended after 0 s");
    assert(error.stack!.includes("guard_loops_test.ts"));

    // The next task begins anew: its first look at the clock throws nothing.
    await Promise.resolve();
    for (let i = 0; i < 256; i++) loopTurn();
  } finally {
    boundLoops(Infinity);
  }
});
