/** What a page loads when a round is over: the deciding moment once more, and the round's replay. */
export { AFTER_TICKS, SlowMotion } from "../../presentation/slow_motion.ts";
export { roundReplayUrl } from "./round_replay.ts";
