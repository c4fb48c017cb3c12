import { assertEquals } from "@std/assert";
import type { ProcessReport } from "../../../server/gateway/match_process.ts";
import { type PlacedProcess, RoomDirectory } from "../../../server/gateway/room_directory.ts";

const CODES = ["ASHE", "BEAR", "CROW", "DOVE", "EMUS", "FAWN"];

/** A process as it has reported itself. */
function workerOf(
  number: number,
  report: Partial<ProcessReport> & { codes?: string[] } = {},
): PlacedProcess {
  const { codes = [], ...rest } = report;
  return {
    number,
    state: "up",
    report: {
      ok: true,
      tickShare: 1,
      accepts: true,
      rooms: codes.length,
      clients: 0,
      ticks: 1,
      reason: "",
      tickLoad: 0,
      sockets: 0,
      setAside: 0,
      datagrams: undefined,
      ...rest,
    },
    codes: { dragons: codes },
  };
}

function directoryOf(workers: readonly PlacedProcess[]) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const directory = new RoomDirectory(workers, clock);
  for (const worker of workers) directory.update(worker);
  return { clock, directory, assign: (code: string) => directory.assign("dragons", code) };
}

Deno.test("RoomDirectory: new rooms go to the least busy process, and equal ones share them (SPEC 17.2)", () => {
  const { assign } = directoryOf([1, 2, 3].map((number) => workerOf(number)));
  assertEquals(CODES.map(assign), [1, 2, 3, 1, 2, 3]);
  const busy = directoryOf([
    workerOf(1, { tickLoad: 0.5, rooms: 1 }),
    workerOf(2, { tickLoad: 0.1, rooms: 9 }),
  ]);
  // Rooms that the second process has not reported count as much as rooms do in the mean: 0.06 of a
  // tick each.
  assertEquals([...CODES, "GULL", "HARE"].map(busy.assign), [2, 2, 2, 2, 2, 2, 1, 2]);
});

Deno.test("RoomDirectory: a process that takes nobody, or is away, gets a room only if no other takes any (SPEC 17.2)", () => {
  const away = { ...workerOf(1), state: "starting" as const, report: undefined };
  const full = workerOf(2, { reason: "all rooms are open" });
  const open = workerOf(3, { tickLoad: 0.5 });
  assertEquals(directoryOf([away, full, open]).assign("CROW"), 3);
  assertEquals(directoryOf([away, full]).assign("CROW"), 2);
  assertEquals(directoryOf([away]).assign("CROW"), 1);
});

Deno.test("RoomDirectory: a room stays with its process, also while that is away, and for as long as a ticket (SPEC 17.2)", () => {
  const first = workerOf(1, { codes: ["CROW"], tickLoad: 0.9 });
  const { directory, clock, assign } = directoryOf([
    first,
    workerOf(2),
  ]);
  assertEquals(
    [directory.find("dragons", "CROW"), directory.find("puck", "CROW"), assign("CROW")],
    [1, undefined, 1],
  );
  directory.update({ ...first, codes: undefined });
  assertEquals(directory.find("dragons", "CROW"), 1);
  assertEquals(assign("DOVE"), 2);
  clock.nowMs = 89_000;
  assertEquals(directory.find("dragons", "DOVE"), 2);
  clock.nowMs = 91_000;
  assertEquals(directory.find("dragons", "DOVE"), undefined);

  // The room is gone, and its process says so.
  directory.update(workerOf(1));
  assertEquals(directory.find("dragons", "CROW"), undefined);
});
