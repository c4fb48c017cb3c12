/** A log of other rules with the same id is played as far as they agree. */
import { assertEquals } from "@std/assert";
import type { Game } from "../../../shared/netcode/game.ts";
import { FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { RecordWriter } from "../../../shared/netcode/match_log/record_coder.ts";
import { LOG_VERSION, OLDEST_LOG_VERSION } from "../../../shared/netcode/match_log/records.ts";
import { LogDifference } from "../../../shared/netcode/match_log/replay.ts";
import { headerOf, replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { P_TICK } from "../../../shared/netcode/wire/probabilities.ts";
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
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

Deno.test("headerOf: a log has the fingerprint of the rules that began it, one of version 2 has none (SPEC 15.51)", () => {
  const header = {
    gameId: trapGame.id,
    rules: "0123456789ab",
    room: "RULE",
    npcs: 2,
    seed: 7,
    choices: [1],
    key: undefined,
    startedAt: 1,
    isOrdered: false,
  };
  const written = new RecordWriter(trapGame.command, 1).header(header);
  assertEquals(headerOf(written), { type: "header", version: LOG_VERSION, ...header });

  const read = headerOf(plainHeader());
  assertEquals([read.version, read.rules, read.room], [OLDEST_LOG_VERSION, undefined, "RULE"]);
});

/** The header of a log as programs wrote it before fingerprints. */
function plainHeader(): Uint8Array {
  const HEADER = 0;
  const coder = new CodeWriter();
  coder.reset();
  coder.flag(false, P_TICK);
  coder.bits(HEADER, 3);
  coder.varint(1);
  coder.varint(OLDEST_LOG_VERSION);
  coder.text(trapGame.id, 64);
  coder.text("RULE", 64);
  coder.bits(2, 5);
  coder.bits(7, 32);
  coder.varint(0);
  coder.flag(false);
  coder.bits(1, 32);
  return new FrameWriter().frame(coder.finish()).slice();
}

Deno.test("LogDifference: two fingerprints that differ are the reason, one alone is none (SPEC 15.51)", () => {
  const reasonOf = (logged?: string, own?: string) =>
    new LogDifference(41, { rules: { logged, own } }).message;
  assertEquals(
    reasonOf("0123456789ab", "ba9876543210"),
    "tick 41 is not as the log has it: rules 0123456789ab played it, and this program has " +
      "ba9876543210",
  );
  const unknown = "tick 41 is not as the log has it: other rules, or another build of them, " +
    "played it";
  assertEquals(
    [reasonOf("0123456789ab"), reasonOf(undefined, "ba9876543210"), reasonOf("01", "01")],
    [unknown, unknown, unknown],
  );
});
