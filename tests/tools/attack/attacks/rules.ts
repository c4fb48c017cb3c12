/** Attacks by a game: a mistake in its rules that a player can bring about. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { commandOf } from "../../../support/dragons.ts";
import { assert } from "@std/assert";
import { STEP_MS_MAX } from "../../../../server/supervision/hang_watch.ts";
import { quantileOf } from "../../bench/median.ts";
import { HonestBot } from "../../../support/honest_bot.ts";
import { ReturningBot } from "../../../support/returning_bot.ts";
import { type Attack, until } from "../attack.ts";
import type { Target } from "../target.ts";

/** The matches beside the one that hangs, each with a player. */
const NEIGHBOURS = ["ASHE", "BEAR", "CROW", "DOVE", "ELKS", "FINN", "GULL", "HAWK"];
/** The matches that hang, one after the other. */
const HANGS = ["RULA", "RULB", "RULC"];
/** Others play on within a step's deadline and this time after it, ms. */
const BACK_MS_MAX = 2_000;

/** Lets one match hang. @returns how long it took until each neighbour played on, ms */
async function hang(
  target: Target,
  room: string,
  neighbours: readonly ReturningBot[],
): Promise<number[]> {
  const sessions = neighbours.map(({ session }) => session);
  let fires = 0;

  // Two shots in each tick trigger the planted mistake in the third one.
  const twoShots = { next: () => commandOf({ fires: fires = (fires + 2) & 3 }) };
  const villain = new HonestBot(target.server.url, {
    name: "Loop",
    seed: 1,
    room,
    controls: twoShots,
  });
  await villain.until(() => villain.isPlaying);
  const beganMs = performance.now();

  const backMs = await Promise.all(neighbours.map(async (bot, i) => {
    await bot.until(() => bot.session !== sessions[i] && bot.isPlaying);
    return performance.now() - beganMs;
  }));
  villain.stop();
  return backMs;
}

const hangingRule: Attack = {
  name: "hanging_rule",
  threat: "W11",
  // Admits all players even on a machine that is busy with other work.
  server: { script: ["hanging_server.ts", "loop"], flags: ["--tick-load", "100"] },
  // All of them come back. This attack measures how soon, and the restarted process counts its
  // figures from 0.
  tolerates: ["closes", "gaps", "droppedTicks", "latenessMs", "newcomerMs"],
  async honest(target) {
    const { closeCode } = await target.players.newcomer(target.server.url);
    assert(closeCode === 0, `a newcomer was closed with ${closeCode}`);
    return "rules that end";
  },
  async commit(target) {
    const { url } = target.server;
    const neighbours = NEIGHBOURS.map((room, seed) =>
      new ReturningBot(url, { name: room, seed, room })
    );

    try {
      await Promise.all(neighbours.map((bot) => bot.until(() => bot.isPlaying)));
      const backMs: number[] = [];
      for (const room of HANGS) {
        // A seat is kept for a player who has played.
        const from = neighbours.map(({ newestTick }) => newestTick);
        await Promise.all(
          neighbours.map((bot, i) => bot.until(() => bot.newestTick > from[i]! + 20)),
        );
        backMs.push(...await hang(target, room, neighbours));
      }

      const p95 = Math.round(quantileOf(backMs, 0.95));
      const desyncs = neighbours.reduce(
        (sum, { desyncs, session }) => sum + desyncs + session.stats.desyncs,
        0,
      );
      const lostSeats = neighbours.filter(({ seats }) => new Set(seats).size > 1).length;
      assert(desyncs === 0 && lostSeats === 0, `${desyncs} desyncs, ${lostSeats} lost seats`);
      assert(
        target.isUntimed || p95 <= STEP_MS_MAX + BACK_MS_MAX,
        `others were back after ${p95} ms`,
      );
      await until("the log names each match", async () => {
        const log = await target.server.log();
        return HANGS.every((room) =>
          new RegExp(`tick_hangs game=${dragonGame.id} room=${room} id=\\S+ tick=\\d+ phase=tick`)
            .test(log)
        );
      }, { seconds: 5 });
      return `${HANGS.length} matches hang: each is named, and ${NEIGHBOURS.length} others play on after ${p95} ms (p95)`;
    } finally {
      for (const bot of neighbours) bot.stop();
    }
  },
};

export const RULE_ATTACKS: readonly Attack[] = [hangingRule];
