/**
 * A short `deno task prove determinism` in every installed engine, and tests that it detects and names a
 * single wrong bit. An emulated processor takes a minute for its start, so `.ci/run` proves it by the
 * command alone.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { GAMES } from "../../../shared/games/registry.ts";
import { browsersAreRequired } from "../../browser/places.ts";
import { runTask } from "../../support/task.ts";
import { compareEngines, type Comparison } from "./compare.ts";
import type { Engine } from "./engine.ts";
import { ENGINES, type EngineSource } from "./engines.ts";

const TICKS = 60;
const SEED = 1;

/** Starts the engines that this machine has, and closes them after the test. */
async function withEngines(
  sources: readonly EngineSource[],
  test: (engines: readonly Engine[]) => Promise<void>,
): Promise<void> {
  const engines: Engine[] = [];
  try {
    for (const source of sources) {
      const reason = await source.missingReason();
      if (reason === undefined) engines.push(await source.start());
      else console.warn(`${source.name} is left out: ${reason}`);
    }
    await test(engines);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

const QUICK_ENGINES = ENGINES.filter(({ isEmulated = false }) => !isEmulated);

/** playwright keeps pipes and timers of its own until the process ends. */
const NO_SANITIZERS = { sanitizeOps: false, sanitizeResources: false };

Deno.test(
  `determinism: every engine has the same bits in ${TICKS} ticks of each game and of handed-over states, and one wrong bit in any is found, and named by tick, entity and field (SPEC 9.4, 9.16)`,
  NO_SANITIZERS,
  async () => {
    await withEngines(QUICK_ENGINES, async (engines) => {
      const { equal, firstDifference, engines: hashes } = await compareEngines(engines, {
        ticks: TICKS,
        seed: SEED,
        games: Object.keys(GAMES),
      });
      assertEquals({ equal, firstDifference }, { equal: true, firstDifference: null });
      assertEquals(Object.keys(hashes), engines.map(({ name }) => name));
      assertEquals(new Set(Object.values(hashes)).size, 1);
      if (browsersAreRequired()) assertEquals(engines.length, QUICK_ENGINES.length);
      for (const engine of engines.slice(1)) await findsWrongBit(engines[0]!, engine);
    });
  },
);

async function findsWrongBit(reference: Engine, engine: Engine): Promise<void> {
  const nudge = { tick: 6, name: "entity 11 jumper vx" };
  const { equal, firstDifference, engines } = await compareEngines([reference, engine], {
    ticks: 10,
    seed: SEED,
    games: [],
    injectedFault: { engine: engine.name, nudge },
  });
  assertEquals({ equal, firstDifference }, {
    equal: false,
    firstDifference: {
      engine: engine.name,
      run: "stage",
      tick: 6,
      entity: "entity 11 jumper",
      field: "vx",
    },
  });
  assertEquals(new Set(Object.values(engines)).size, 2);
}

Deno.test(
  "determinism: --game compares a match of that game alone, and an unknown game is one line",
  NO_SANITIZERS,
  async () => {
    await withEngines(ENGINES.slice(0, 2), async (engines) => {
      const played: string[] = [];
      const watched = engines.map((engine): Engine => ({
        ...engine,
        run(request) {
          if ("scene" in request) played.push(`${engine.name} ${request.scene}`);
          return engine.run(request);
        },
      }));
      const { equal, firstDifference } = await compareEngines(watched, {
        games: ["puck"],
        withStage: false,
        ticks: 10,
        seed: SEED,
      });
      assertEquals({ equal, firstDifference }, { equal: true, firstDifference: null });
      assertEquals(played, engines.map(({ name }) => `${name} puck`));
    });
    const unknown = await runTask("prove", "determinism", "--game", "chess");
    assertEquals([unknown.code, unknown.stdout], [2, ""]);
    assertMatch(
      unknown.stderr,
      /^prove determinism: --game cannot be "chess"; allowed: dragons.*\n$/,
    );
  },
);

Deno.test("determinism: an engine that ignores the handed-over state differs", async () => {
  const deno = await ENGINES[0]!.start();
  const ignoresState: Engine = {
    ...deno,
    name: "node",
    run: (request) => deno.run({ ...request, state: undefined }),
  };
  const { equal, firstDifference } = await compareEngines(
    [deno, ignoresState],
    {
      ticks: 40,
      seed: SEED,
      games: [],
    },
  );
  assertEquals({ equal, run: firstDifference!.run }, { equal: false, run: "stage, handed over" });
});

Deno.test("determinism: the task's last line is one JSON object; an unusable flag exits with 2 and a message", async () => {
  const [unknown, bare] = await Promise.all([
    runTask("prove", "determinism", "--engines", "netscape"),
    runTask("prove", "determinism", "--engines", "deno"),
  ]);
  assertEquals([unknown.code, bare.code], [2, 2]);
  assertMatch(
    unknown.stderr,
    /--engines cannot be "netscape"; allowed: some of deno,bundle,node,chromium,firefox/,
  );
  assertMatch(bare.stderr, /nothing to compare/);
  if (await ENGINES.find(({ name }) => name === "node")!.missingReason() !== undefined) return;
  const { code, stdout } = await runTask(
    "prove",
    "determinism",
    "--engines",
    "node",
    "--ticks",
    "10",
    "--json",
  );
  const report = JSON.parse(stdout.trim().split("\n").at(-1)!) as Comparison;
  assertEquals(code, 0);
  assertEquals(Object.keys(report), ["ticks", "engines", "equal", "firstDifference"]);
  assertEquals({ ...report, engines: Object.keys(report.engines) }, {
    ticks: 10,
    engines: ["deno", "node"],
    equal: true,
    firstDifference: null,
  });
});
