/** Faults of the server, its process and its disk. */
import type { DeathPlan } from "../hunted_logs.ts";
import { Random } from "../../../../shared/random.ts";
import { pausesOf } from "../../lab/stalls/pauses.ts";
import type { FaultKind } from "./fault.ts";

/** A server stall ends within this time, ms. */
const STALL_MS_MAX = 3_000;
const DOWN_MS_MAX = 2_500;
/** How slow the disk may be, ms. */
const SLOW_MS_MAX = 400;

const serverStall: FaultKind = {
  weight: 1,
  begin(world, { ms }) {
    if (world.isUp) world.lab.stallServer(Math.min(ms, STALL_MS_MAX));
  },
};

/** The server's process stands still again and again, each time for a moment. */
const serverPauses: FaultKind = {
  weight: 1,
  begin(world, fault) {
    for (const { atMs, ms } of pausesOf(fault)) {
      world.later(atMs, () => world.isUp && world.lab.stallServer(ms));
    }
  },
};

/** The server dies between two ticks. */
const crashBetweenTicks: FaultKind = {
  weight: 1,
  begin(world, { draw }) {
    world.killServer({ downMs: draw % DOWN_MS_MAX });
  },
};

/** The server dies at some point of its next tick, or of its next early announcement. */
function crashAt(point: DeathPlan["point"], at: DeathPlan["at"] = "tick"): FaultKind {
  return {
    weight: 1,
    begin(world, { draw }) {
      const random = new Random(draw);
      const plan = { at, point, share: random.fraction(), sends: random.below(4) };
      world.killServer({ plan, downMs: random.below(DOWN_MS_MAX) });
    },
  };
}

/** The server dies, and a bit of the newest record has changed when the next server reads it. */
const flippedBit: FaultKind = {
  weight: 0.4,
  begin(world, { draw }) {
    world.changeNewestRecord(draw);
  },
};

/** Not one more byte fits on the disk, so the match goes on without a log. */
const fullDisk: FaultKind = {
  weight: 0.4,
  begin(world, { ms }) {
    world.logs.isFull = true;
    world.later(ms, () => world.logs.isFull = false);
  },
};

/** Each write takes longer than several ticks. */
const slowDisk: FaultKind = {
  weight: 1,
  begin(world, { ms, draw }) {
    world.logs.slowMs = 5 + draw % SLOW_MS_MAX;
    world.later(ms, () => world.logs.slowMs = 0);
  },
};

export const SERVER_FAULTS = {
  "stall of the server": serverStall,
  "pauses of the server": serverPauses,
  "server crash between ticks": crashBetweenTicks,
  "server crash before the log has the tick": crashAt("before"),
  "server crash with a torn record": crashAt("torn"),
  "server crash before anybody has the tick": crashAt("after"),
  "server crash when some have the tick": crashAt("sent"),
  "server crash before an early announcement": crashAt("after", "early"),
  "server crash after an early announcement": crashAt("sent", "early"),
  "flipped bit in the newest record": flippedBit,
  "full disk": fullDisk,
  "slow disk": slowDisk,
} as const;
