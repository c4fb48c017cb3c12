/** How long a client plays before a test takes its server or its connection away. */
import { TICK_HZ } from "../../shared/games/dragons/tuning.ts";

/**
 * A seat is kept for as long as it was played (SPEC 3.3), so a client must have played for longer
 * than it takes to come back, s. On a busy machine its first attempts come too early, and then it
 * waits for up to 6 s before the next one.
 */
const KEPT_SECONDS = 10;

/** The same in ticks of dragons. */
export const KEPT_SEAT_TICKS = KEPT_SECONDS * TICK_HZ;
