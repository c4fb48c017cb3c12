/**
 * The duties of every game, for each game of the registry: adding one is a line there and nothing
 * here. `deno task prove game NAME` runs the same for one game.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { type GameRegistry, GAMES } from "../shared/games/registry.ts";
import { checkCodec } from "../shared/netcode/codec_check.ts";
import type { Game } from "../shared/netcode/game.ts";
import { loadHostileStates } from "./games/hostile_states.ts";
import { playInLab } from "./games/lab_run.ts";
import { lastChoices, runSync } from "../shared/duties/sync_run.ts";
import { twinFaults } from "../shared/duties/twin_run.ts";

/** Each seed is one match. A seed that once failed stays. */
const SEED = 20_261_123;

/** The kit's templates are games, too, which `deno task new` copies. */
const LOADERS: GameRegistry = {
  ...GAMES,
  template_blank: () => import("../shared/game_kit/templates/blank/game.ts"),
  template_side: () => import("../shared/game_kit/templates/side/game.ts"),
  template_top: () => import("../shared/game_kit/templates/top/game.ts"),
  template_duel: () => import("../shared/game_kit/templates/duel/game.ts"),
};

/** The games under test. `prove game` sets the variable. */
const names = Object.keys(LOADERS).filter((name) =>
  [undefined, name].includes(Deno.env.get("WYVERN_GAME"))
);

function gameTest(title: string, test: (game: Game<unknown>) => void): void {
  for (const name of names) {
    Deno.test(`${name}: ${title}`, async () => test((await LOADERS[name]!()).game));
  }
}

gameTest("rollbacks after mispredictions lead to the same words (SPEC 9.1)", (game) => {
  const options = { seed: SEED, npcs: 3, ticks: 600, choices: lastChoices(game) };
  const { compared, rollbacks, firstDifference } = runSync(game, options);
  assertEquals(firstDifference, "");
  assertGreater(compared, 500);
  assertGreater(rollbacks, 40);
});

gameTest("a twin that steps each tick after a rollback agrees (SPEC 1.20)", (game) => {
  const [first] = twinFaults(game, { seed: SEED, npcs: 4, ticks: 300 });
  assertEquals(first, undefined);
});

gameTest(
  "the codec carries every command, and its equality sees every property",
  (game) => checkCodec(game.command),
);

gameTest("hostile states are refused, or loaded as they are (SPEC 9.1)", (game) => {
  const options = { seed: SEED, npcs: 3, ticks: 300, choices: lastChoices(game) };
  const { refused, loaded, firstFailure } = loadHostileStates(game, { ...options, count: 700 });
  assertEquals(firstFailure, "");
  assertGreater(refused, 150);
  assertGreater(loaded, 15);
});

for (const stream of ["commands", "state"] as const) {
  for (const link of ["reliable", "datagrams"] as const) {
    gameTest(
      `8 s on the ${stream} stream over ${link} have late commands and no desync (SPEC 4.1)`,
      (game) => {
        playInLab(game, { seed: SEED, stream, link });
      },
    );
  }
}
