import { assertEquals } from "@std/assert";
import {
  finalState,
  LANE,
  LANE_TICKS,
  SeatLanes,
} from "../../../../client/debug/replay/seat_lanes.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";

Deno.test("finalState: known, guessed right or wrong, late, empty", () => {
  const same = (a: string, b: string) => a === b;
  const first = ["left", "left", "left", "left", undefined];
  const definitive = ["left", "left", "flap", "left", undefined];
  const final = { first, definitive, known: 0b00001, announced: 0b10111, same };
  const { known, guessed, wrong, late, empty } = LANE;
  assertEquals([0, 1, 2, 3, 4].map((seat) => finalState(seat, final)), [
    known,
    guessed,
    wrong,
    late,
    empty,
  ]);
});

Deno.test("SeatLanes: keeps the newest ticks; a tick that was skipped is empty", () => {
  const lanes = new SeatLanes();
  assertEquals([lanes.newest, lanes.at(0, 0)], [-1, LANE.empty]);
  lanes.set(10, 3, LANE.late);
  lanes.set(12, 3, LANE.known);
  assertEquals([9, 10, 11, 12, 13].map((tick) => lanes.at(tick, 3)), [
    0,
    LANE.late,
    0,
    LANE.known,
    0,
  ]);
  assertEquals([lanes.lateAt(10), lanes.lateAt(12)], [1, 0]);
  lanes.set(10 + LANE_TICKS, 4, LANE.guessed);
  assertEquals([lanes.at(10, 3), lanes.at(12, 3), lanes.newest], [
    LANE.empty,
    LANE.known,
    10 + LANE_TICKS,
  ]);
  lanes.set(10, 3, LANE.late);
  assertEquals(
    lanes.at(10 + LANE_TICKS, 3),
    LANE.empty,
    "an old tick must not overwrite a newer one",
  );
  lanes.clear();
  assertEquals([lanes.newest, lanes.at(12, 3)], [-1, LANE.empty]);
});

Deno.test("SeatLanes: a copy of the newest ticks, pasted elsewhere, gives the same lanes", () => {
  const lanes = new SeatLanes();
  const copied = new SeatLanes();
  for (let tick = 0; tick < 2 * LANE_TICKS; tick++) {
    for (let seat = 0; seat < SEATS; seat++) {
      lanes.set(tick, seat, (tick + seat) % 5 as 0 | 1 | 2 | 3 | 4);
    }
    if (tick % 50 === 49) copied.paste(lanes.copyFrom(tick - 60), tick);
  }
  assertEquals(copied.newest, 2 * LANE_TICKS - 1 - (2 * LANE_TICKS) % 50);
  for (let tick = copied.newest; tick > copied.newest - LANE_TICKS + 100; tick--) {
    for (let seat = 0; seat < SEATS; seat++) {
      assertEquals(copied.at(tick, seat), lanes.at(tick, seat));
    }
  }
});
