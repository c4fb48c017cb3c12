import { assertEquals } from "@std/assert";
import { DatagramHistory } from "../../../../../shared/netcode/wire/uplink/datagram_history.ts";

/** A datagram of `tick`; its command is the number of the tick, unless another one is given. */
const datagram = (tick: number, commands: readonly number[] = [tick]) => ({
  ...{
    type: "commands",
    tick,
    received: tick - 5,
    isDesynced: false,
    leadMs: 90,
    commands,
  } as const,
});

Deno.test("DatagramHistory: six bits name each tick from 39 before to 24 after the newest one (SPEC 1.23)", () => {
  const history = new DatagramHistory<number>();
  for (const newest of [0, 63, 64, 4711]) {
    history.record(datagram(newest));
    for (let tick = newest - 39; tick <= newest + 24; tick++) {
      assertEquals(history.tickOf(tick & 63), tick);
    }
    assertEquals(history.tickOf((newest + 25) & 63), newest - 39);
  }
});

Deno.test("DatagramHistory: it keeps the first datagram and the first command of each of the newest 64 ticks (SPEC 1.5, 1.23)", () => {
  const history = new DatagramHistory<number>();
  history.record(datagram(100, [1, 2]));
  history.record({ ...datagram(100, [3, 4, 5]), received: 99, leadMs: 7 });
  assertEquals([98, 99, 100].map((tick) => history.commandOf(tick)), [5, 2, 1]);
  assertEquals({ ...history.fieldsOf(100)! }, {
    count: 2,
    isRead: true,
    offset: 5,
    lead: 360,
    commandCount: 2,
    command: 1,
  });

  // Its command came with a later one, but no datagram of its own.
  assertEquals(history.fieldsOf(99), undefined);
  history.record(datagram(163));
  assertEquals([100, 99].map((tick) => history.commandOf(tick)), [1, undefined]);
  history.record(datagram(99));
  assertEquals(history.commandOf(99), undefined);
  history.record(datagram(170, []));
  assertEquals(history.arrivals(160)!.newest, 163);
});

Deno.test("DatagramHistory: one that is more than 32 ticks ahead of what was received leaves no trace (SPEC 1.23)", () => {
  const history = new DatagramHistory<number>();
  history.record(datagram(100));
  history.record({ ...datagram(213), received: 98 });
  history.record({ ...datagram(131), received: 98 });
  assertEquals([history.tickOf(101 & 63), history.arrivals(99)?.newest], [101, 100]);
  history.record({ ...datagram(130), received: 98 });
  assertEquals(history.arrivals(99)?.newest, 130);
});
