/** A log of other rules with the same id is played as far as they agree. */
import { assertEquals } from "@std/assert";
import type { Game } from "../../../shared/netcode/game.ts";
import { LogDifference } from "../../../shared/netcode/match_log/replay.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { trapGame, trapLog } from "../../support/trials/trap_game.ts";

/** The tick from which the other rules lead elsewhere. */
const CHANGED_AT = 30;

/** Rules that were changed, under the same id. */
const changedGame: typeof trapGame = {
  ...trapGame,
  start(options, seed) {
    const simulation = trapGame.start(options, seed);
    const save = simulation.save.bind(simulation);
    simulation.save = (into) => {
      save(into);
      const last = into.length - 1;
      if (simulation.tick >= CHANGED_AT) into.words[last] = into.words[last]! ^ 1;
    };
    return simulation;
  },
};

Deno.test("replayedLog: a log of other rules ends at the first tick that differs, and the reason says so (SPEC 15.51)", () => {
  const bytes = trapLog("none", { room: "RULE" });
  const replayed = (game: Game<never>) => replayedLog(bytes, { gameOf: () => game });
  const { error, replay } = replayed(changedGame as unknown as Game<never>);
  assertEquals(error instanceof LogDifference && error.tick, CHANGED_AT);
  assertEquals(
    error!.message,
    `tick ${CHANGED_AT} is not as the log has it: other rules, or another build of them, played it`,
  );
  assertEquals(replay.tick, CHANGED_AT);
  assertEquals(replayed(trapGame as unknown as Game<never>).error, undefined);
});
