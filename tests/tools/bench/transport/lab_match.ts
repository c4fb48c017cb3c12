/** The benchmark's match in the lab: the same bots, line and windows in virtual time. */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { Lab } from "../../lab/lab.ts";
import type { CommandArrival } from "../../lab/queues/oracle.ts";
import { QueueRecorder } from "../../lab/queues/queue_recorder.ts";
import type { Line } from "../../../support/relay/line.ts";
import type { MatchPlan } from "./plan.ts";

/** Commands that are due within this time before the end may still be on their way, ms. */
const TAIL_MS = 2_000;

/**
 * @param ordered whether the bots use WebSocket
 * @returns each bot's commands for the ticks that were due in the window
 */
export function playInLab(
  { bots, npcs, warmUpSeconds, seconds }: MatchPlan,
  { model, seed, ordered }: Line & { ordered: boolean },
): CommandArrival[][] {
  const lab = new Lab({ game: dragonGame, seed, npcs });
  const recorders = Array.from({ length: bots }, (_, i) => {
    const bot = new Bot(lab.random.bits());
    const recorder = new QueueRecorder({ game: dragonGame, controls: bot, nowMs: () => lab.nowMs });
    const player = lab.join(`bot ${i + 1}`, { commandSource: recorder, network: model, ordered });
    recorder.attach(player);
    bot.attach(player.session);
    return recorder;
  });
  lab.run(warmUpSeconds);
  const fromMs = lab.nowMs;
  lab.run(seconds);
  const untilMs = lab.nowMs;
  lab.run(TAIL_MS / 1000);
  const window = { dueMs: (tick: number) => lab.tickDueMs(tick), untilMs };
  return recorders.map((recorder) =>
    recorder.arrivals(window).filter(({ dueMs }) => dueMs >= fromMs)
  );
}
