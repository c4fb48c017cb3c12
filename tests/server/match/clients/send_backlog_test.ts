import { assertEquals } from "@std/assert";
import {
  CLOSE_BYTES,
  CLOSE_TICKS,
  SendBacklog,
  SKIP_BYTES,
  UNREAD_TICKS_MAX,
} from "../../../../server/match/clients/send_backlog.ts";

const TICK_HZ = 20;

/**
 * A line that carries so many bytes a second, with so many unsent at first.
 * @returns after how many ticks the client was closed; undefined if it has read everything
 */
function closedAfter(
  { unsentBytes, bytesPerSecond }: { unsentBytes: number; bytesPerSecond: number },
) {
  const backlog = new SendBacklog({ acknowledges: true });
  for (let tick = 1, unsent = unsentBytes; unsent > 0; tick++) {
    if (backlog.decide(Math.floor(unsent)) === "close") return tick;
    unsent -= bytesPerSecond / TICK_HZ;
  }
  return undefined;
}

Deno.test("SendBacklog: whoever reads nothing is closed, a slow line that carries a long state is not (SPEC 4.12)", () => {
  assertEquals(closedAfter({ unsentBytes: CLOSE_BYTES + 1, bytesPerSecond: 0 }), CLOSE_TICKS + 1);
  assertEquals(
    closedAfter({ unsentBytes: SKIP_BYTES + 1, bytesPerSecond: 0 }),
    UNREAD_TICKS_MAX + 1,
  );
  const state = 1024 * 1024;
  assertEquals(
    closedAfter({ unsentBytes: state, bytesPerSecond: 16 * 1024 }),
    undefined,
    "in 64 s",
  );
  assertEquals(
    closedAfter({ unsentBytes: state, bytesPerSecond: 4 * 1024 }),
    undefined,
    "in 256 s",
  );
  assertEquals(
    closedAfter({ unsentBytes: state, bytesPerSecond: 3 * 1024 }),
    CLOSE_TICKS + 1,
    "too slow for any match",
  );
});
